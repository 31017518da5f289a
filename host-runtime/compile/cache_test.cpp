// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/compile/cache.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rivulet {
namespace {

namespace fs = std::filesystem;

struct Cache : ::testing::Test {
    fs::path directory;
    CompileRequest request;
    CompileResult result{RVL_COMPILE_OK, "a warning", std::vector<std::byte>(1000, std::byte{7})};

    void SetUp() override {
        std::string path = ::testing::TempDir() + "rivulet-cache-XXXXXX";
        ASSERT_TRUE(mkdtemp(path.data()));
        directory = fs::path(path) / "made" / "when needed";
        request.source = "kernel void k() {}";
        request.isa = "rv64gcv";
        request.vlen = 256;
    }
    void TearDown() override { fs::remove_all(directory.parent_path().parent_path()); }

    CompileCache::Key key(const CompileCache &cache) {
        return cache.key_of(request, "compiler").value();
    }
    size_t files() const {
        return static_cast<size_t>(std::distance(fs::directory_iterator(directory), {}));
    }
};

TEST_F(Cache, GivesBackWhatWasStored) {
    CompileCache cache(directory);
    EXPECT_FALSE(cache.find(key(cache)));
    cache.store(key(cache), result);
    const auto found = CompileCache(directory).find(key(cache));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->status, RVL_COMPILE_OK);
    EXPECT_EQ(found->text, result.text);
    EXPECT_EQ(found->output, result.output);
    EXPECT_EQ(files(), 1u);
}

TEST_F(Cache, KeyDependsOnEverythingThatMatters) {
    const CompileCache cache(directory);
    static const CompileRequest::Header one[] = {{"a", "b"}}, other[] = {{"ab", ""}};
    static const std::vector<std::byte> objects[2];
    static const std::byte spirv[4] = {};
    std::vector<std::pair<uint64_t, uint64_t>> keys;
    const auto add = [&](auto change, std::string_view compiler = "compiler") {
        CompileRequest changed = request;
        change(changed);
        const auto key = cache.key_of(changed, compiler).value();
        keys.emplace_back(key.low, key.high);
    };
    add([](auto &) {});
    add([](auto &) {}, "other compiler");
    add([](auto &r) { r.kind = RVL_FRAME_COMPILE; });
    add([](auto &r) { r.isa = "rv64gc"; });
    add([](auto &r) { r.vlen = 512; });
    add([](auto &r) { r.core = "spacemit,x60"; });
    add([](auto &r) { r.options = "-w"; });
    add([](auto &r) { r.source = "kernel void k() {} "; });
    add([](auto &r) { r.headers = one; });
    add([](auto &r) { r.headers = other; });
    add([](auto &r) { r.instructions = one[0]; });
    add([](auto &r) { r.instructions = other[0]; });
    add([](auto &r) { r.objects = std::span(objects).first(1); });
    add([](auto &r) { r.objects = objects; });
    add([](auto &r) { r.spirv = spirv; });
    std::ranges::sort(keys);
    EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
}

TEST_F(Cache, DamagedFileIsThrownAway) {
    CompileCache cache(directory);
    cache.store(key(cache), result);
    const fs::path file = *fs::directory_iterator(directory);
    const auto size = fs::file_size(file);
    for (uint64_t at = 0; at < size; at += 13) {
        cache.store(key(cache), result);
        std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekg(static_cast<std::streamoff>(at));
        const char byte = static_cast<char>(stream.get() ^ 0x40);
        stream.seekp(static_cast<std::streamoff>(at));
        stream.put(byte);
        stream.close();
        EXPECT_FALSE(cache.find(key(cache))) << "byte " << at;
        EXPECT_FALSE(fs::exists(file));
    }
    cache.store(key(cache), result);
    fs::resize_file(file, size - 1);
    EXPECT_FALSE(cache.find(key(cache)));
}

TEST_F(Cache, FullDiskAndForeignDirectoryAreHarmless) {
    CompileCache cache(directory);
    rlimit limit;
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlimit small{500, limit.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    cache.store(key(cache), result);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(files(), 0u);
    EXPECT_FALSE(cache.find(key(cache)));

    CompileCache impossible("/proc/version/cache");
    impossible.store(key(cache), result);
    EXPECT_FALSE(impossible.find(key(cache)));
    EXPECT_FALSE(CompileCache("").key_of(request, "compiler"));
}

TEST_F(Cache, OldestFilesGoWhenItIsFull) {
    CompileCache cache(directory, 10'000);
    std::vector<CompileCache::Key> keys;
    for (int i = 0; i < 30; ++i) {
        const std::string options = std::to_string(i);
        request.options = options;
        keys.push_back(key(cache));
        cache.store(keys.back(), result);
        EXPECT_LE(files(), 10u);
        EXPECT_TRUE(cache.find(keys.front())) << "used all the time";
    }
    EXPECT_TRUE(cache.find(keys.back()));
    EXPECT_FALSE(cache.find(keys[1]));
}

// The directory may be a home directory, or world-writable.
TEST_F(Cache, LeavesAloneWhatIsNotItsOwn) {
    CompileCache cache(directory, 10'000);
    cache.store(key(cache), result);
    const fs::path entry = *fs::directory_iterator(directory);
    fs::path other = entry;
    other.replace_filename(std::string(32, 'a') +
                           entry.filename().string().substr(32)); // a name like the cache's own
    const fs::path letters[] = {directory / "thesis.tex", directory / std::string(32, 'b'), other};
    for (const fs::path &letter : letters)
        std::ofstream(letter) << std::string(20'000, 'x');
    fs::create_directory(directory / "photos");
    for (int i = 0; i < 30; ++i) {
        const std::string options = std::to_string(i);
        request.options = options;
        cache.store(key(cache), result);
    }
    for (const fs::path &letter : letters)
        EXPECT_TRUE(fs::exists(letter)) << letter;
    EXPECT_TRUE(fs::exists(directory / "photos"));
}

TEST_F(Cache, NeitherWaitsForPipesNorFollowsLinks) {
    CompileCache cache(directory);
    cache.store(key(cache), result);
    const fs::path entry = *fs::directory_iterator(directory);
    const fs::path moved = directory / "moved";
    fs::rename(entry, moved);
    fs::create_symlink(moved, entry);
    EXPECT_FALSE(cache.find(key(cache)));
    fs::remove(entry);
    ASSERT_EQ(mkfifo(entry.c_str(), 0600), 0);
    EXPECT_FALSE(cache.find(key(cache)));
    fs::remove(entry);
    fs::create_directory(entry);
    EXPECT_FALSE(cache.find(key(cache)));
    cache.store(key(cache), result);
    EXPECT_FALSE(cache.find(key(cache)));
    fs::remove(entry);
    fs::rename(moved, entry);
    EXPECT_TRUE(cache.find(key(cache)));
    if (geteuid() == 0) { // owned by another user
        ASSERT_EQ(chown(entry.c_str(), 12345, 12345), 0);
        EXPECT_FALSE(cache.find(key(cache)));
        EXPECT_TRUE(fs::exists(entry));
    }
}

TEST_F(Cache, UsersOfOneFolderHaveFilesOfTheirOwn) {
    if (geteuid() != 0)
        GTEST_SKIP() << "only root can be two users";
    CompileCache cache(directory);
    fs::create_directories(directory);
    for (fs::path path = directory; path != fs::path(::testing::TempDir()).parent_path();
         path = path.parent_path())
        fs::permissions(path, fs::perms::all | fs::perms::sticky_bit);
    for (const uid_t user : {0u, 12345u, 12346u}) {
        ASSERT_EQ(seteuid(user), 0);
        if (faccessat(AT_FDCWD, directory.c_str(), W_OK, AT_EACCESS) != 0) {
            ASSERT_EQ(seteuid(0), 0);
            GTEST_SKIP() << "the folder for temporary files is one user's";
        }
        EXPECT_FALSE(cache.find(key(cache)));
        cache.store(key(cache), result);
        EXPECT_TRUE(cache.find(key(cache)));
        ASSERT_EQ(seteuid(0), 0);
    }
    EXPECT_EQ(files(), 3u);
}

TEST_F(Cache, SourcesThatReadFilesAreNotKept) {
    std::vector<CompileRequest::Header> headers{{"known.h", ""}, {"dir/other.h", ""}};
    const auto reads = [&](const char *text) { return includes_files(text, headers); };
    EXPECT_FALSE(reads("kernel void include(global int *includes) {}"));
    EXPECT_FALSE(reads("#include \"known.h\"\n # include <dir/other.h>"));
    EXPECT_TRUE(reads("#include \"unknown.h\""));
    EXPECT_TRUE(reads("# \\\n include <unknown.h>"));
    EXPECT_TRUE(reads("%:include \"unknown.h\""));
    EXPECT_TRUE(reads("#include NAME"));
    EXPECT_TRUE(reads("#if __has_include(\"known.h\")"));
    EXPECT_TRUE(reads("#if __has_include_next(<known.h>)"));
    EXPECT_TRUE(reads("#if __has_embed(\"known.h\")"));
    EXPECT_TRUE(reads("#include_next <known.h>"));
    EXPECT_TRUE(reads("#import \"unknown.h\""));
    EXPECT_TRUE(reads("??=import <unknown.h>"));
    EXPECT_TRUE(reads("/* */ # /* */ embed \"table.bin\""));
    EXPECT_TRUE(reads("#inc\\\nlude \"unknown.h\""));
    EXPECT_TRUE(reads("#im\\\r\nport \"unknown.h\""));
    EXPECT_FALSE(reads("#import \"known.h\""));
    EXPECT_FALSE(reads("int my_include = imports + embed;"));

    const CompileCache cache(directory);
    request.source = "#include \"known.h\"";
    EXPECT_FALSE(cache.key_of(request, ""));
    request.headers = headers;
    EXPECT_TRUE(cache.key_of(request, ""));
    headers[0].text = "#include \"unknown.h\"";
    EXPECT_FALSE(cache.key_of(request, ""));
}

} // namespace
} // namespace rivulet

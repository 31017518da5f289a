// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/compile/cache.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>

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
    add([](auto &r) { r.options = "-w"; });
    add([](auto &r) { r.source = "kernel void k() {} "; });
    add([](auto &r) { r.headers = one; });
    add([](auto &r) { r.headers = other; });
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

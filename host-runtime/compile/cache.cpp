// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/compile/cache.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <span>
#include <string>
#include <sys/stat.h>
#include <utility>

#include "base/environment.h"
#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/file_size.h"
#include "hal/protocol/kernel_image.h"

namespace rivulet {
namespace {

/// The header of a cache file, followed by the log and the output.
struct EntryHeader {
    char magic[8];
    CompileCache::Key key;
    uint64_t text_bytes;
    uint64_t output_bytes;
    uint64_t checksum; // of everything after it
};
constexpr char magic[8] = {'R', 'V', 'L', 'C', 'A', 'C', 'H', '1'};
constexpr uint64_t largest_entry = uint64_t{1} << 30;

/// Hashes fields unambiguously, so that no two lists of fields give the same input.
class Hasher {
public:
    void add(const void *data, size_t size) {
        const Hash field = hash_of(data, size);
        const uint64_t link[] = {hash_.low, hash_.high, field.low, field.high, size};
        hash_ = hash_of(link, sizeof link);
    }
    void add(std::string_view text) { add(text.data(), text.size()); }
    void add(uint64_t number) { add(&number, sizeof number); }
    void add(std::span<const std::byte> bytes) { add(bytes.data(), bytes.size()); }

    [[nodiscard]] CompileCache::Key key() const { return hash_; }

private:
    Hash hash_;
};

bool make_directories(const std::string &path) {
    if (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST)
        return true;
    const size_t parent = path.rfind('/');
    return errno == ENOENT && parent != std::string::npos && parent != 0 &&
           make_directories(path.substr(0, parent)) &&
           (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST);
}

bool read_all(int fd, void *to, size_t size) {
    auto *at = static_cast<char *>(to);
    while (size != 0) {
        const ssize_t count = read(fd, at, size);
        if (count <= 0)
            return false;
        at += count;
        size -= static_cast<size_t>(count);
    }
    return true;
}

bool write_all(int fd, const void *from, size_t size) {
    const auto *at = static_cast<const char *>(from);
    while (size != 0) {
        const ssize_t count = write(fd, at, size);
        if (count <= 0)
            return false;
        at += count;
        size -= static_cast<size_t>(count);
    }
    return true;
}

uint64_t checksum_of(const CompileResult &result) {
    Hasher hasher;
    hasher.add(result.text);
    hasher.add(result.output);
    return hasher.key().low;
}

/// Opens a regular file owned by this user; the header still has to be checked. For anything else
/// it has no side effects and does not block.
FileDescriptor open_own(int folder, const char *name, struct stat &status) {
    FileDescriptor file(openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    const bool is_own = file && fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) &&
                        status.st_uid == geteuid();
    return is_own ? std::move(file) : FileDescriptor();
}

constexpr size_t digits = 32; // of a key

/// KEY.USER.rvl, with .PROCESS.NUMBER appended while it is being written.
bool is_own_name(std::string_view name) {
    char suffix[32];
    std::snprintf(suffix, sizeof suffix, ".%u.rvl", geteuid());
    const std::string_view key = name.substr(0, digits);
    const std::string_view rest = name.substr(key.size());
    return key.size() == digits && key.find_first_not_of("0123456789abcdef") == key.npos &&
           rest.starts_with(suffix) &&
           rest.find_first_not_of(".0123456789", std::strlen(suffix)) == rest.npos;
}

/// The text after line splicing: lines ending in a backslash are joined with the next one.
std::string spliced(std::string_view text) {
    std::string joined;
    for (size_t at = 0; at < text.size(); ++at) {
        const std::string_view rest = text.substr(at);
        if (rest.starts_with("\\\n"))
            at += 1;
        else if (rest.starts_with("\\\r\n"))
            at += 2;
        else
            joined += text[at];
    }
    return joined;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

} // namespace

CompileCache::CompileCache(std::string directory, uint64_t max_bytes)
    : directory_(std::move(directory)), max_bytes_(max_bytes) {
    // Starts at a random phase, so that short processes take their turn at sweeping, too.
    unswept_bytes_ = static_cast<uint64_t>(getpid()) * 0x9e3779b9u % (max_bytes_ / 64 + 1);
}

std::string CompileCache::directory_from_environment() {
    if (const char *chosen = environment(Variable::cache))
        return std::string_view(chosen) == "off" ? "" : chosen;
    const auto variable = [](const char *name) {
        const char *value = foreign_environment(name);
        return std::string(value ? value : "");
    };
    // XDG base directory specification: relative paths are to be ignored.
    if (const std::string base = variable("XDG_CACHE_HOME"); base[0] == '/')
        return base + "/rivulet";
    if (const std::string home = variable("HOME"); home[0] == '/')
        return home + "/.cache/rivulet";
    return "";
}

std::optional<CompileCache::Key> CompileCache::key_of(const CompileRequest &request,
                                                      std::string_view compiler) const {
    if (directory_.empty() || includes_files(request.source, request.headers))
        return std::nullopt;
    Hasher hasher;
    hasher.add(compiler);
    hasher.add(RVL_COMPILE_VERSION);
    hasher.add(RVL_KERNEL_IMAGE_VERSION);
    hasher.add(request.kind);
    hasher.add(request.isa);
    hasher.add(request.vlen);
    hasher.add(request.core);
    hasher.add(request.options);
    hasher.add(request.source);
    hasher.add(request.headers.size());
    for (const CompileRequest::Header &header : request.headers) {
        if (includes_files(header.text, request.headers))
            return std::nullopt;
        hasher.add(header.name);
        hasher.add(header.text);
    }
    if (includes_files(request.instructions.text, {}))
        return std::nullopt;
    hasher.add(request.instructions.name);
    hasher.add(request.instructions.text);
    hasher.add(request.objects.size());
    for (const auto &object : request.objects)
        hasher.add(object);
    hasher.add(request.spirv);
    return hasher.key();
}

std::optional<CompileResult> CompileCache::find(const Key &key) const {
    const std::string path = path_of(key);
    struct stat status;
    const FileDescriptor file = open_own(AT_FDCWD, path.c_str(), status);
    if (!file)
        return std::nullopt;
    EntryHeader header;
    CompileResult result;
    const auto is_whole = [&] {
        if (!read_all(file.get(), &header, sizeof header) ||
            std::memcmp(header.magic, magic, sizeof magic) != 0 || header.key != key ||
            header.text_bytes > largest_entry || header.output_bytes > largest_entry ||
            sizeof header + header.text_bytes + header.output_bytes !=
                static_cast<uint64_t>(status.st_size))
            return false;
        result.text.resize(header.text_bytes);
        result.output.resize(header.output_bytes);
        return read_all(file.get(), result.text.data(), result.text.size()) &&
               read_all(file.get(), result.output.data(), result.output.size()) &&
               checksum_of(result) == header.checksum;
    };
    if (!is_whole()) {
        remove(key);
        return std::nullopt;
    }
    futimens(file.get(), nullptr); // marks it as recently used
    result.status = RVL_COMPILE_OK;
    return result;
}

void CompileCache::store(const Key &key, const CompileResult &result) {
    if (!make_directories(directory_))
        return;
    static std::atomic<unsigned> counter;
    const std::string path = path_of(key);
    const std::string aside = text({path, ".", getpid(), ".", counter++});
    FileDescriptor file(open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file)
        return;
    EntryHeader header{{}, key, result.text.size(), result.output.size(), checksum_of(result)};
    std::memcpy(header.magic, magic, sizeof magic);
    if (!may_have_file_of(sizeof header + header.text_bytes + header.output_bytes) ||
        !write_all(file.get(), &header, sizeof header) ||
        !write_all(file.get(), result.text.data(), result.text.size()) ||
        !write_all(file.get(), result.output.data(), result.output.size()) ||
        rename(aside.c_str(), path.c_str()) != 0) {
        unlink(aside.c_str());
        return;
    }
    unswept_bytes_ += sizeof header + header.text_bytes + header.output_bytes;
    if (unswept_bytes_ > max_bytes_ / 64) {
        unswept_bytes_ = 0;
        evict();
    }
}

void CompileCache::remove(const Key &key) const { unlink(path_of(key).c_str()); }

std::string CompileCache::path_of(const Key &key) const {
    char name[64];
    std::snprintf(name, sizeof name, "/%016llx%016llx.%u.rvl",
                  static_cast<unsigned long long>(key.high),
                  static_cast<unsigned long long>(key.low), geteuid());
    return directory_ + name;
}

/// Called if the cache is too large: removes the least recently used files, down to three quarters.
void CompileCache::evict() const {
    const std::unique_ptr<DIR, int (*)(DIR *)> directory(opendir(directory_.c_str()), closedir);
    if (!directory)
        return;
    struct Entry {
        timespec used;
        uint64_t bytes;
        std::string name;
    };
    std::vector<Entry> entries;
    uint64_t total = 0;
    const int fd = dirfd(directory.get());
    while (const dirent *found = readdir(directory.get())) {
        struct stat status;
        if (fstatat(fd, found->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(status.st_mode) || status.st_uid != geteuid() || !is_own_name(found->d_name))
            continue;
        entries.push_back({status.st_mtim, static_cast<uint64_t>(status.st_size), found->d_name});
        total += entries.back().bytes;
    }
    if (total <= max_bytes_)
        return;
    std::ranges::sort(entries, {}, [](const Entry &entry) {
        return std::pair(entry.used.tv_sec, entry.used.tv_nsec);
    });
    for (const Entry &entry : entries) {
        if (total <= max_bytes_ / 4 * 3)
            break;
        struct stat status;
        char start[sizeof magic];
        const FileDescriptor own = open_own(fd, entry.name.c_str(), status);
        if (own && read_all(own.get(), start, sizeof start) &&
            std::memcmp(start, magic, sizeof magic) == 0)
            unlinkat(fd, entry.name.c_str(), 0);
        total -= entry.bytes;
    }
}

bool includes_files(std::string_view source, std::span<const CompileRequest::Header> headers) {
    const std::string text = spliced(source);
    // include_next, and __has_include in all its forms, have no name directly after the word.
    for (const std::string_view word : {"include", "import", "embed"}) {
        for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
            const std::string_view before = std::string_view(text).substr(0, at);
            const size_t last = before.find_last_not_of(" \t\r\n");
            const std::string_view mark = before.substr(0, last == before.npos ? 0 : last + 1);
            // There are three ways to write #, possibly followed by a comment; otherwise it is just
            // a word.
            if (!mark.ends_with('#') && !mark.ends_with("%:") && !mark.ends_with("?\?=") &&
                !mark.ends_with("*/") && !before.ends_with("__has_"))
                continue;
            std::string_view rest = std::string_view(text).substr(at + word.size());
            while (!rest.empty() && is_blank(rest.front()))
                rest.remove_prefix(1);
            const char close = rest.starts_with('<') ? '>' : '"';
            if (!rest.starts_with('<') && !rest.starts_with('"'))
                return true; // a macro, a comment, include_next or __has_include
            const std::string_view name = rest.substr(1, rest.find(close, 1) - 1);
            if (std::ranges::find(headers, name, &CompileRequest::Header::name) == headers.end())
                return true;
        }
    }
    return false;
}

} // namespace rivulet

// SPDX-License-Identifier: Apache-2.0
//
// Files of the compile cache. The first byte says whether the rest is a whole file, or changes to
// one that was stored: an offset and a byte each. What is found then is what was stored, or
// nothing.
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>

#include "host-runtime/compile/cache.h"

namespace {

constexpr rivulet::CompileCache::Key key{1, 2};

/// The folder of this process; gone when it ends.
struct Folder {
    Folder() {
        if (!mkdtemp(path.data()))
            std::abort();
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string path = std::filesystem::temp_directory_path() / "rivulet-fuzz-XXXXXX";
};

const std::string &folder() {
    static const Folder folder;
    return folder.path;
}

int entry(int flags) {
    const std::string path =
        folder() + "/00000000000000020000000000000001." + std::to_string(geteuid()) + ".rvl";
    return open(path.c_str(), flags | O_CLOEXEC, 0600);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    static rivulet::CompileCache cache(folder());
    const bool is_changed = *data++ & 1;
    --size;
    rivulet::CompileResult stored;
    stored.text = "a warning";
    stored.output.assign(100, std::byte{42});
    if (is_changed)
        cache.store(key, stored);
    const int file = entry(is_changed ? O_WRONLY : O_WRONLY | O_CREAT | O_TRUNC);
    if (file < 0)
        std::abort();
    if (is_changed)
        for (; size >= 2; data += 2, size -= 2)
            (void)!pwrite(file, data + 1, 1, data[0]);
    else
        (void)!write(file, data, size);
    close(file);
    const auto found = cache.find(key);
    if (found && is_changed && (found->text != stored.text || found->output != stored.output))
        std::abort();
    cache.remove(key);
    return 0;
}

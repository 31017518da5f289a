// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/debug_files.h"

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <unistd.h>

#include "base/environment.h"
#include "base/error.h"

namespace rivulet::debug_files {
namespace {

/// DIRECTORY/PROCESS, the prefix of all names; empty if no files are kept.
const std::string &prefix() {
    static const std::string path = [] {
        const char *folder = environment(Variable::debug_files);
        return folder ? text({folder, "/", uint64_t(getpid())}) : std::string();
    }();
    return path;
}

std::string next_path(const char *extension) {
    static std::atomic<uint64_t> number = 0;
    return text({prefix(), "-", ++number, extension});
}

/// Write errors don't fail the program: only gdb needs these files.
void write(const std::string &path, const char *mode, std::span<const std::byte> bytes) {
    const std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), mode), std::fclose);
    if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
        std::fprintf(stderr, "rivulet: cannot write %s, see RIVULET_DEBUG_FILES\n", path.c_str());
}

} // namespace

bool wanted() { return !prefix().empty(); }

std::string keep_source(std::string_view source) {
    if (prefix().empty() || source.empty())
        return std::string(source);
    const std::string path = next_path(".cl");
    write(path, "w", std::as_bytes(std::span(source)));
    return text({"#line 1 \"", path, "\"\n"}).append(source);
}

std::string keep_image(const KernelImage &image, uint64_t base) {
    if (prefix().empty())
        return {};
    const std::string path = next_path(".rvk");
    write(path, "w", image.file());
    char command[64];
    std::snprintf(command, sizeof command, " -o 0x%" PRIx64 "\n", base);
    const std::string line = text({"add-symbol-file ", path, command});
    write(prefix() + ".gdb", "a", std::as_bytes(std::span(line)));
    return path;
}

} // namespace rivulet::debug_files

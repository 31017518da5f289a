// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/compile/compiler.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/error.h"
#include "hal/core/trace.h"

namespace rivulet {
namespace {

/// The directory above the one containing this library, or the program it is linked into.
std::string installation() {
    Dl_info info;
    std::string library;
    if (dladdr(reinterpret_cast<const void *>(&installation), &info) && info.dli_fname) {
        library = info.dli_fname;
    } else { // statically linked into a program
        char buffer[4096];
        const auto length = readlink("/proc/self/exe", buffer, sizeof buffer);
        library.assign(buffer, length > 0 ? static_cast<size_t>(length) : 0);
    }
    const size_t slash = library.rfind('/');
    return slash == library.npos ? ".." : library.substr(0, slash) + "/..";
}

std::string path_of_compiler() {
    const char *chosen = environment(Variable::compiler);
    if (chosen)
        return chosen;
    const std::string beside = installation() + "/bin/rivulet-cc";
    const std::string above = installation() + "/../bin/rivulet-cc"; // of lib/TRIPLE
    return access(beside.c_str(), F_OK) != 0 && access(above.c_str(), F_OK) == 0 ? above : beside;
}

/// The SPIR-V translator.
const char *path_of_translator() { return rvl_find_llvm_spirv(environment(Variable::llvm_spirv)); }

/// Appends data that changes when the file does, if it exists.
void append_identity(std::string &identity, const std::string &file) {
    struct stat status;
    if (stat(file.c_str(), &status) != 0)
        return;
    for (const auto number :
         {static_cast<uint64_t>(status.st_ino), static_cast<uint64_t>(status.st_size),
          static_cast<uint64_t>(status.st_mtim.tv_sec),
          static_cast<uint64_t>(status.st_mtim.tv_nsec)})
        identity += text({number, " "});
}

/// Calls `visit` with each element of a colon-separated list.
template <class F> void for_each_part(std::string_view list, F &&visit) {
    while (!list.empty()) {
        const std::string_view part = list.substr(0, list.find(':'));
        list.remove_prefix(std::min(part.size() + 1, list.size()));
        visit(part);
    }
}

CompileLimits limits_from_environment() {
    CompileLimits limits;
    if (const auto seconds = environment_number(Variable::compiler_seconds))
        limits.seconds = static_cast<uint32_t>(*seconds);
    if (const auto mebibytes = environment_number(Variable::compiler_memory))
        limits.memory_bytes = static_cast<uint64_t>(*mebibytes) << 20;
    return limits;
}

} // namespace

Compiler &Compiler::get() {
    // Never destroyed: the server exits along with the process, at the end of its standard input.
    static auto &compiler = *new Compiler(path_of_compiler(), limits_from_environment(),
                                          CompileCache::directory_from_environment());
    return compiler;
}

Compiler::Compiler(std::string path, CompileLimits limits, std::string cache_directory)
    : path_(path), first_identity_(identity()), server_(std::move(path), limits),
      cache_(std::move(cache_directory)) {}

bool Compiler::is_available() const {
    // A running server remains usable after the process has lost permission to execute it or access
    // to it.
    return faccessat(AT_FDCWD, path_.c_str(), X_OK, AT_EACCESS) == 0 || server_.is_running();
}

bool Compiler::takes_spirv() const {
    return is_available() && access(path_of_translator(), X_OK) == 0;
}

std::string Compiler::absence() const {
    const char *reason = access(path_.c_str(), X_OK) == 0 ? "" : std::strerror(errno);
    return text({"No compiler: ", path_, " cannot be executed (", reason,
                 "). Install rivulet-cc, set RIVULET_CC to its path, or create the program "
                 "from a binary created by rivulet-cc elsewhere."});
}

std::optional<CompileResult> Compiler::cached(const CompileRequest &request) const {
    const auto key = cache_.key_of(request, identity());
    return key ? cache_.find(*key) : std::nullopt;
}

CompileResult Compiler::run(const CompileRequest &request) {
    if (auto found = cached(request))
        return std::move(*found);
    return run_again(request);
}

CompileResult Compiler::run_again(const CompileRequest &request) {
    const hal::trace::Span span("compile");
    CompileResult result = server_.run(request);
    // A server continues when its program is replaced: its results must not be cached for the new
    // one.
    if (result.status == RVL_COMPILE_OK && identity() == first_identity_)
        if (const auto key = cache_.key_of(request, first_identity_))
            cache_.store(*key, result);
    return result;
}

std::string Compiler::symbolize(std::span<const std::byte> image, uint64_t address) {
    if (!is_available())
        return "";
    CompileRequest request;
    request.kind = RVL_FRAME_SYMBOLIZE;
    request.image = image;
    request.address = address;
    CompileResult result = server_.run(request);
    return result.status == RVL_COMPILE_OK ? std::move(result.text) : "";
}

/// Identifies the executable, its built-in library, and the shared libraries and tools it uses,
/// i.e. everything that changes with a new build. The loader takes a library from LD_LIBRARY_PATH
/// or from where the executable was linked, so all existing candidates count. Asking the compiler
/// itself would mean starting it even if the cache has everything.
std::string Compiler::identity() const {
    const size_t slash = path_.rfind('/');
    const std::string_view folder = std::string_view(path_).substr(0, slash + 1);
    constexpr std::string_view library = "../lib/rivulet/library/builtins";
    std::string identity;
    for (const std::string &file :
         {path_, text({folder, library, "64.a"}), text({folder, library, "32.a"})})
        append_identity(identity, file);
    const char *search = foreign_environment("LD_LIBRARY_PATH");
    for_each_part(RIVULET_CC_LIBRARIES, [&](std::string_view file) {
        append_identity(identity, std::string(file));
        for_each_part(search ? search : "", [&](std::string_view directory) {
            append_identity(identity, text({directory, file.substr(file.rfind('/'))}));
        });
    });
    append_identity(identity, path_of_translator());
    return identity;
}

} // namespace rivulet

// SPDX-License-Identifier: Apache-2.0
//
// Checks what an OpenCL program needs above the device: loader, library, compiler, cache.
#include <dlfcn.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/data_directory.h"
#include "base/environment.h"
#include "hal/core/config.h"
#include "hal/protocol/compile.h"
#include "tools/rivulet/doctor.h"
#include "tools/rivulet/process.h"

namespace rivulet::tools {
namespace {

namespace fs = std::filesystem;

std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }

std::string vendor_folder() {
    const char *named = foreign_environment("OCL_ICD_VENDORS");
    return named != nullptr && *named != 0 ? named : "/etc/OpenCL/vendors";
}

struct Vendor {
    fs::path file;
    std::string library;
};

/// The .icd files that the loader reads: those of a folder, or the one that OCL_ICD_VENDORS names,
/// which may also be a library.
std::vector<Vendor> vendors(const std::string &folder) {
    std::vector<Vendor> found;
    const auto add = [&](const fs::path &path) {
        std::ifstream file(path);
        std::string library;
        std::getline(file, library);
        found.push_back({path, library});
    };
    std::error_code none;
    if (folder.ends_with(".icd"))
        add(folder);
    else if (fs::is_regular_file(folder, none))
        found.push_back({folder, folder});
    for (const auto &entry : fs::directory_iterator(folder, none))
        if (entry.path().extension() == ".icd")
            add(entry.path());
    std::ranges::sort(found, {}, &Vendor::file);
    return found;
}

bool is_ours(const Vendor &vendor) {
    return vendor.library.find("librivulet") != std::string::npos;
}

fs::path cache_folder() {
    if (const char *named = environment(Variable::cache))
        return named;
    if (const char *base = foreign_environment("XDG_CACHE_HOME"); base != nullptr && *base == '/')
        return fs::path(base) / "rivulet";
    if (const char *home = foreign_environment("HOME"); home != nullptr && *home != 0)
        return fs::path(home) / ".cache/rivulet";
    return "";
}

} // namespace

void check_compiler(Findings &findings) {
    const char *named = environment(Variable::compiler);
    const std::string path = named != nullptr ? named : program_beside("rivulet-cc");
    const auto answer = output_of({path, "--version"});
    if (answer && answer->status == 0)
        findings.push_back({Finding::good, "compiler", first_line(answer->text), ""});
    else
        findings.push_back(
            {Finding::bad, "compiler",
             path + " is not there or doesn't run: programs come from binaries only",
             named != nullptr ? "unset RIVULET_CC" : "install the package rivulet-cc"});
    const char *translator = environment(Variable::llvm_spirv);
    if (access(rvl_find_llvm_spirv(translator), X_OK) != 0)
        findings.push_back(
            {Finding::optional, "SPIR-V",
             text({"no programs from SPIR-V: ",
                   translator != nullptr ? translator : "/usr/bin/llvm-spirv-15 … -22",
                   " is not there"}),
             translator != nullptr ? "unset RIVULET_LLVM_SPIRV"
                                   : "install the newest llvm-spirv that apt-cache search "
                                     "llvm-spirv shows, up to 22"});
}

void check_vendors(Findings &findings) {
    if (void *loader = dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_LOCAL))
        dlclose(loader);
    else
        findings.push_back({Finding::bad, "ICD loader", "libOpenCL.so.1 is not there",
                            "apt-get install ocl-icd-libopencl1"});
    const std::string folder = vendor_folder();
    const auto found = vendors(folder);
    const auto ours = std::ranges::find_if(found, is_ours);
    if (ours == found.end()) {
        const std::string library = find_data_directory() + "/../librivulet.so.1";
        findings.push_back({Finding::bad, "ICD", "no file in " + folder + " names librivulet.so.1",
                            text({"realpath ", fs::path(library).lexically_normal().string(),
                                  " > /etc/OpenCL/vendors/rivulet.icd"})});
    } else if (ours->library.front() == '/' && access(ours->library.c_str(), R_OK) != 0) {
        findings.push_back(
            {Finding::bad, "ICD",
             text({ours->file.string(), " names ", ours->library, ", which is not there"}),
             "install the package librivulet1, or correct the file"});
    } else {
        findings.push_back(
            {Finding::good, "ICD", ours->file.string() + " names " + ours->library, ""});
    }
    for (const Vendor &vendor : found)
        if (!is_ours(vendor))
            findings.push_back(
                {Finding::optional, "other ICD",
                 text({vendor.file.string(), " names ", vendor.library,
                       ": programs that take the first platform may get that one"}),
                 ours != found.end()
                     ? "export OCL_ICD_VENDORS=" + ours->file.string()
                     : "export OCL_ICD_VENDORS=FOLDER, one that has rivulet.icd alone"});
}

void check_cache(Findings &findings) {
    const fs::path folder = cache_folder();
    if (folder == "off") {
        findings.push_back({Finding::optional, "cache", "off: each process recompiles its kernels",
                            "unset RIVULET_CACHE"});
        return;
    }
    if (folder.empty()) {
        findings.push_back({Finding::optional, "cache", "neither HOME nor XDG_CACHE_HOME is set",
                            "export RIVULET_CACHE=FOLDER"});
        return;
    }
    // The first part that exists is what has to be writable.
    fs::path exists = folder;
    std::error_code none;
    while (!exists.empty() && !fs::exists(exists, none))
        exists = exists.has_parent_path() ? exists.parent_path() : ".";
    struct statvfs room{};
    constexpr uint64_t least = 64u << 20;
    if (!fs::is_directory(exists, none))
        findings.push_back({Finding::bad, "cache",
                            exists.string() + " can't be written: it is no folder",
                            "export RIVULET_CACHE=FOLDER, one of yours"});
    else if (access(exists.c_str(), W_OK | X_OK) != 0)
        findings.push_back({Finding::bad, "cache",
                            exists.string() + " can't be written: " + errno_text(errno),
                            "export RIVULET_CACHE=FOLDER, one of yours"});
    else if (statvfs(exists.c_str(), &room) == 0 && uint64_t{room.f_bavail} * room.f_frsize < least)
        findings.push_back(
            {Finding::optional, "cache", exists.string() + " is full", "rm -r " + folder.string()});
    else
        findings.push_back({Finding::good, "cache", folder.string(), ""});
}

} // namespace rivulet::tools

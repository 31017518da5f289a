// SPDX-License-Identifier: Apache-2.0
//
// rivulet-compile-bench FILE…: what building an OpenCL C file takes, warm, in milliseconds, as
// JSON: rivulet-cc's whole way to an image, and bare clang in the same process to RISC-V object
// code by -O2. Each sample is a child of a warm parent, as in rivulet-cc --serve; the median of
// them.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>

#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <nlohmann/json.hpp>

#include "compiler/compile.h"
#include "compiler/target.h"

namespace {

constexpr unsigned samples = 7;
constexpr char isa[] = "rv64gcv_zfh_zvfh_zba_zbb_zbs";

bool build(const std::string &path, const std::string &text) {
    rivulet::compiler::Job job;
    job.source = {path, text, {}};
    job.options = "-cl-std=CL3.0 -w";
    job.isa = isa;
    job.vlen = 512;
    return rivulet::compiler::run(job).status == RVL_COMPILE_OK;
}

bool bare_clang(const std::string &path) {
    const char *arguments[] = {"-triple",
                               "riscv64-unknown-elf",
                               "-emit-obj",
                               "-x",
                               "cl",
                               "-cl-std=CL3.0",
                               "-O2",
                               "-w",
                               "-fdeclare-opencl-builtins",
                               "-finclude-default-header",
                               "-resource-dir",
                               RIVULET_RESOURCE_DIR,
                               "-target-feature",
                               "+m",
                               "-target-feature",
                               "+a",
                               "-target-feature",
                               "+f",
                               "-target-feature",
                               "+d",
                               "-target-feature",
                               "+c",
                               "-target-feature",
                               "+v",
                               "-target-feature",
                               "+zvfh",
                               "-target-abi",
                               "lp64d",
                               "-vectorize-loops",
                               "-vectorize-slp",
                               "-o",
                               "/dev/null",
                               path.c_str()};
    clang::DiagnosticOptions options;
    clang::TextDiagnosticPrinter printer(llvm::errs(), options);
    auto diagnostics = clang::CompilerInstance::createDiagnostics(*llvm::vfs::getRealFileSystem(),
                                                                  options, &printer, false);
    auto invocation = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments, *diagnostics))
        return false;
    clang::CompilerInstance compiler(std::move(invocation));
    compiler.setVirtualFileSystem(llvm::vfs::getRealFileSystem());
    compiler.createDiagnostics();
    clang::EmitObjAction action;
    return compiler.ExecuteAction(action);
}

double median_ms(const std::function<bool()> &work) {
    std::vector<double> times;
    for (unsigned i = 0; i < samples; ++i) {
        const pid_t child = fork();
        if (child == 0)
            _exit(work() ? 0 : 1);
        int status = 0;
        rusage usage;
        if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) {
            std::cerr << "rivulet-compile-bench: a build failed\n";
            std::exit(1);
        }
        auto ms = [](const timeval &time) {
            return double(time.tv_sec) * 1e3 + double(time.tv_usec) / 1e3;
        };
        times.push_back(ms(usage.ru_utime) + ms(usage.ru_stime));
    }
    std::nth_element(times.begin(), times.begin() + samples / 2, times.end());
    return times[samples / 2];
}

} // namespace

int main(int count, char **words) {
    rivulet::compiler::initialise_targets();
    nlohmann::json rows;
    for (int i = 1; i < count; ++i) {
        const std::string path = words[i];
        std::ifstream file(path);
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        if (i == 1) // warms the parent
            build(path, text), bare_clang(path);
        rows.push_back({{"file", path},
                        {"ours_ms", median_ms([&] { return build(path, text); })},
                        {"clang_ms", median_ms([&] { return bare_clang(path); })}});
    }
    std::cout << rows.dump(2) << '\n';
}

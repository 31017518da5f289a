// SPDX-License-Identifier: Apache-2.0
//
// rivulet-compile-bench FILE…: the warm processor time for building an OpenCL C file, in
// milliseconds, as JSON; medians.
//
//   ours_ms         a job of `rivulet-cc --serve` that has done others before, in all of its
//                   processes: source to kernel image, with the lines that reports of faults want
//   clang_child_ms  bare clang, called as a library in a child of a process that did so before:
//                   source to RISC-V object code by -O2, without debug information
//   clang_ms        the same, again and again in one process
//
// All read the same small header, opencl-c-base.h, and clang's table of built-in functions; ours,
// as all jobs but the first with the same options, reads the header as a syntax tree. What clang
// generates is one work-item, with calls of undefined built-in functions.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <span>
#include <vector>

#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <nlohmann/json.hpp>

#include "compiler/codegen/target.h"
#include "host-runtime/compile/server.h"

namespace {

constexpr unsigned samples = 15;

[[noreturn]] void give_up(const std::string &why) {
    std::cerr << "rivulet-compile-bench: " << why << '\n';
    std::exit(1);
}

// The processor time that a process and its children have used so far.
double processor_ms(pid_t process) {
    const std::string folder = "/proc/" + std::to_string(process);
    double nanoseconds = 0;
    if (!(std::ifstream(folder + "/schedstat") >> nanoseconds))
        give_up("this system doesn't tell the processor time of processes (schedstat)");
    std::ifstream children(folder + "/task/" + std::to_string(process) + "/children");
    double total = nanoseconds / 1e6;
    for (pid_t child; children >> child;)
        total += processor_ms(child);
    return total;
}

// A job of the server's.
class Build {
public:
    explicit Build(std::string_view text) {
        request_.isa = "rv64gcv_zfh_zvfh_zba_zbb_zbs";
        request_.vlen = 512;
        request_.options = "-cl-std=CL3.0 -w";
        request_.source = text;
    }

    double operator()() {
        const double before = started_ ? server_ms() : 0;
        const rivulet::CompileResult result = server_.run(request_);
        if (result.status != RVL_COMPILE_OK)
            give_up("a build failed: " + result.text);
        started_ = true;
        return server_ms() - before;
    }

private:
    // The server is this process' only child.
    static double server_ms() {
        pid_t server = 0;
        std::ifstream("/proc/thread-self/children") >> server;
        return processor_ms(server);
    }

    rivulet::CompileServer server_{
        std::filesystem::read_symlink("/proc/self/exe").replace_filename("rivulet-cc"), {}};
    rivulet::CompileRequest request_;
    bool started_ = false;
};

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

double used_ms(const rusage &usage) {
    const auto ms = [](const timeval &time) {
        return double(time.tv_sec) * 1e3 + double(time.tv_usec) / 1e3;
    };
    return ms(usage.ru_utime) + ms(usage.ru_stime);
}

double own_ms() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return used_ms(usage);
}

double clang_here(const std::string &path) {
    const double before = own_ms();
    if (!bare_clang(path))
        give_up("clang failed");
    return own_ms() - before;
}

double clang_in_child(const std::string &path) {
    const pid_t child = fork();
    if (child == 0)
        _exit(bare_clang(path) ? 0 : 1);
    int status = 0;
    rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0)
        give_up("clang failed");
    return used_ms(usage);
}

double median(std::vector<double> times) {
    std::ranges::nth_element(times, times.begin() + samples / 2);
    return times[samples / 2];
}

} // namespace

int main(int count, char **words) {
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); // to adopt the compiler
    rivulet::compiler::initialise_targets();
    nlohmann::json rows;
    for (const std::string path : std::span(words + 1, words + count)) {
        if (std::filesystem::is_directory(path)) {
            std::cerr << path << " is a folder: name its files\n";
            return 2;
        }
        std::ifstream file(path);
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        Build build(text);
        std::vector<double> ours, here, child;
        // One after the other, so that all see the same machine; the first ones warm up.
        for (unsigned i = 0; i < samples + 2; ++i) {
            ours.push_back(build());
            here.push_back(clang_here(path));
            child.push_back(clang_in_child(path));
        }
        for (auto *times : {&ours, &here, &child})
            times->erase(times->begin(), times->begin() + 2);
        rows.push_back({{"file", path},
                        {"ours_ms", median(ours)},
                        {"clang_ms", median(here)},
                        {"clang_child_ms", median(child)}});
    }
    std::cout << rows.dump(2) << '\n';
}

// SPDX-License-Identifier: Apache-2.0
//
// rivulet-opt: runs passes of the compiler, ours and LLVM's, on LLVM IR.
#include <cstdlib>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/ToolOutputFile.h>
#include <llvm/Support/WithColor.h>

#include "compiler/codegen/target.h"
#include "compiler/support/analysis_managers.h"
#include "compiler/support/passes.h"
#include "compiler/support/verification.h"

namespace cl = llvm::cl;
using namespace rivulet::compiler;

namespace {

cl::OptionCategory category("rivulet-opt");
cl::opt<std::string> input(cl::Positional, cl::desc("FILE.ll"), cl::init("-"), cl::cat(category));
cl::opt<std::string> output("o", cl::desc("Where the result goes (default: standard output)"),
                            cl::value_desc("FILE"), cl::init("-"), cl::cat(category));
cl::opt<std::string> pipeline("passes", cl::desc("Passes, separated by commas, as opt takes them"),
                              cl::cat(category));
cl::opt<std::string> isa("target", cl::desc("ISA string of the device"),
                         cl::init(std::string(default_isa)), cl::cat(category));
cl::opt<unsigned> vlen("vlen", cl::desc("Exact vector length in bits"), cl::cat(category));
cl::opt<bool> print_passes("print-passes", cl::desc("Print the names of rivulet-cc's own passes"),
                           cl::cat(category));
cl::opt<bool> verify_each("verify-each", cl::desc("Verify the code after each pass"),
                          cl::cat(category));

// For tests of the verifier: an instruction before its operand.
bool make_invalid(llvm::Function &function) {
    llvm::BasicBlock &entry = function.getEntryBlock();
    entry.front().moveAfter(&*std::next(entry.begin()));
    return true;
}
const OwnPass invalid = transform_pass<"rvl-test-invalid", make_invalid>();

int fail(const llvm::Twine &why) {
    llvm::WithColor::error(llvm::errs(), "rivulet-opt") << why << '\n';
    return 1;
}

int run() {
    switch_verification(verify_each);
    llvm::install_fatal_error_handler([](void *, const char *reason, bool) {
        llvm::errs() << "rivulet-opt: " << reason << '\n';
        exit(1);
    });
    auto target = make_target(isa, vlen);
    if (!target)
        return fail(target.error());
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseIRFile(input, diagnostic, context);
    if (!module) {
        diagnostic.print("rivulet-opt", llvm::errs());
        return 1;
    }
    if (module->getTargetTriple().empty()) {
        module->setTargetTriple(target->machine->getTargetTriple());
        module->setDataLayout(target->machine->createDataLayout());
    }
    Analyses analyses(*target);
    llvm::StandardInstrumentations instrumentations(context, /*DebugLogging=*/false);
    instrumentations.registerCallbacks(analyses.callbacks, &analyses.modules);
    add_own_passes(analyses.builder);
    llvm::ModulePassManager passes;
    if (llvm::Error error = analyses.builder.parsePassPipeline(passes, pipeline))
        return fail(llvm::toString(std::move(error)) +
                    "; --print-passes lists rivulet-cc's own, opt-22 --print-passes LLVM's");
    passes.run(*module, analyses.modules);
    std::string complaints;
    llvm::raw_string_ostream stream(complaints);
    if (llvm::verifyModule(*module, &stream))
        return fail("the passes made invalid code: " + complaints);
    std::error_code error;
    llvm::ToolOutputFile file(output, error, llvm::sys::fs::OF_Text);
    if (error)
        return fail("cannot write '" + output + "': " + error.message());
    module->print(file.os(), nullptr);
    file.keep();
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    initialise_targets();
    cl::ParseCommandLineOptions(
        argc, argv,
        "Runs passes of rivulet-cc and of LLVM on LLVM IR.\n\n"
        "  rivulet-opt -passes=rvl-switch-to-compares,simplifycfg kernel.ll\n"
        "  rivulet-opt -passes=rvl-stage-canonicalise -print-after-all kernel.ll\n\n"
        "-rvl-disable-pass=NAME leaves passes out; -print-after=NAME, -opt-bisect-limit=N,\n"
        "-time-passes and others are LLVM's (--help-hidden).\n");
    if (print_passes) {
        std::vector<llvm::StringRef> names;
        for (const OwnPass &pass : own_passes())
            names.push_back(pass.name);
        llvm::sort(names);
        for (llvm::StringRef name : names)
            llvm::outs() << name << '\n';
        return 0;
    }
    return run();
}

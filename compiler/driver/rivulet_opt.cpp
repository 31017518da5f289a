// SPDX-License-Identifier: Apache-2.0
//
// rivulet-opt: runs passes of the compiler, ours and LLVM's, on LLVM IR or on machine code.
#include <cstdlib>

#include <llvm/CodeGen/CodeGenTargetMachineImpl.h>
#include <llvm/CodeGen/MIRParser/MIRParser.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassTimingInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/InitializePasses.h>
#include <llvm/PassInfo.h>
#include <llvm/PassRegistry.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/ToolOutputFile.h>
#include <llvm/Support/WithColor.h>

#include "compiler/codegen/target.h"
#include "compiler/frontend/kernel_metadata.h"
#include "compiler/rvv/machine/machine_passes.h"
#include "compiler/support/analysis_managers.h"
#include "compiler/support/kernel_state.h"
#include "compiler/support/passes.h"
#include "compiler/support/program_pass.h"
#include "compiler/support/verification.h"

namespace cl = llvm::cl;
using namespace rivulet::compiler;

namespace {

cl::OptionCategory category("rivulet-opt");
cl::opt<std::string> input(cl::Positional, cl::desc("FILE.ll or FILE.mir"), cl::init("-"),
                           cl::cat(category));
cl::opt<std::string> output("o", cl::desc("Where the result goes (default: standard output)"),
                            cl::value_desc("FILE"), cl::init("-"), cl::cat(category));
cl::opt<std::string> pipeline("passes", cl::desc("Passes, separated by commas, as opt takes them"),
                              cl::cat(category));
cl::list<std::string> machine_pipeline(
    "run-pass", cl::CommaSeparated, cl::cat(category),
    cl::desc("Passes of machine code, separated by commas, that run on a .mir file"));
cl::opt<std::string> isa("target", cl::desc("ISA string of the device"),
                         cl::init(std::string(default_isa)), cl::cat(category));
cl::opt<unsigned> vlen("vlen", cl::desc("Exact vector length in bits"), cl::cat(category));
cl::opt<bool> print_passes("print-passes", cl::desc("Print the names of rivulet-cc's own passes"),
                           cl::cat(category));
cl::opt<bool> print_machine_passes("print-machine-passes",
                                   cl::desc("Print the names of those on machine code"),
                                   cl::cat(category));
cl::opt<bool> discard_names("discard-value-names",
                            cl::desc("Give values that passes create no names"), cl::cat(category));
cl::opt<bool> verify_each("verify-each", cl::desc("Verify the code after each pass"),
                          cl::cat(category));

// For tests of the verifier: moves an instruction before its operand.
struct TestInvalidPass : llvm::PassInfoMixin<TestInvalidPass> {
    static llvm::StringRef name() { return "TestInvalidPass"; }
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
        llvm::BasicBlock &entry = function.getEntryBlock();
        entry.front().moveAfter(&*std::next(entry.begin()));
        return llvm::PreservedAnalyses::none();
    }
};
constexpr llvm::StringRef test_invalid = "rvl-test-invalid";

int fail(const llvm::Twine &why) {
    llvm::WithColor::error(llvm::errs(), "rivulet-opt") << why << '\n';
    return 1;
}

// Does what llc -run-pass does: runs the passes named, and prints the code as MIR.
int run_on_machine_code(const Target &target) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    auto parser = llvm::createMIRParserFromFile(input, diagnostic, context);
    if (!parser) {
        diagnostic.print("rivulet-opt", llvm::errs());
        return 1;
    }
    auto &machine = static_cast<llvm::CodeGenTargetMachineImpl &>(*target.machine);
    std::unique_ptr<llvm::Module> module =
        parser->parseIRModule([&](llvm::StringRef, llvm::StringRef) {
            return std::optional(machine.createDataLayout().getStringRepresentation());
        });
    if (!module)
        return 1;
    module->setTargetTriple(machine.getTargetTriple());
    std::error_code error;
    llvm::ToolOutputFile file(output, error, llvm::sys::fs::OF_Text);
    if (error)
        return fail("cannot write '" + output + "': " + error.message());
    llvm::legacy::PassManager passes;
    auto *info = new llvm::MachineModuleInfoWrapperPass(&machine);
    llvm::TargetPassConfig *config = machine.createPassConfig(passes);
    passes.add(config);
    passes.add(info);
    for (const std::string &name : machine_pipeline) {
        const llvm::PassInfo *pass =
            llvm::PassRegistry::getPassRegistry()->getPassInfo(llvm::StringRef(name));
        if (!pass || !pass->getNormalCtor())
            return fail("no pass of machine code is called '" + name +
                        "'; --print-machine-passes lists rivulet-cc's own");
        passes.add(pass->createPass());
        if (verify_each)
            passes.add(llvm::createMachineVerifierPass("rivulet-opt: after " + name));
    }
    config->setInitialized();
    passes.add(llvm::createPrintMIRPass(file.os()));
    passes.add(llvm::createFreeMachineFunctionPass());
    if (parser->parseMachineFunctions(*module, info->getMMI()))
        return 1;
    passes.run(*module);
    llvm::reportAndResetTimings(); // -time-passes
    file.keep();
    return 0;
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
    if (!machine_pipeline.empty())
        return run_on_machine_code(*target);
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseIRFile(input, diagnostic, context);
    if (!module) {
        diagnostic.print("rivulet-opt", llvm::errs());
        return 1;
    }
    context.setDiscardValueNames(discard_names);
    if (module->getTargetTriple().empty()) {
        module->setTargetTriple(target->machine->getTargetTriple());
        module->setDataLayout(target->machine->createDataLayout());
    }
    Program program;
    program.kernels = saved_kernels(*module);
    if (program.kernels.empty())
        program.kernels = find_kernels(*module);
    program.module = std::move(module);
    Analyses analyses(*target);
    analyses.modules.registerPass([&] { return ProgramAnalysis(program, *target); });
    llvm::StandardInstrumentations instrumentations(context, /*DebugLogging=*/false);
    instrumentations.registerCallbacks(analyses.callbacks, &analyses.modules);
    analyses.callbacks.addClassToPassName(TestInvalidPass::name(), test_invalid);
    analyses.builder.registerPipelineParsingCallback(
        [](llvm::StringRef name, llvm::FunctionPassManager &manager,
           llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
            if (name == test_invalid && !is_disabled(name))
                manager.addPass(TestInvalidPass());
            return name == test_invalid;
        });
    llvm::ModulePassManager passes;
    if (llvm::Error error = analyses.builder.parsePassPipeline(passes, pipeline))
        return fail(llvm::toString(std::move(error)) +
                    "; --print-passes lists rivulet-cc's own, opt-22 --print-passes LLVM's");
    passes.run(*program.module, analyses.modules);
    if (!program.error.empty())
        return fail(program.error);
    instrumentations.getTimePasses().print();
    std::string complaints;
    llvm::raw_string_ostream stream(complaints);
    if (llvm::verifyModule(*program.module, &stream))
        return fail("the passes made invalid code: " + complaints);
    std::error_code error;
    llvm::ToolOutputFile file(output, error, llvm::sys::fs::OF_Text);
    if (error)
        return fail("cannot write '" + output + "': " + error.message());
    program.module->print(file.os(), nullptr);
    file.keep();
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    initialise_targets();
    llvm::initializeCodeGen(*llvm::PassRegistry::getPassRegistry());
    register_machine_passes();
    cl::ParseCommandLineOptions(
        argc, argv,
        "Runs passes of rivulet-cc and of LLVM on LLVM IR or on machine code.\n\n"
        "  rivulet-opt -passes=rvl-switch-to-compares,simplifycfg kernel.ll\n"
        "  rivulet-opt -passes=rvl-stage-canonicalise -print-after-all kernel.ll\n"
        "  rivulet-opt -run-pass=rvl-vtype-policy-merging kernel.mir\n\n"
        "-rvl-disable-pass=NAME leaves passes out; -print-after=NAME, -opt-bisect-limit=N,\n"
        "-time-passes and others are LLVM's (--help-hidden).\n");
    if (print_passes || print_machine_passes) {
        std::vector<llvm::StringRef> names;
        if (print_passes) {
            llvm::append_range(names, own_passes());
            names.push_back(test_invalid);
        }
        if (print_machine_passes)
            for (const MachinePassInfo &pass : machine_passes())
                names.push_back(pass.name);
        llvm::sort(names);
        for (llvm::StringRef name : names)
            llvm::outs() << name << '\n';
        return 0;
    }
    return run();
}

// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/verification.h"

#include <cstdlib>
#include <string_view>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LazyCallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>

namespace rivulet::compiler {
namespace {

bool is_on = false;

bool environment_asks() {
    const char *value = secure_getenv("RIVULET_VERIFY");
    return value && *value && std::string_view(value) != "0";
}

bool is_composite(llvm::StringRef pass) {
    return isSpecialPass(
        pass, {"PassManager", "PassAdaptor", "DevirtSCCRepeatedPass", "ModuleInlinerWrapperPass"});
}

// The parts of a kernel share its subprogram until they are one function again, which the verifier
// counts as invalid debug information of the module.
bool parts_share_subprograms(const llvm::Module &module) {
    llvm::SmallPtrSet<const llvm::DISubprogram *, 16> seen;
    return llvm::any_of(module, [&](const llvm::Function &function) {
        const llvm::DISubprogram *subprogram = function.getSubprogram();
        return subprogram && !seen.insert(subprogram).second;
    });
}

bool is_broken(const llvm::Module &module, llvm::raw_ostream &complaints) {
    if (!parts_share_subprograms(module))
        return verifyModule(module, &complaints);
    bool broken_debug_information = false;
    std::string shared;
    llvm::raw_string_ostream ignored(shared);
    const bool is_broken = verifyModule(module, &ignored, &broken_debug_information);
    // Each function by itself shows the same flaws, without the harmless one that would come first.
    const bool has_broken_function = llvm::any_of(module, [&](const llvm::Function &function) {
        return !function.isDeclaration() && verifyFunction(function, &complaints);
    });
    if (is_broken && !has_broken_function)
        complaints << shared;
    return is_broken || has_broken_function;
}

bool is_broken(const llvm::Function &function, llvm::raw_ostream &complaints) {
    return verifyFunction(function, &complaints);
}

template <class Code> void verify(llvm::StringRef pass, const Code &code) {
    std::string complaints;
    llvm::raw_string_ostream stream(complaints);
    if (!is_broken(code, stream))
        return;
    const std::string what = "internal compiler error: " + pass.str() + " made invalid code";
    llvm::report_fatal_error(
        llvm::Twine(what + " of '" + code.getName().str() + "': " + complaints),
        /*gen_crash_diag=*/false);
}

} // namespace

void switch_verification(bool asked_for) { is_on = asked_for || environment_asks(); }
bool verification_is_on() { return is_on; }

void verify_after(llvm::StringRef pass, const llvm::Function &function) {
    if (is_on && !function.isDeclaration())
        verify(pass, function);
}

void verify_after(llvm::StringRef pass, const llvm::Module &module) {
    if (is_on)
        verify(pass, module);
}

void verify_after_each(llvm::PassInstrumentationCallbacks &callbacks) {
    callbacks.registerAfterPassCallback([&callbacks](llvm::StringRef pass, llvm::Any code,
                                                     const llvm::PreservedAnalyses &preserved) {
        // Code that a pass left as it was has been verified, and so has that of a pass manager,
        // after the last of its passes. (A pass that changes code and denies it is blamed on
        // the next one that doesn't.)
        if (preserved.areAllPreserved() || is_composite(pass))
            return;
        if (const llvm::StringRef name = callbacks.getPassNameForClassName(pass); !name.empty())
            pass = name;
        if (auto *function = llvm::any_cast<const llvm::Function *>(&code))
            verify_after(pass, **function);
        else if (auto *loop = llvm::any_cast<const llvm::Loop *>(&code))
            verify_after(pass, *(*loop)->getHeader()->getParent());
        else if (auto *module = llvm::any_cast<const llvm::Module *>(&code))
            verify_after(pass, **module);
        else if (auto *component = llvm::any_cast<const llvm::LazyCallGraph::SCC *>(&code))
            for (llvm::LazyCallGraph::Node &node : **component)
                verify_after(pass, node.getFunction());
    });
}

} // namespace rivulet::compiler

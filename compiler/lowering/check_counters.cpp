// SPDX-License-Identifier: Apache-2.0
//
// Checks the rules of cl_ext_atomic_counters_32 and _64 that clang doesn't: a kernel increments or
// decrements a counter, itself or in the functions that it calls, but not both, and has no more
// counters than the launch's words. Follows counters through calls and through the stack slots of
// parameters, so it runs on clang's code. Inlining would lose the lines that the error names.
//
// Without this pass a kernel that breaks the rules is built, and the host reads a wrong count.
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/lowering/atomic_counters.h"
#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(CheckCountersPass);

namespace {

std::string location_of(const llvm::Instruction &instruction) {
    const llvm::DILocation *location = instruction.getDebugLoc();
    return location ? llvm::formatv("{}:{}:{}", location->getFilename(), location->getLine(),
                                    location->getColumn())
                          .str()
                    : "";
}

// Follows counters from a kernel's arguments into the functions that it calls.
class Counting {
public:
    // The first increment, the first decrement, and the first use that is not allowed.
    struct Uses {
        const llvm::Instruction *up = nullptr;
        const llvm::Instruction *down = nullptr;
        const llvm::Instruction *misuse = nullptr;
    };

    Uses of(const llvm::Argument &counter) {
        auto [known, is_new] = known_.try_emplace(&counter);
        if (!is_new) // recursion is reported as a separate error
            return known->second;
        Uses uses;
        follow(counter, uses);
        return known_[&counter] = uses;
    }

private:
    void follow(const llvm::Value &counter, Uses &uses) {
        for (const llvm::Use &use : counter.uses()) {
            const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
            auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
            if (store && llvm::isa<llvm::AllocaInst>(store->getPointerOperand())) {
                // Clang stores each parameter to a stack slot first.
                for (const llvm::User *other : store->getPointerOperand()->users())
                    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(other))
                        follow(*load, uses);
            } else if (auto *call = llvm::dyn_cast<llvm::CallInst>(user);
                       call && call->getCalledFunction()) {
                pass(*call, call->getArgOperandNo(&use), uses);
            } else if (!uses.misuse) { // captured by a block, for example
                uses.misuse = user;
            }
        }
    }

    void pass(const llvm::CallInst &call, unsigned parameter, Uses &uses) {
        const llvm::Function *callee = call.getCalledFunction();
        Uses inside;
        if (is_count(*callee, "atomic_inc"))
            inside.up = &call;
        else if (is_count(*callee, "atomic_dec"))
            inside.down = &call;
        else if (!callee->isDeclaration())
            inside = of(*callee->getArg(parameter));
        auto keep_first = [](auto *&first, auto *other) { first = first ? first : other; };
        keep_first(uses.up, inside.up);
        keep_first(uses.down, inside.down);
        keep_first(uses.misuse, inside.misuse);
    }

    llvm::DenseMap<const llvm::Argument *, Uses> known_;
};

// The error for the build log, or "".
std::string misuse_of_counters(const Program &program) {
    Counting counting;
    for (const Kernel &kernel : program.kernels) {
        size_t counters = 0;
        for (const llvm::Argument &value : kernel.function->args()) {
            if (kernel.arguments[value.getArgNo()].kind != RVL_ARGUMENT_COUNTER)
                continue;
            ++counters;
            const Counting::Uses uses = counting.of(value);
            if (uses.misuse)
                return location_of(*uses.misuse) +
                       ": error: an atomic counter can only be given to a function "
                       "as it is\n";
            if (uses.up && uses.down)
                return llvm::formatv(
                           "{}: error: kernel '{}' decrements its atomic counter '{}' that "
                           "it increments at {}; it may do only one\n",
                           location_of(*uses.down), kernel.name,
                           kernel.arguments[value.getArgNo()].name, location_of(*uses.up))
                    .str();
        }
        if (counters > RVL_MAX_COUNTERS)
            return llvm::formatv("error: kernel '{}' has {} atomic counters, {} are possible\n",
                                 kernel.name, counters, RVL_MAX_COUNTERS)
                .str();
    }
    return "";
}

} // namespace

void CheckCountersPass::lower(Program &program, const Target &, llvm::ModuleAnalysisManager &) {
    program.error = misuse_of_counters(program);
}

} // namespace rivulet::compiler

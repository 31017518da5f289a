// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/atomic_counter_lowering.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/work_items/work_group_builtin_table.h"

namespace rivulet::compiler {
namespace {

using llvm::StringRef;

std::string location_of(const llvm::Instruction &instruction) {
    const llvm::DILocation *location = instruction.getDebugLoc();
    return location ? llvm::formatv("{}:{}:{}", location->getFilename(), location->getLine(),
                                    location->getColumn())
                          .str()
                    : "";
}

bool is_count(const llvm::Function &function, StringRef name) {
    return function.isDeclaration() && unmangled_name(function.getName()) == name &&
           mangled_parameters(function.getName()).contains("msaa");
}

// Follows counters from a kernel's arguments into the functions that it calls.
class Counting {
public:
    // The first of each: an increment, a decrement, what is not allowed.
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
                // A parameter's slot on the stack, as clang makes one for each.
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

void lower(llvm::Function &function, llvm::AtomicRMWInst::BinOp operation) {
    for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
        auto *call = llvm::cast<llvm::CallInst>(user);
        llvm::IRBuilder<> builder(call);
        const unsigned bytes = call->getType()->getIntegerBitWidth() / 8;
        call->replaceAllUsesWith(builder.CreateAtomicRMW(
            operation, call->getArgOperand(0), llvm::ConstantInt::get(call->getType(), 1),
            llvm::Align(bytes), llvm::AtomicOrdering::Monotonic));
        call->eraseFromParent();
    }
    function.eraseFromParent();
}

} // namespace

uint32_t counter_bytes(const llvm::Type &type) {
    auto *image = llvm::dyn_cast<llvm::TargetExtType>(&type);
    // The integer parameters of SPIR-V's OpTypeImage: dimension, depth, arrayed, multi-sampled, …
    if (!image || image->getName() != "spirv.Image" || image->getIntParameter(3) == 0)
        return 0;
    return image->getIntParameter(2) ? 8 : 4;
}

std::expected<void, std::string> check_counters(const Program &program) {
    Counting counting;
    for (const Kernel &kernel : program.kernels) {
        size_t counters = 0;
        for (const llvm::Argument &value : kernel.function->args()) {
            if (kernel.arguments[value.getArgNo()].kind != RVL_ARGUMENT_COUNTER)
                continue;
            ++counters;
            const Counting::Uses uses = counting.of(value);
            if (uses.misuse)
                return std::unexpected(location_of(*uses.misuse) +
                                       ": error: an atomic counter can only be given to a function "
                                       "as it is\n");
            if (uses.up && uses.down)
                return std::unexpected(
                    llvm::formatv("{}: error: kernel '{}' decrements its atomic counter '{}' that "
                                  "it increments at {}; it may do only one\n",
                                  location_of(*uses.down), kernel.name,
                                  kernel.arguments[value.getArgNo()].name, location_of(*uses.up))
                        .str());
        }
        if (counters > RVL_MAX_COUNTERS)
            return std::unexpected(
                llvm::formatv("error: kernel '{}' has {} atomic counters, {} are possible\n",
                              kernel.name, counters, RVL_MAX_COUNTERS)
                    .str());
    }
    return {};
}

void lower_counters(Program &program) {
    for (llvm::Function &function : llvm::make_early_inc_range(*program.module)) {
        if (is_count(function, "atomic_inc"))
            lower(function, llvm::AtomicRMWInst::Add);
        else if (is_count(function, "atomic_dec"))
            lower(function, llvm::AtomicRMWInst::Sub);
    }
}

} // namespace rivulet::compiler

// SPDX-License-Identifier: Apache-2.0
//
// Lowers printf (6.12.13): a call stores a record into the launch's ring, which
// hal/protocol/printf.h draws, and the host formats it. Harts of a launch share the ring, so a
// record first takes its bytes by an atomic addition; if they are beyond the end, the call counts
// as lost and returns -1.
//
// Runs on lowered kernels, whose parameters are the launch record, words and frame. Formats are
// addresses in the image, relative to its base. Without this pass printf is an undefined function.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/support/kernel_state.h"
#include "compiler/support/program_pass.h"
#include "hal/protocol/printf.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(PrintfPass);

namespace {

using llvm::Value;

// Code for one call, in a kernel(record, words, frame).
class Lowering {
public:
    explicit Lowering(llvm::CallInst &call)
        : call_(call), values_(llvm::drop_begin(call.args())),
          data_(call.getModule()->getDataLayout()), builder_(&call),
          record_(call.getFunction()->getArg(0)), words_(call.getFunction()->getArg(1)) {}

    void run() {
        uint64_t bytes = first_value();
        for (Value *value : values_)
            bytes += in_grains(bytes_of(value));
        Value *used_address = field(words_, offsetof(rvl_launch_words, printf_used));
        Value *limit =
            load(builder_.getInt32Ty(), field(record_, offsetof(rvl_launch_record, printf_bytes)));
        // Nothing is added to a full ring, so that the sum of all calls never overflows.
        Value *used = load(builder_.getInt32Ty(), used_address);
        llvm::Instruction *take = llvm::SplitBlockAndInsertIfThen(
            builder_.CreateICmpULT(used, limit), call_.getIterator(), false);
        llvm::BasicBlock *before = take->getParent()->getSinglePredecessor();
        builder_.SetInsertPoint(take);
        Value *start = builder_.CreateAtomicRMW(llvm::AtomicRMWInst::Add, used_address,
                                                builder_.getInt32(static_cast<uint32_t>(bytes)),
                                                llvm::Align(4), llvm::AtomicOrdering::Monotonic);
        Value *end = builder_.CreateAdd(start, builder_.getInt32(static_cast<uint32_t>(bytes)));
        llvm::Instruction *write = llvm::SplitBlockAndInsertIfThen(
            builder_.CreateICmpULE(end, limit), take->getIterator(), false);
        llvm::BasicBlock *taken = write->getParent()->getSinglePredecessor();
        builder_.SetInsertPoint(write);
        write_record(start);

        llvm::PHINode *lost = make_lost(before, taken, write->getParent());
        builder_.SetInsertPoint(&call_);
        call_.replaceAllUsesWith(builder_.CreateSExt(lost, builder_.getInt32Ty())); // 6.12.13.1
        builder_.SetInsertPoint(
            llvm::SplitBlockAndInsertIfThen(lost, call_.getIterator(), false, rare()));
        count_lost();
        call_.eraseFromParent();
    }

private:
    static uint64_t in_grains(uint64_t bytes) { return llvm::alignTo(bytes, RVL_PRINTF_GRAIN); }

    uint64_t first_value() const {
        return in_grains(offsetof(rvl_printf_head, bytes) + values_.size());
    }

    uint64_t bytes_of(Value *value) {
        return data_.getTypeAllocSize(value->getType()).getFixedValue();
    }

    Value *field(Value *base, uint64_t offset) {
        return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, offset);
    }

    Value *load(llvm::Type *type, Value *address) {
        return builder_.CreateAlignedLoad(type, address, data_.getABITypeAlign(type));
    }

    void write_record(Value *start) {
        Value *ring = builder_.CreateIntToPtr(
            load(builder_.getInt64Ty(), field(record_, offsetof(rvl_launch_record, printf_ring))),
            builder_.getPtrTy());
        Value *at = builder_.CreateGEP(builder_.getInt8Ty(), ring,
                                       builder_.CreateZExt(start, builder_.getInt64Ty()));
        auto store = [&](Value *value, uint64_t offset) {
            const llvm::Align alignment =
                llvm::commonAlignment(llvm::Align(RVL_PRINTF_GRAIN), offset);
            builder_.CreateAlignedStore(value, field(at, offset), alignment);
        };
        Value *format = builder_.CreateSub(
            builder_.CreatePtrToInt(call_.getArgOperand(0), builder_.getInt64Ty()),
            load(builder_.getInt64Ty(), field(record_, offsetof(rvl_launch_record, image_base))));
        store(builder_.getInt16(static_cast<uint16_t>(values_.size())),
              offsetof(rvl_printf_head, arguments));
        uint64_t offset = first_value();
        for (auto [i, value] : llvm::enumerate(values_)) {
            store(builder_.getInt8(static_cast<uint8_t>(bytes_of(value))),
                  offsetof(rvl_printf_head, bytes) + i);
            store(value, offset);
            offset += in_grains(bytes_of(value));
        }
        store(builder_.CreateTrunc(format, builder_.getInt32Ty()),
              offsetof(rvl_printf_head, format));
    }

    // True if the ring had no room for the record.
    llvm::PHINode *make_lost(llvm::BasicBlock *before, llvm::BasicBlock *taken,
                             llvm::BasicBlock *written) {
        // The paths that did not write come from `taken` and `before`.
        llvm::PHINode *inner = llvm::PHINode::Create(builder_.getInt1Ty(), 2);
        inner->insertBefore(written->getSingleSuccessor()->begin());
        inner->addIncoming(builder_.getTrue(), taken);
        inner->addIncoming(builder_.getFalse(), written);
        llvm::PHINode *lost = llvm::PHINode::Create(builder_.getInt1Ty(), 2);
        lost->insertBefore(call_.getParent()->begin());
        lost->addIncoming(builder_.getTrue(), before);
        lost->addIncoming(inner, inner->getParent());
        return lost;
    }

    llvm::MDNode *rare() {
        return llvm::MDBuilder(call_.getContext()).createUnlikelyBranchWeights();
    }

    // Counts up to 2^31, plus one for each hart that reads the number at the same time, so that it
    // never wraps.
    void count_lost() {
        Value *address = field(words_, offsetof(rvl_launch_words, printf_lost));
        Value *more =
            builder_.CreateICmpSGE(load(builder_.getInt32Ty(), address), builder_.getInt32(0));
        builder_.SetInsertPoint(
            llvm::SplitBlockAndInsertIfThen(more, builder_.GetInsertPoint(), false));
        builder_.CreateAtomicRMW(llvm::AtomicRMWInst::Add, address, builder_.getInt32(1),
                                 llvm::Align(4), llvm::AtomicOrdering::Monotonic);
    }

    llvm::CallInst &call_;
    const llvm::SmallVector<Value *> values_; // after the format
    const llvm::DataLayout &data_;
    llvm::IRBuilder<> builder_;
    Value *record_, *words_;
};

// Whether the function is the kernel, or the one that it calls for its remainder groups.
bool runs_for(const llvm::Function &function, const Kernel &kernel) {
    return &function == kernel.function ||
           llvm::any_of(function.users(), [&](const llvm::User *user) {
               auto *call = llvm::dyn_cast<llvm::CallInst>(user);
               return call && call->getFunction() == kernel.function;
           });
}

} // namespace

void PrintfPass::lower(Program &program, const Target &, llvm::ModuleAnalysisManager &) {
    llvm::Function *print = program.module->getFunction("printf");
    if (!print || !print->isDeclaration())
        return;
    for (llvm::User *user : llvm::make_early_inc_range(print->users())) {
        auto *call = llvm::cast<llvm::CallInst>(user);
        for (Kernel &kernel : program.kernels)
            if (runs_for(*call->getFunction(), kernel)) {
                kernel.flags |= RVL_KERNEL_PRINTF_COMPACT | RVL_KERNEL_PRINTF_COUNTS;
                save_kernel(kernel);
            }
        Lowering(*call).run();
    }
    print->eraseFromParent();
}

} // namespace rivulet::compiler

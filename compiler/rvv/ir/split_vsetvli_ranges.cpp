// SPDX-License-Identifier: Apache-2.0
//
// Gives each block of a huge function, and each few uses within a block, a copy of a vector length
// that the whole function shares. For each use of a length, LLVM's insertion of vsetvli walks over
// all of its uses, which takes hours if tens of thousands of instructions share one. Small
// functions keep one length (stage large_vector_ir), because a copy costs an instruction. So do
// lengths with few uses, such as those of the many short strips of a function that has a version
// for each border: LLVM can't tell that copies are equal, and computes what goes from block to
// block with the largest VL.
//
// A copy goes through empty inline assembly, because LLVM would merge anything that it can see
// through. Uses that are narrower than 32 bits keep the shared length: they are numbers, not
// lengths, and a number may be cut off.
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsRISCV.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/CommandLine.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(SplitVsetvliRangesPass);

// In large functions a length is copied for each 32 uses: LLVM's insertion of vsetvli looks at all
// uses of a length for each of them. ggml's mul_mm_f16_f32_kq: 3.4 s of code generation instead of
// 21.6, 4 % more instructions.
static cl::opt<unsigned> vl_copy_max_uses("rvl-vl-copy-max-uses", cl::Hidden, cl::init(32),
                                          cl::desc("Uses of one length"));

namespace {

using Lengths = SmallPtrSet<Value *, 8>;

// Uses of each length as one.
using Uses = SmallDenseMap<const Value *, unsigned, 8>;

Value *without_casts(Value *length) {
    Value *wide = nullptr;
    return match(length, m_TruncOrSelf(m_ZExtOrSelf(m_Value(wide)))) ? wide : length;
}

// The results of vsetvli, and other values that vectors use as VL: minima with a constant, and
// values that leave a loop.
Lengths lengths_in(Function &function) {
    Lengths lengths;
    for (Instruction &instruction : instructions(function))
        if (match(&instruction, m_Intrinsic<Intrinsic::riscv_vsetvli>()))
            lengths.insert(&instruction);
        else if (auto *call = dyn_cast<VPIntrinsic>(&instruction))
            if (Value *length = without_casts(call->getVectorLengthParam());
                isa<Instruction>(length))
                lengths.insert(length);
    return lengths;
}

// Passes each use of a length as a length, with it and its user.
void for_each_use(BasicBlock &block, const Lengths &lengths,
                  function_ref<void(Use &, Instruction &, IntrinsicInst &)> pass) {
    for (Instruction &instruction : make_early_inc_range(block)) {
        auto *call = dyn_cast<IntrinsicInst>(&instruction);
        if (!call || lengths.contains(call))
            continue;
        for (Use &use : call->args())
            if (Value *length = without_casts(use.get());
                lengths.contains(length) && use->getType()->getIntegerBitWidth() >= 32)
                pass(use, *cast<Instruction>(length), *call);
    }
}

class Splitting {
public:
    explicit Splitting(Function &function)
        : xlen_(function.getDataLayout().getIntPtrType(function.getContext())),
          lengths_(lengths_in(function)) {
        for (BasicBlock &block : function)
            for_each_use(block, lengths_,
                         [&](Use &, Instruction &length, IntrinsicInst &) { ++uses_[&length]; });
    }

    void run(BasicBlock &block) {
        own_.clear();
        for_each_use(block, lengths_, [&](Use &use, Instruction &length, IntrinsicInst &user) {
            if (uses_.lookup(&length) > vl_copy_max_uses)
                use.set(own(length, user, use->getType()));
        });
    }

private:
    struct Own {
        Value *length = nullptr;
        unsigned uses = 0;
    };

    // Returns the block's own copy, or `length` itself in its block, until that has many uses.
    Value *own(Instruction &length, IntrinsicInst &user, Type *type) {
        auto [found, is_new] = own_.try_emplace(&length);
        Own &mine = found->second;
        IRBuilder<> builder(&user);
        if (is_new && length.getParent() == user.getParent())
            mine.length = &length;
        else if (is_new || mine.uses == vl_copy_max_uses)
            mine = {copy(builder, length)};
        ++mine.uses;
        if (mine.length->getType() == type)
            return mine.length;
        return mine.length->getType()->getIntegerBitWidth() < type->getIntegerBitWidth()
                   ? builder.CreateZExt(mine.length, type)
                   : builder.CreateTrunc(mine.length, type, "", /*IsNUW=*/true);
    }

    // A vsetvli of a length that vsetvli returned returns that length (V 1.0, 6.3: vl = AVL if
    // AVL <= VLMAX). The second vsetvli tells code generation again that the length fits.
    Value *copy(IRBuilder<> &builder, Instruction &length) const {
        // The empty assembly keeps LLVM from merging the copies.
        auto *opaque = InlineAsm::get(FunctionType::get(xlen_, xlen_, false), "", "=r,0", false);
        Value *same = builder.CreateCall(opaque, builder.CreateZExt(&length, xlen_));
        if (!match(&length, m_Intrinsic<Intrinsic::riscv_vsetvli>()))
            return same;
        Instruction *again = length.clone();
        again->setOperand(0, same);
        return builder.Insert(again);
    }

    Type *xlen_;
    const Lengths lengths_;
    Uses uses_;                  // before any copy
    DenseMap<Value *, Own> own_; // of a block, by the shared one
};

} // namespace

PreservedAnalyses SplitVsetvliRangesPass::run(Function &function, FunctionAnalysisManager &) {
    Splitting splitting(function);
    for (BasicBlock &block : function)
        splitting.run(block);
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler

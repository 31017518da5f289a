// SPDX-License-Identifier: Apache-2.0
//
// Chooses the size of sub-groups for kernels without cl_intel_required_subgroup_size. Every size is
// right by the specification, but much code was written for one and gives wrong results with any
// other. Three things in a kernel tell the size:
//
//   C · id + lane     With C as the size, the sum of a sub-group's number and a work-item's place
//                     in it counts the work-items of the group. A larger sub-group would use the
//                     same number twice.
//   shuffles          A shuffle over a constant distance, or from a constant lane, is undefined
//                     unless the sub-group has that lane (6.15.19.3), so the size is larger. If the
//                     distances are 1, 2, 4 … M, a butterfly or a tree, they combine exactly 2 · M
//                     lanes.
//   no questions      A kernel that reduces or scans over sub-groups, but never asks about them,
//                     has the same code for all sub-groups of a group. If it takes local ids apart,
//                     as in id & 31 and id >> 5, that is the size. Otherwise it takes the group for
//                     one sub-group: the size is that of the group if it is known, or the largest,
//                     which any smaller group fits.
//
// Code that asks for the size or number of sub-groups works with several sizes. It often combines
// one value of each sub-group in a single one, so that smaller sub-groups than usual would be too
// many.
#include "compiler/workgroup/sub_group_size.h"

#include <llvm/ADT/bit.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/analysis/integer_ranges.h"
#include "compiler/spmd/analysis/sub_group_calls.h"
#include "compiler/work_items/work_group_builtin_table.h"
#include "hal/protocol/sub_groups.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

// Fewer lanes than any device has sub-groups of are part of one that is larger: four of them are a
// square of pixels.
constexpr uint64_t smallest_usual_size = 8; // work-items

StringRef called_name(const Value *value) {
    auto *call = dyn_cast<CallInst>(value);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->isDeclaration() ? unmangled_name(callee->getName()) : "";
}
bool is_lane(const Value *value) { return called_name(value) == "get_sub_group_local_id"; }
bool is_number(const Value *value) { return called_name(value) == "get_sub_group_id"; }

bool asks_for_size_or_number(const Value &value) {
    const StringRef name = called_name(&value);
    return name.starts_with("get_") &&
           (name.ends_with("sub_group_size") || name.ends_with("num_sub_groups"));
}

bool asks_about_sub_group(const Value &value) {
    const StringRef name = called_name(&value);
    return name.starts_with("get_") && name.contains("sub_group");
}

// A number that a loop halves or doubles.
bool is_halved_or_doubled(const Value *value) {
    auto *phi = dyn_cast<PHINode>(value);
    return phi && any_of(phi->incoming_values(), [&](const Use &from) {
               return match(from.get(), m_Shl(m_Specific(phi), m_One())) ||
                      match(from.get(), m_Shr(m_Specific(phi), m_One())) ||
                      match(from.get(), m_UDiv(m_Specific(phi), m_SpecificInt(2))) ||
                      match(from.get(), m_SDiv(m_Specific(phi), m_SpecificInt(2))) ||
                      match(from.get(), m_c_Mul(m_Specific(phi), m_SpecificInt(2)));
           });
}

class Evidence {
public:
    explicit Evidence(Function &function) : function_(function), ranges_(function) {
        for (Instruction &instruction : instructions(function)) {
            asks_ |= asks_about_sub_group(instruction);
            asks_for_size_ |= asks_for_size_or_number(instruction);
            read_part_of_local_id(instruction);
            const auto call = sub_group_call(instruction);
            if (!call)
                continue;
            combines_ |= call->function == SubGroupCall::reduce ||
                         call->function == SubGroupCall::scan_inclusive ||
                         call->function == SubGroupCall::scan_exclusive;
            asks_ |= call->function == SubGroupCall::elect ||
                     call->function == SubGroupCall::ballot ||
                     call->function == SubGroupCall::clustered_reduce;
            if (call->function == SubGroupCall::shuffle ||
                call->function == SubGroupCall::broadcast)
                read_lane(*instruction.getOperand(1));
        }
    }

    // Reduces or scans and never asks about the sub-group.
    bool takes_group_for_one() const { return combines_ && !asks_; }

    // All shuffles are defined with this size, and it isn't smaller than what code may count on
    // that asks for it.
    bool allows(uint64_t size, uint64_t usual) const {
        return size >= least_ &&
               (size >= usual || (size >= smallest_usual_size && !asks_for_size_));
    }

    // C for id & (C - 1), id / C and id % C of local ids; several if they differ.
    ArrayRef<uint64_t> parts() const { return parts_; }

    // The fewest lanes with which all shuffles are defined.
    uint64_t least() const { return least_; }

    // The lanes that shuffles over 1, 2, 4 … combine; 0 for others.
    uint64_t combined() const {
        const uint64_t lanes = distances_ + 1;
        return isPowerOf2_64(lanes) && lanes >= smallest_usual_size ? lanes : 0;
    }

    // The sizes C for which C · id + lane occurs.
    SmallVector<uint64_t, 2> counted() const {
        SmallVector<uint64_t, 2> sizes;
        AffineExpressions sums(function_.getDataLayout());
        for (Instruction &instruction : instructions(function_)) {
            if (!isa<BinaryOperator, GetElementPtrInst>(instruction) ||
                !is_scalar(instruction.getType()))
                continue;
            int64_t of_number = 0, of_lane = 0;
            for (const auto &[term, factor] : sums.of(&instruction, Meaning::modulo).terms) {
                if (!is_single(term))
                    continue;
                Value *leaf = sums.leaf(term[2]).value;
                of_lane += is_lane(leaf) ? factor : 0;
                of_number += factor * factor_of_number(leaf, sums);
            }
            if (of_lane > 0 && of_number > 0 && of_number % of_lane == 0)
                sizes.push_back(uint64_t(of_number / of_lane));
        }
        return sizes;
    }

private:
    static bool is_single(const AffineSum::Term &term) { return term[1] == 0; }

    // C if the value is C · id, as an extension of a product without flags is.
    static int64_t factor_of_number(Value *value, AffineExpressions &sums) {
        if (is_number(value))
            return 1;
        if (!isa<Instruction>(value))
            return 0;
        const AffineSum &sum = sums.of(value, Meaning::modulo);
        if (sum.terms.size() != 1 || !is_single(sum.terms[0].first))
            return 0;
        const auto &[term, factor] = sum.terms[0];
        return is_number(sums.leaf(term[2]).value) ? factor : 0;
    }

    void read_part_of_local_id(const Instruction &instruction) {
        const Value *id = nullptr;
        const APInt *number = nullptr;
        uint64_t size = 0;
        if (match(&instruction, m_And(m_Value(id), m_APInt(number))))
            size = number->isMask() ? number->getZExtValue() + 1 : 0;
        else if (match(&instruction, m_LShr(m_Value(id), m_APInt(number))))
            size = number->ult(32) ? uint64_t(1) << number->getZExtValue() : 0;
        else if (match(&instruction, m_UDiv(m_Value(id), m_APInt(number))) ||
                 match(&instruction, m_URem(m_Value(id), m_APInt(number))))
            size = number->getActiveBits() <= 32 ? number->getZExtValue() : 0;
        while (isa_and_nonnull<TruncInst, ZExtInst>(id))
            id = cast<CastInst>(id)->getOperand(0);
        if (size > 1 && id && called_name(id).starts_with("get_local_") &&
            !is_contained(parts_, size))
            parts_.push_back(size);
    }

    static constexpr uint64_t no_power_of_two = uint64_t(1) << 63;

    void read_lane(const Value &lane) {
        Value *distance = nullptr;
        uint64_t constant = 0;
        if (match(&lane, m_ConstantInt(constant))) {
            if (constant < RVL_MAX_SUB_GROUP_SIZE)
                least_ = std::max(least_, bit_ceil(constant + 1));
            return;
        }
        auto *operation = dyn_cast<BinaryOperator>(&lane);
        if (!operation || !is_contained({Instruction::Xor, Instruction::Add, Instruction::Sub},
                                        operation->getOpcode()))
            return;
        if (is_lane(operation->getOperand(0)))
            distance = operation->getOperand(1);
        else if (operation->getOpcode() != Instruction::Sub && is_lane(operation->getOperand(1)))
            distance = operation->getOperand(0);
        else
            return;
        const bool changes = is_halved_or_doubled(distance);
        const APInt most = ranges_.of(distance).getUnsignedMax();
        if ((!changes && !isa<ConstantInt>(distance)) || most.uge(RVL_MAX_SUB_GROUP_SIZE) ||
            most.isZero())
            return;
        const uint64_t far = most.getZExtValue();
        least_ = std::max(least_, bit_ceil(far + 1));
        distances_ |= changes ? bit_ceil(far + 1) - 1 : isPowerOf2_64(far) ? far : no_power_of_two;
    }

    Function &function_;
    const IntegerRanges ranges_;
    bool asks_ = false, asks_for_size_ = false, combines_ = false;
    SmallVector<uint64_t, 2> parts_;
    uint64_t least_ = 0;
    uint64_t distances_ = 0; // the sum of 2^n, for each shuffle over 2^n lanes
};

} // namespace

uint32_t sub_group_size_for(const Kernel &kernel, ArrayRef<uint32_t> possible, uint32_t usual) {
    const Evidence evidence(*kernel.function);
    auto smallest_from = [&](uint64_t lanes, uint32_t otherwise) {
        const uint32_t *found = find_if(possible, [&](uint32_t size) { return size >= lanes; });
        return found == possible.end() ? otherwise : *found;
    };
    for (uint64_t size : evidence.counted())
        if (is_contained(possible, size) && evidence.allows(size, usual))
            return uint32_t(size);
    if (uint64_t lanes = evidence.combined(); lanes && evidence.allows(lanes, usual))
        return smallest_from(lanes, usual);
    if (evidence.takes_group_for_one()) {
        for (uint64_t size : evidence.parts())
            if (is_contained(possible, size) && evidence.allows(size, usual))
                return uint32_t(size);
        if (!evidence.parts().empty())
            return std::max(usual, smallest_from(evidence.least(), usual));
        const uint32_t *group = kernel.required_group_size;
        const uint64_t items = uint64_t(group[0]) * group[1] * group[2];
        // A version for one local size then has smaller sub-groups; the host keeps the general one.
        return items ? smallest_from(std::max(items, evidence.least()), possible.back())
                     : possible.back();
    }
    return evidence.least() > usual ? smallest_from(evidence.least(), usual) : usual;
}

} // namespace rivulet::compiler

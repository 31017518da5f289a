// SPDX-License-Identifier: Apache-2.0
//
// The address of lane 0's element, as a sum in the order that later passes exploit best:
//
//   ((base + what is the same in all lanes) + lane · bytes) + constant
//
// The first sum doesn't change from strip to strip; neighbours (a[x - 1], a[x], a[x + 1]) share the
// second.
#include "compiler/spmd/codegen/instruction_widener.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/analysis/integer_ranges.h"
#include "compiler/analysis/limits.h"
#include "compiler/spmd/analysis/interleaved_arrays.h"

namespace rivulet::compiler {

using namespace llvm;

// The most bytes that the addresses of an affine pointer span, in either direction. Follows from
// 32-bit offsets; not measured.
constexpr int64_t max_affine_span = 1 << 29; // bytes from the first lane to the last

namespace {

// Terms of an index or offset. Terms with fewer bits than a pointer are extended.
struct Term {
    Value *value;
    int64_t factor;
    bool is_signed;
};

// A pointer's root and the sum of offsets that is added to it. Nothing if an index has an unusual
// width.
struct Path {
    Value *root;
    int64_t constant = 0;
    SmallVector<Term, 4> terms = {};
};
std::optional<Path> path_to(Value *pointer, const DataLayout &layout) {
    const unsigned bits = layout.getIndexTypeSizeInBits(pointer->getType());
    auto is_leaf = [&](Value *value) {
        auto *cast = dyn_cast<CastInst>(value);
        return cast && (isa<TruncInst>(cast) || cast->getSrcTy()->getScalarSizeInBits() != 32);
    };
    AffineExpressions sums(layout, {.leaves = 1, .is_leaf = is_leaf});
    AffineSum sum;
    Path path{pointer};
    while (auto *gep = dyn_cast<GetElementPtrInst>(path.root)) {
        for (auto at = gep_type_begin(gep), end = gep_type_end(gep); at != end; ++at) {
            if (StructType *structure = at.getStructTypeOrNull()) {
                auto field = unsigned(cast<ConstantInt>(at.getOperand())->getZExtValue());
                path.constant += int64_t(
                    layout.getStructLayout(structure)->getElementOffset(field).getFixedValue());
                continue;
            }
            const unsigned width = at.getOperand()->getType()->getScalarSizeInBits();
            if (width != bits && width != 32)
                return std::nullopt;
            sum = *AffineSum::combine(
                std::move(sum),
                sums.of(at.getOperand(), width == bits ? Meaning::modulo : Meaning::as_signed),
                int64_t(at.getSequentialElementStride(layout)));
        }
        path.root = gep->getPointerOperand();
    }
    path.constant += sum.constant;
    for (const auto &[term, factor] : sum.terms) {
        auto [value, meaning] = sums.leaf(term.back());
        path.terms.push_back({value, factor, meaning != Meaning::as_unsigned});
    }
    return path;
}

// The largest distance that a term can move an element, in bytes; above 32 bits if it isn't known.
uint64_t most_bytes(const Term &term, const DataLayout &layout) {
    const ConstantRange range = ValueRanges(layout).of(*term.value);
    const APInt most = range.getUnsignedMax();
    if ((term.is_signed && !range.isAllNonNegative()) || term.factor <= 0 ||
        most.getActiveBits() > 32 || term.factor > UINT16_MAX)
        return uint64_t(UINT32_MAX) + 1;
    return most.getZExtValue() * uint64_t(term.factor);
}

} // namespace

bool InstructionWidener::is_x(const Value *value) const {
    auto *argument = dyn_cast<Argument>(value);
    return argument && argument->getArgNo() == 0 && wide_x_->getType() == index_type();
}

// The first lane's value of an integer in a wider type, computed as if none of the narrower
// operations behind it wrapped (see StrideAnalysis::is_number()). A wider value is truncated.
Value *InstructionWidener::number(Value *value, Type *wide, bool is_signed) {
    if (is_x(value) && wide == index_type())
        return builder_.CreateAdd(wide_x_, ConstantInt::get(wide, x_offset_));
    const bool is_narrow = value->getType()->getIntegerBitWidth() < wide->getIntegerBitWidth();
    if (is_narrow && !strides_.uniform(value)) {
        if (auto *cut = dyn_cast<TruncInst>(value))
            return number(cut->getOperand(0), wide, is_signed);
        if (auto *operation = dyn_cast<BinaryOperator>(value))
            return builder_.CreateBinOp(operation->getOpcode() == Instruction::Or
                                            ? Instruction::Add // of disjoint bits
                                            : operation->getOpcode(),
                                        number(operation->getOperand(0), wide, is_signed),
                                        number(operation->getOperand(1), wide, is_signed));
    }
    return builder_.CreateIntCast(scalar(value), wide, is_signed);
}

// How lane 0's address is found. Without a mask, everything that is known about active lanes holds
// for lane 0 as well. `index` and `offset` rely on small buffers: only in those are addresses
// affine modulo 2^32.
enum class InstructionWidener::Start {
    sum,     // of its parts as numbers
    pointer, // as it is computed
    index,   // the only one: below 2^30 in active lanes, so close in lane 0 that it doesn't wrap
    offset,  // of 32 bits: below 2^31 in active lanes, in lane 0 at most that far before or behind
    unknown,
};

InstructionWidener::Start InstructionWidener::start_of(Value *pointer) const {
    const DataLayout &layout = builder_.GetInsertBlock()->getDataLayout();
    unsigned bits = layout.getIndexTypeSizeInBits(pointer->getType());
    auto path = path_to(pointer, layout);
    Stride shape = strides_.of(pointer);
    auto is_number = [&](const Term &term) {
        return term.value->getType()->getScalarSizeInBits() == bits
                   ? !strides_.of(term.value).modulo_2_32
                   : strides_.is_number(term.value, term.is_signed);
    };
    bool sums = path && !interleaved_array(pointer);
    if (sums &&
        (!active.mask || (!strides_.of(path->root).modulo_2_32 && all_of(path->terms, is_number))))
        return Start::sum;
    if (!active.mask || !shape.modulo_2_32 || bits == 32)
        return Start::pointer;
    if (!sums || shape.scale || std::abs(shape.step) > max_affine_step ||
        !strides_.shares_buffer(pointer))
        return Start::unknown;
    const auto &terms = path->terms;
    bool alone = terms.size() == 1 && terms[0].factor > 1 && isInt<30>(path->constant) &&
                 terms[0].value->getType()->isIntegerTy(32);
    return alone ? Start::index : Start::offset;
}

// How far apart the lanes' addresses are for an access.
Stride InstructionWidener::access(Value *pointer) const {
    Stride shape = strides_.of(pointer);
    if (shape.kind == Stride::affine && start_of(pointer) == Start::unknown)
        return {Stride::varying};
    return shape;
}

Value *InstructionWidener::address(Value *pointer) {
    Start start = start_of(pointer);
    if (start == Start::pointer)
        return scalar(pointer);
    auto path = path_to(pointer, builder_.GetInsertBlock()->getDataLayout());
    bool in_32_bits = start == Start::offset;
    Type *word = in_32_bits ? builder_.getInt32Ty() : index_type();
    if (!in_32_bits)
        for (const Term &term : path->terms)
            if (is_x(term.value))
                path->constant += term.factor * int64_t(x_offset_);
    auto value_of = [&](const Term &term) {
        if (is_x(term.value) && !in_32_bits)
            return wide_x_;
        // Without a mask, lane 0 is active, and its value is its own.
        const bool is_signed = start != Start::sum || term.is_signed;
        const bool is_sum = start == Start::sum && (active.mask || isa<TruncInst>(term.value));
        return is_sum && strides_.is_number(term.value, is_signed)
                   ? number(term.value, word, is_signed)
                   : builder_.CreateIntCast(scalar(term.value), word, is_signed);
    };
    Value *address = scalar(path->root);
    Value *offset = ConstantInt::get(word, 0);
    auto add = [&](Value *part, int64_t factor) {
        part = builder_.CreateMul(part, ConstantInt::getSigned(word, factor, true));
        if (in_32_bits)
            offset = builder_.CreateAdd(offset, part);
        else
            address = builder_.CreatePtrAdd(address, part);
    };
    for (bool uniform : {true, false}) {
        MapVector<int64_t, Value *> parts; // by factor
        for (const Term &term : path->terms)
            if (strides_.uniform(term.value) == uniform) {
                Value *&part = parts[term.factor];
                Value *value = value_of(term);
                part = part ? builder_.CreateAdd(part, value) : value;
            }
        for (auto [factor, part] : parts)
            add(part, factor);
    }
    if (path->constant)
        add(ConstantInt::get(word, 1), path->constant);
    if (!in_32_bits)
        return address;
    // Where addresses fall from lane to lane, lane 0 has the largest offset. Subtracting the span
    // first keeps the offsets of all lanes below 2^31.
    const int64_t back = strides_.of(pointer).step < 0 ? max_affine_span : 0;
    offset = builder_.CreateSub(offset, ConstantInt::get(word, uint64_t(back)));
    return builder_.CreatePtrAdd(
        address, builder_.CreateAdd(builder_.CreateSExt(offset, index_type()),
                                    ConstantInt::get(index_type(), uint64_t(back))));
}

// The pointers as one uniform address and small offsets, if the part that differs between lanes is
// known to be small, as in look-ups in a table. Otherwise nothing.
std::pair<Value *, Value *> InstructionWidener::small_offsets(Value *pointer) {
    const DataLayout &layout = builder_.GetInsertBlock()->getDataLayout();
    auto path = path_to(pointer, layout);
    if (!path || !strides_.uniform(path->root))
        return {};
    uint64_t most = 0;
    bool extended = true;
    for (const Term &term : path->terms)
        if (!strides_.uniform(term.value)) {
            most += most_bytes(term, layout);
            auto *extension = dyn_cast<ZExtInst>(term.value);
            extended &= extension && extension->getSrcTy()->getIntegerBitWidth() <= 16;
        }
    if (most > UINT32_MAX)
        return {};
    Type *index = index_type();
    const unsigned bits = !extended ? 32 : isUInt<8>(most) ? 8 : isUInt<16>(most) ? 16 : 32;
    Type *few = vector_of(builder_.getIntNTy(bits));
    Value *address = scalar(path->root);
    Value *own = nullptr;
    for (const auto &[value, factor, is_signed] : path->terms) {
        if (strides_.uniform(value)) {
            Value *part = builder_.CreateIntCast(scalar(value), index, is_signed);
            address = builder_.CreatePtrAdd(
                address, builder_.CreateMul(part, ConstantInt::getSigned(index, factor, true)));
            continue;
        }
        Value *part = builder_.CreateZExtOrTrunc(vector(value), few);
        part = bits == 32 ? scaled(part, builder_.getInt32(uint32_t(factor)))
                          : builder_.CreateNUWMul(part, ConstantInt::get(few, uint64_t(factor)));
        own = own ? builder_.CreateAdd(own, part) : part;
    }
    if (path->constant)
        address =
            builder_.CreatePtrAdd(address, ConstantInt::getSigned(index, path->constant, true));
    if (own)
        own = builder_.CreateZExt(own, vector_of(builder_.getInt32Ty()));
    return {address, own};
}

} // namespace rivulet::compiler

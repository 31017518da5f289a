// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/kernel_metadata.h"

#include <algorithm>
#include <array>

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/TypeSwitch.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/analysis/sub_group_functions.h"
#include "compiler/lowering/atomic_counters.h"

namespace rivulet::compiler {
namespace {

using llvm::StringRef;

// In the order of rvl_argument_note.image_type.
constexpr std::array<StringRef, 8> image_types = {
    "image1d_t",       "image1d_buffer_t", "image1d_array_t", "image2d_t",
    "image2d_array_t", "image3d_t",        "image2d_depth_t", "image2d_array_depth_t"};
constexpr std::array<StringRef, 4> accesses = {"none", "read_only", "write_only", "read_write"};

template <class Names> size_t index_of(const Names &names, StringRef name) {
    return static_cast<size_t>(std::ranges::find(names, name) - names.begin());
}

// One string of a kernel_arg_… node, "" if missing.
StringRef text(const llvm::Function &function, StringRef node_name, unsigned index) {
    const llvm::MDNode *node = function.getMetadata(node_name);
    if (!node || index >= node->getNumOperands())
        return "";
    auto *string = llvm::dyn_cast<llvm::MDString>(node->getOperand(index));
    return string ? string->getString() : "";
}

uint32_t number(const llvm::MDNode &node, unsigned index) {
    auto *constant = llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(index));
    return static_cast<uint32_t>(constant->getZExtValue());
}

uint8_t qualifiers(StringRef words) {
    constexpr std::pair<StringRef, uint8_t> names[] = {{"const", RVL_QUALIFIER_CONST},
                                                       {"restrict", RVL_QUALIFIER_RESTRICT},
                                                       {"volatile", RVL_QUALIFIER_VOLATILE},
                                                       {"pipe", RVL_QUALIFIER_PIPE}};
    unsigned bits = 0;
    for (StringRef word : llvm::split(words, ' '))
        for (auto [name, bit] : names)
            bits |= word == name ? bit : 0;
    return static_cast<uint8_t>(bits);
}

rvl_argument_kind kind_of(const llvm::Argument &value) {
    if (counter_bytes(*value.getType()))
        return RVL_ARGUMENT_COUNTER;
    if (auto *type = llvm::dyn_cast<llvm::TargetExtType>(value.getType()))
        return type->getName() == "spirv.Sampler" ? RVL_ARGUMENT_SAMPLER
               : type->getName() == "spirv.Pipe"  ? RVL_ARGUMENT_PIPE
                                                  : RVL_ARGUMENT_IMAGE;
    if (!value.getType()->isPointerTy() || value.hasByValAttr())
        return RVL_ARGUMENT_VALUE;
    switch (value.getType()->getPointerAddressSpace()) {
    case global_space:
        return RVL_ARGUMENT_GLOBAL;
    case constant_space:
        return RVL_ARGUMENT_CONSTANT;
    case local_space:
        return RVL_ARGUMENT_LOCAL;
    default:
        return RVL_ARGUMENT_VALUE;
    }
}

// The sizes of arguments other than values are in launch.h.
std::pair<uint32_t, llvm::Align> layout(const llvm::Argument &value, rvl_argument_kind kind,
                                        const llvm::DataLayout &data) {
    if (const uint32_t bytes = counter_bytes(*value.getType()))
        return {bytes, llvm::Align(bytes)};
    if (kind == RVL_ARGUMENT_SAMPLER)
        return {4, llvm::Align(4)};
    if (kind != RVL_ARGUMENT_VALUE)
        return {8, llvm::Align(8)};
    llvm::Type *type = value.hasByValAttr() ? value.getParamByValType() : value.getType();
    llvm::Align alignment = data.getABITypeAlign(type);
    if (value.hasByValAttr())
        alignment = std::max(alignment, value.getParamAlign().valueOrOne());
    return {static_cast<uint32_t>(data.getTypeAllocSize(type).getFixedValue()), alignment};
}

Argument describe(const llvm::Argument &value, const llvm::DataLayout &data, uint32_t &end) {
    const llvm::Function &function = *value.getParent();
    const unsigned index = value.getArgNo();
    Argument argument;
    argument.name = text(function, "kernel_arg_name", index);
    argument.type = text(function, "kernel_arg_type", index);
    argument.kind = kind_of(value);
    auto [bytes, alignment] = layout(value, argument.kind, data);
    argument.bytes = bytes;
    argument.offset = static_cast<uint32_t>(llvm::alignTo(end, alignment));
    end = argument.offset + bytes;
    argument.qualifiers = qualifiers(text(function, "kernel_arg_type_qual", index));
    size_t access = index_of(accesses, text(function, "kernel_arg_access_qual", index));
    if (argument.kind != RVL_ARGUMENT_COUNTER)
        argument.access = static_cast<uint8_t>(access % accesses.size());
    if (value.getType()->isPointerTy() && argument.kind != RVL_ARGUMENT_VALUE)
        argument.pointee_alignment =
            static_cast<uint32_t>(value.getParamAlign().valueOrOne().value());
    if (argument.kind == RVL_ARGUMENT_IMAGE) {
        size_t type = index_of(image_types, text(function, "kernel_arg_base_type", index));
        argument.image_type = static_cast<uint8_t>((type + 1) % (image_types.size() + 1));
    }
    return argument;
}

std::string type_name(const llvm::Type &type, bool is_signed) {
    std::string name =
        llvm::TypeSwitch<const llvm::Type *, std::string>(type.getScalarType())
            .Case<llvm::IntegerType>([&](const llvm::IntegerType *integer) {
                StringRef word = integer->getBitWidth() == 8    ? "char"
                                 : integer->getBitWidth() == 16 ? "short"
                                 : integer->getBitWidth() == 32 ? "int"
                                                                : "long";
                return (is_signed ? "" : "u") + word.str();
            })
            .Default([](const llvm::Type *scalar) -> std::string {
                return scalar->isHalfTy() ? "half" : scalar->isDoubleTy() ? "double" : "float";
            });
    if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
        name += std::to_string(vector->getNumElements());
    return name;
}

// Attributes that came with numbers: kept as numbers, and as CL_KERNEL_ATTRIBUTES spells them.
void read_attributes(Kernel &kernel) {
    const llvm::Function &function = *kernel.function;
    std::vector<std::string> words;
    auto sizes = [&](StringRef name, uint32_t *target) {
        const llvm::MDNode *node = function.getMetadata(name);
        if (!node)
            return;
        for (unsigned i = 0; i < 3; ++i)
            target[i] = number(*node, i);
        words.push_back(llvm::formatv("{}({},{},{})", name, target[0], target[1], target[2]).str());
    };
    sizes("reqd_work_group_size", kernel.required_group_size);
    sizes("work_group_size_hint", kernel.group_size_hint);
    if (const llvm::MDNode *node = function.getMetadata("vec_type_hint")) {
        auto *example = llvm::cast<llvm::ValueAsMetadata>(node->getOperand(0));
        kernel.vector_type_hint = type_name(*example->getType(), number(*node, 1));
        words.push_back("vec_type_hint(" + kernel.vector_type_hint + ")");
    }
    if (const llvm::MDNode *node = function.getMetadata("intel_reqd_sub_group_size")) {
        kernel.required_sub_group_size = number(*node, 0);
        words.push_back(
            llvm::formatv("intel_reqd_sub_group_size({})", kernel.required_sub_group_size).str());
    }
    if (function.hasFnAttribute(sub_group_share_mark))
        words.push_back(
            llvm::formatv("qcom_reqd_sub_group_size(\"{}\")",
                          function.getFnAttribute(sub_group_share_mark).getValueAsString())
                .str());
    kernel.attributes = llvm::join(words, " ");
    kernel.uniform_work_groups =
        function.getFnAttribute("uniform-work-group-size").getValueAsBool();
}

} // namespace

std::vector<Kernel> find_kernels(llvm::Module &module) {
    std::vector<Kernel> kernels;
    for (llvm::Function &function : module) {
        if (function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL || function.isDeclaration())
            continue;
        Kernel &kernel = kernels.emplace_back();
        kernel.function = &function;
        kernel.name = function.getName();
        read_attributes(kernel);
        for (const llvm::Argument &value : function.args())
            kernel.arguments.push_back(
                describe(value, module.getDataLayout(), kernel.argument_bytes));
    }
    return kernels;
}

std::string name_in_source(StringRef name) {
    name.consume_front("__clang_ocl_kern_imp_");
    name.consume_back("_block_invoke");
    return demangle(name);
}

} // namespace rivulet::compiler

// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv_words.h"

#include <cstring>
#include <map>
#include <span>

namespace rivulet::compiler {
namespace {

using Words = std::vector<uint32_t>;

constexpr size_t bound_word = 3; // of the header
enum : uint32_t {                // of SPIR-V
    op_ext_inst_import = 11,
    op_ext_inst = 12,
    op_memory_model = 14,
    op_type_bool = 20,
    op_type_int = 21,
    op_type_float = 22,
    op_type_pointer = 32,
    op_constant_false = 42,
    op_constant = 43,
    op_constant_null = 46,
    op_function = 54,
    op_convert_ptr_to_u = 117,
    op_bitcast = 124,
    op_i_equal = 170,
    op_i_not_equal = 171,
    op_ptr_equal = 401,
    op_ptr_not_equal = 402,
    opencl_printf = 184, // an instruction of the set OpenCL.std
    storage_uniform_constant = 0,
    physical_32 = 1, // addressing model
};

class Adaptation {
public:
    std::expected<Words, std::string> of(const Words &module) {
        result_.assign(module.begin(), module.begin() + spirv_header_words);
        for (size_t at = spirv_header_words; at < module.size();) {
            const size_t count = module[at] >> 16;
            if (count == 0 || count > module.size() - at)
                return std::unexpected("an instruction is cut off");
            const std::span words(&module[at], count);
            at += count;
            note(words);
            if (!replace_scalar_null(words) && !replace_printf(words) && !replace_comparison(words))
                result_.insert(result_.end(), words.begin(), words.end());
        }
        return std::move(result_);
    }

private:
    using Instruction = std::span<const uint32_t>;
    static uint32_t operation(Instruction words) { return words[0] & 0xffff; }

    void add(uint32_t operation, Words operands) {
        result_.push_back(operation | static_cast<uint32_t>(operands.size() + 1) << 16);
        result_.insert(result_.end(), operands.begin(), operands.end());
    }
    uint32_t new_id() { return result_[bound_word]++; }

    void note(Instruction words) {
        const uint32_t op = operation(words);
        if (op == op_type_bool && words.size() > 1)
            widths_[words[1]] = bool_width;
        if ((op == op_type_int || op == op_type_float) && words.size() > 2)
            widths_[words[1]] = words[2];
        if (op == op_memory_model && words.size() > 1)
            address_bits_ = words[1] == physical_32 ? 32 : 64;
        if (op == op_ext_inst_import && words.size() > 2 &&
            !memcmp(&words[2], "Open", sizeof words[2])) // "OpenCL.std"
            opencl_ = words[1];
        if (op == op_function && !address_) { // types that are used below, after all others
            const uint32_t byte = new_id();
            add(op_type_int, {byte, 8, 0});
            add(op_type_pointer, {bytes_ = new_id(), storage_uniform_constant, byte});
            add(op_type_int, {address_ = new_id(), address_bits_, 0});
        }
    }

    // A zero is the same.
    bool replace_scalar_null(Instruction words) {
        auto scalar = operation(words) == op_constant_null && words.size() > 2
                          ? widths_.find(words[1])
                          : widths_.end();
        if (scalar == widths_.end())
            return false;
        const auto &[type, width] = *scalar;
        Words operands = {type, words[2]};
        if (width != bool_width)
            operands.resize(width > 32 ? 4 : 3);
        add(width == bool_width ? op_constant_false : op_constant, std::move(operands));
        return true;
    }

    // Formats of different lengths are of different types, and printf may have one only.
    bool replace_printf(Instruction words) {
        if (operation(words) != op_ext_inst || words.size() < 6 || words[3] != opencl_ ||
            words[4] != opencl_printf)
            return false;
        const uint32_t format = new_id();
        add(op_bitcast, {bytes_, format, words[5]});
        Words operands(words.begin() + 1, words.end());
        operands[4] = format;
        add(op_ext_inst, std::move(operands));
        return true;
    }

    // Comparisons of pointers came with SPIR-V 1.4.
    bool replace_comparison(Instruction words) {
        const uint32_t op = operation(words);
        if ((op != op_ptr_equal && op != op_ptr_not_equal) || words.size() != 5)
            return false;
        const uint32_t left = new_id(), right = new_id();
        add(op_convert_ptr_to_u, {address_, left, words[3]});
        add(op_convert_ptr_to_u, {address_, right, words[4]});
        add(op == op_ptr_equal ? op_i_equal : op_i_not_equal, {words[1], words[2], left, right});
        return true;
    }

    static constexpr uint32_t bool_width = 1;
    Words result_;
    std::map<uint32_t, uint32_t> widths_; // of scalar types
    uint32_t address_bits_ = 64;
    uint32_t opencl_ = 0;  // ids: the set of instructions,
    uint32_t bytes_ = 0;   // the type of constant characters,
    uint32_t address_ = 0; // and of addresses as integers
};

} // namespace

std::expected<Words, std::string> adapt_to_llvm_spirv(const Words &module) {
    return Adaptation().of(module);
}

} // namespace rivulet::compiler

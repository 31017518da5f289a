// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/spirv_rewriter.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <string_view>

namespace rivulet::compiler {
namespace {

using Words = std::vector<uint32_t>;

constexpr size_t bound_word = 3; // of the header
enum : uint32_t {                // of SPIR-V
    op_extension = 10,
    op_ext_inst_import = 11,
    op_ext_inst = 12,
    op_memory_model = 14,
    op_capability = 17,
    op_type_bool = 20,
    op_type_int = 21,
    op_type_float = 22,
    op_type_vector = 23,
    op_type_array = 28,
    op_type_struct = 30,
    op_type_pointer = 32,
    op_type_function = 33,
    op_constant_false = 42,
    op_constant = 43,
    op_constant_null = 46,
    op_function = 54,
    op_function_end = 56,
    op_function_call = 57,
    op_variable = 59,
    op_decorate = 71,
    op_load = 61,
    op_store = 62,
    op_copy_memory = 63,
    op_copy_memory_sized = 64,
    op_ptr_access_chain = 67,
    op_composite_construct = 80,
    op_composite_extract = 81,
    op_s_convert = 114,
    op_convert_ptr_to_u = 117,
    op_convert_u_to_ptr = 120,
    op_bitcast = 124,
    op_i_sub = 130,
    op_s_div = 135,
    op_i_equal = 170,
    op_i_not_equal = 171,
    op_copy_logical = 400,
    op_ptr_equal = 401,
    op_ptr_not_equal = 402,
    op_ptr_diff = 403,
    op_read_clock = 5056,
    op_decorate_string = 5632,
    op_member_decorate_string = 5633,
    opencl_printf = 184, // an instruction of the set OpenCL.std
    capability_shader_clock = 5055,
    decoration_linkage = 41,
    linkage_import = 1,
    scope_device = 1,
    scope_work_group = 2,
    storage_uniform_constant = 0,
    storage_function = 7,
    physical_32 = 1,    // addressing model
    memory_aligned = 2, // a memory operand that a number follows
};

class Adaptation {
public:
    std::expected<Words, std::string> of(const Words &module) {
        result_.assign(module.begin(), module.begin() + spirv_header_words);
        std::vector<Instruction> instructions;
        for (size_t at = spirv_header_words; at < module.size();) {
            const size_t count = module[at] >> 16;
            if (count == 0 || count > module.size() - at)
                return std::unexpected("an instruction is cut off");
            instructions.emplace_back(&module[at], count);
            at += count;
        }
        for (const Instruction words : instructions)
            if (operation(words) == op_read_clock && words.size() == 4)
                clocks_.try_emplace({words[1], words[3]});
        for (const Instruction words : instructions) {
            note(words);
            if (!replace_scalar_null(words) && !replace_printf(words) &&
                !replace_initializer(words) && !replace_comparison(words) &&
                !replace_difference(words) && !replace_logical_copy(words) &&
                !replace_memory_copy(words) && !replace_clock(words) &&
                !is_clock_declaration(words) && !is_string_decoration(words))
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
    void add_number(uint32_t id, uint32_t value) {
        Words operands = {address_, id, value};
        operands.resize(address_bits_ > 32 ? 4 : 3);
        add(op_constant, std::move(operands));
    }

    void note(Instruction words) {
        const uint32_t op = operation(words);
        if (op == op_type_bool && words.size() > 1)
            widths_[words[1]] = bool_width;
        if ((op == op_type_int || op == op_type_float) && words.size() > 2)
            widths_[words[1]] = words[2];
        if (op == op_type_vector && words.size() > 2)
            vectors_.insert(words[1]);
        if (op == op_constant && words.size() > 3)
            constants_[words[2]] = words[3];
        if (op == op_type_pointer && words.size() > 3)
            parts_[words[1]] = {words[3]};
        if (op == op_type_struct && words.size() > 1)
            parts_[words[1]] = Words(words.begin() + 2, words.end());
        if (op == op_type_array && words.size() > 3 && constants_[words[3]] <= longest_array)
            parts_[words[1]] = Words(constants_[words[3]], words[2]);
        if (words.size() > 2 && parts_.contains(words[1]))
            types_[words[2]] = words[1];
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
            add_number(null_ = new_id(), 0);
            add_number(one_ = new_id(), 1);
            declare_clocks();
        }
    }

    // SPV_KHR_shader_clock is newer than llvm-spirv 15: its only instruction becomes a call of
    // OpenCL C's function.
    void declare_clocks() {
        for (auto &[clock, function] : clocks_) {
            const auto [result, scope] = clock;
            const std::string base = vectors_.contains(result) ? "clock_read_hilo_" : "clock_read_";
            const std::string name = base + clock_of(constants_[scope]);
            const uint32_t type = new_id();
            function = new_id();
            add(op_type_function, {type, result});
            Words linkage = {function, decoration_linkage};
            append_text(linkage, "_Z" + std::to_string(name.size()) + name + "v");
            linkage.push_back(linkage_import);
            add(op_decorate, std::move(linkage));
            add(op_function, {result, function, 0, type});
            add(op_function_end, {});
        }
    }
    static const char *clock_of(uint32_t scope) {
        return scope == scope_device       ? "device"
               : scope == scope_work_group ? "work_group"
                                           : "sub_group";
    }
    static void append_text(Words &words, const std::string &text) {
        const size_t at = words.size();
        words.resize(at + text.size() / sizeof words[0] + 1); // zeros end it
        memcpy(&words[at], text.data(), text.size());
    }
    bool replace_clock(Instruction words) {
        if (operation(words) != op_read_clock || words.size() != 4)
            return false;
        add(op_function_call, {words[1], words[2], clocks_[{words[1], words[3]}]});
        return true;
    }
    static bool is_clock_declaration(Instruction words) {
        constexpr std::string_view name = "SPV_KHR_shader_clock";
        if (operation(words) == op_capability)
            return words.size() == 2 && words[1] == capability_shader_clock;
        return operation(words) == op_extension &&
               words.size() == 1 + name.size() / sizeof words[0] + 1 &&
               !memcmp(&words[1], name.data(), name.size());
    }

    // A null constant of scalar type is the same as zero.
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

    // Formats of different lengths have different types, but printf may have only one.
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

    // llvm-spirv turns a variable with an initialiser into one that all work-items share.
    bool replace_initializer(Instruction words) {
        if (operation(words) != op_variable || words.size() != 5 || words[3] != storage_function)
            return false;
        add(op_variable, {words[1], words[2], words[3]});
        add(op_store, {words[2], words[4]});
        return true;
    }

    // The instructions below came with SPIR-V 1.4.

    static bool is_string_decoration(Instruction words) {
        return operation(words) == op_decorate_string ||
               operation(words) == op_member_decorate_string;
    }

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

    // The difference is in elements. An element's size is the address of the second element of an
    // array at address null.
    bool replace_difference(Instruction words) {
        if (operation(words) != op_ptr_diff || words.size() != 5 || !types_.contains(words[3]))
            return false;
        const uint32_t left = new_id(), right = new_id(), bytes = new_id(), null = new_id(),
                       second = new_id(), size = new_id(), pointer = types_[words[3]];
        add(op_convert_ptr_to_u, {address_, left, words[3]});
        add(op_convert_ptr_to_u, {address_, right, words[4]});
        add(op_i_sub, {address_, bytes, left, right});
        add(op_convert_u_to_ptr, {pointer, null, null_});
        add(op_ptr_access_chain, {pointer, second, null, one_});
        add(op_convert_ptr_to_u, {address_, size, second});
        if (widths_[words[1]] == address_bits_) {
            add(op_s_div, {words[1], words[2], bytes, size});
        } else {
            const uint32_t elements = new_id();
            add(op_s_div, {address_, elements, bytes, size});
            add(op_s_convert, {words[1], words[2], elements});
        }
        return true;
    }

    // Copies from a structure or array type to another one with the same members.
    bool replace_logical_copy(Instruction words) {
        if (operation(words) != op_copy_logical || words.size() != 4 ||
            !types_.contains(words[3]) || !parts_.contains(words[1]))
            return false;
        rebuild(words[2], words[1], words[3], types_[words[3]]);
        return true;
    }
    void rebuild(uint32_t result, uint32_t type, uint32_t from, uint32_t from_type) {
        const Words &parts = parts_[type], &from_parts = parts_[from_type];
        Words operands = {type, result};
        for (uint32_t i = 0; i < parts.size() && i < from_parts.size(); ++i) {
            uint32_t part = new_id();
            add(op_composite_extract, {from_parts[i], part, from, i});
            if (parts[i] != from_parts[i]) {
                const uint32_t rebuilt = new_id();
                rebuild(rebuilt, parts[i], part, from_parts[i]);
                part = rebuilt;
            }
            operands.push_back(part);
        }
        add(op_composite_construct, std::move(operands));
    }

    // Source and destination may have separate memory operands; a single one applies to both.
    bool replace_memory_copy(Instruction words) {
        const bool sized = operation(words) == op_copy_memory_sized;
        const size_t fixed = sized ? 4 : 3;
        if ((!sized && operation(words) != op_copy_memory) || words.size() < fixed)
            return false;
        Instruction access = words.subspan(fixed);
        if (!access.empty())
            access =
                access.first(std::min<size_t>(access[0] & memory_aligned ? 2 : 1, access.size()));
        const auto with_access = [&](Words operands) {
            operands.insert(operands.end(), access.begin(), access.end());
            return operands;
        };
        if (sized) {
            add(op_copy_memory_sized, with_access({words[1], words[2], words[3]}));
            return true;
        }
        const auto source = types_.find(words[2]);
        if (source == types_.end() || parts_[source->second].size() != 1)
            return false;
        const uint32_t value = new_id();
        add(op_load, with_access({parts_[source->second][0], value, words[2]}));
        add(op_store, with_access({words[1], value}));
        return true;
    }

    static constexpr uint32_t bool_width = 1;
    Words result_;
    static constexpr uint32_t longest_array = 65536; // of those that are copied member by member
    std::map<uint32_t, uint32_t> widths_;            // of scalar types
    std::map<uint32_t, Words> parts_; // what pointers point to; the members of structures, arrays
    std::map<uint32_t, uint32_t> types_;                       // of values that are such
    std::map<uint32_t, uint32_t> constants_;                   // their low words
    std::set<uint32_t> vectors_;                               // types
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> clocks_; // of type and scope: a function
    uint32_t address_bits_ = 64;
    uint32_t opencl_ = 0;         // ids: the set of instructions,
    uint32_t bytes_ = 0;          // the type of constant characters,
    uint32_t address_ = 0;        // of addresses as integers,
    uint32_t null_ = 0, one_ = 0; // and two of those
};

} // namespace

std::expected<Words, std::string> adapt_to_llvm_spirv(const Words &module) {
    return Adaptation().of(module);
}

} // namespace rivulet::compiler

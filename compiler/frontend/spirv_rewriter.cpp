// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/spirv_rewriter.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

#include "compiler/frontend/spirv_lines.h"
#include "compiler/frontend/spirv_writer.h"

namespace rivulet::compiler {
namespace {

using namespace spirv;
using Outcome = std::expected<void, std::string>;

enum : uint32_t { // operands
    opencl_fma = 26,
    opencl_s_mul_hi = 160,
    opencl_printf = 184,
    opencl_u_mul_hi = 203,
    decoration_function_parameter = 38,
    parameter_no_read_write = 7,
    decoration_linkage_attributes = 41,
    scope_device = 1,
    scope_work_group = 2,
    storage_uniform_constant = 0,
    storage_workgroup = 4,
    storage_cross_workgroup = 5,
    storage_function = 7,
    storage_generic = 8,
    physical_32 = 1, // an addressing model, as is physical_64
    physical_64 = 2,
    memory_model_opencl = 2,
    memory_volatile = 1,
    memory_aligned = 2, // a number follows
    memory_nontemporal = 4,
    memory_flags_with_id = 0x30018, // an id follows each of them
    image_nontemporal = 0x4000,
    mode_local_size = 17,
    mode_local_size_hint = 18,
    mode_sub_groups_per_work_group = 36,
    mode_sub_groups_per_work_group_id = 37,
    mode_local_size_id = 38,
    mode_local_size_hint_id = 39,
    undefined_component = 0xffffffff, // of a shuffle
};

// A function that producers write for llvm.memset has a body, and a name that makes llvm-spirv
// return to the intrinsic; that of llvm-spirv 15 has pointees in its name, which producers no
// longer write.
constexpr std::string_view memset_prefix = "spirv.llvm_memset_";
std::string plain_memset(std::string_view name) {
    return "memset_" + std::string(name.substr(memset_prefix.size()));
}

// Whether an extension or a capability has only instructions that are replaced here, so that the
// translator, which may be older, need not know it.
bool is_replaced(std::string_view extension) {
    return extension == "SPV_KHR_shader_clock" || extension == "SPV_KHR_non_semantic_info" ||
           extension == "SPV_KHR_fma" || extension.starts_with("SPV_EXT_shader_atomic_float");
}
bool is_replaced(uint32_t capability) {
    switch (capability) {
    case 5055: // ShaderClockKHR
    case 5612: // AtomicFloat32MinMaxEXT
    case 5613: // AtomicFloat64MinMaxEXT
    case 5616: // AtomicFloat16MinMaxEXT
    case 6030: // FMAKHR
    case 6033: // AtomicFloat32AddEXT
    case 6034: // AtomicFloat64AddEXT
    case 6095: // AtomicFloat16AddEXT
        return true;
    default:
        return false;
    }
}

// Capabilities with which modules are built.
constexpr uint32_t readable_capabilities[] = {
#define RVL_SPIRV_CAPABILITY(number, name, needs) number,
#define RVL_SPIRV_UNDERSTOOD(number, name) number,
#include "hal/protocol/spirv.def"
};

// Why modules with any other capability are not built.
std::string refusal(uint32_t capability) {
    switch (capability) {
#define RVL_SPIRV_REFUSED(number, name)                                                            \
    case number:                                                                                   \
        return "asks for " #name ", which the device doesn't offer to kernels";
#include "hal/protocol/spirv.def"
    default:
        return "asks for the capability " + std::to_string(capability) +
               ", which modules for OpenCL don't have";
    }
}

class Adaptation {
public:
    Adaptation(const Module &module, DebugInformation debug)
        : module_(module), debug_(debug), writer_(module),
          lines_(module, writer_, debug == DebugInformation::kept) {}

    std::expected<Words, std::string> of(std::span<const uint32_t> header) {
        for (const Instruction &words : module_.instructions()) {
            writer_.enter(words);
            if (auto fine = take(words); !fine)
                return std::unexpected(fine.error());
        }
        if (!has_memory_model_)
            return std::unexpected("it ends at word " + std::to_string(module_.size()) +
                                   " without OpMemoryModel");
        return writer_.module(header);
    }

private:
    Outcome take(const Instruction &words) {
        switch (words.operation()) {
        case op::Name:
            return replace_name(words);
        case op::Extension:
            if (!is_replaced(words.text(1)))
                writer_.copy(words);
            return {};
        case op::ExtInstImport:
            return replace_import(words);
        case op::ExtInst:
            return replace_extended_instruction(words);
        case op::MemoryModel:
            return replace_memory_model(words);
        case op::Capability:
            if (std::ranges::find(readable_capabilities, words[1]) ==
                std::end(readable_capabilities))
                return words.error(refusal(words[1]));
            if (!is_replaced(words[1]))
                writer_.copy(words);
            return {};
        case op::EntryPoint: // llvm-spirv makes no kernel of one without its function, and succeeds
            if (!module_.definition(words[2], op::Function))
                return words.error("names the function " + std::to_string(words[2]) +
                                   ", which the module doesn't have");
            writer_.copy(words);
            return {};
        case op::ExecutionModeId:
            return replace_execution_mode(words);
        case op::Decorate:
            return replace_decoration(words);
        case op::DecorateId: // that a value is uniform, which the compiler finds out by itself
        case op::DecorateString:
        case op::MemberDecorateString:
            return {};
        case op::Line:
            lines_.add(words[1], words[2], words[3]);
            return {};
        case op::NoLine: // llvm-spirv 15 doesn't know it
            return {};
        case op::Label:
            lines_.enter_block();
            writer_.copy(words);
            return {};
        case op::Function:
            lines_.enter_function(words[2]);
            writer_.copy(words);
            return {};
        case op::Branch:
        case op::BranchConditional:
        case op::Switch:
        case op::Return:
        case op::ReturnValue:
        case op::Unreachable:
            lines_.leave_block();
            writer_.copy(words);
            return {};
        case op::ConstantNull:
            return replace_null(words);
        case op::Variable:
            return replace_variable(words);
        case op::CopyMemory:
        case op::CopyMemorySized:
            return replace_memory_copy(words);
        case op::ImageSampleExplicitLod:
        case op::ImageFetch:
        case op::ImageRead:
            return drop_image_hint(words, 5);
        case op::ImageWrite:
            return drop_image_hint(words, 4);
        case op::VectorShuffle:
            return replace_shuffle(words);
        case op::CompositeConstruct:
            return construct(words);
        case op::QuantizeToF16:
            return replace_quantization(words);
        case op::IAddCarry:
        case op::ISubBorrow:
        case op::UMulExtended:
        case op::SMulExtended:
            return replace_wide_arithmetic(words);
        case op::FmaKHR:
            writer_.add(op::ExtInst,
                        {words[1], words[2], opencl_, opencl_fma, words[3], words[4], words[5]});
            return {};
        case op::AtomicFAddEXT:
        case op::AtomicFMinEXT:
        case op::AtomicFMaxEXT:
            return replace_float_atomic(words);
        case op::GroupAsyncCopy:
            return check_async_copy(words);
        case op::SizeOf:
            return replace_size(words);
        case op::CopyLogical:
            return replace_logical_copy(words);
        case op::Bitcast:
            return replace_bitcast(words);
        case op::PtrEqual:
        case op::PtrNotEqual:
            return replace_comparison(words);
        case op::PtrDiff:
            return replace_difference(words);
        case op::ReadClockKHR:
            return replace_clock(words);
        default:
            writer_.copy(words);
            return {};
        }
    }

    // Copies an instruction with another text from a word on.
    void copy_with_text(const Instruction &words, size_t at, const std::string &text) {
        const size_t end = at + words.text(at).size() / sizeof words[0] + 1;
        Words operands(words.words.begin() + 1, words.words.begin() + static_cast<ptrdiff_t>(at));
        append_text(operands, text);
        if (end < words.size())
            operands.insert(operands.end(), words.words.begin() + static_cast<ptrdiff_t>(end),
                            words.words.end());
        writer_.add(words.operation(), operands);
    }
    Outcome replace_name(const Instruction &words) {
        const std::string_view name = words.text(2);
        if (name.starts_with(memset_prefix))
            copy_with_text(words, 2, plain_memset(name));
        else
            writer_.copy(words);
        return {};
    }
    Outcome replace_decoration(const Instruction &words) {
        if (words[2] == decoration_linkage_attributes && words.text(3).starts_with(memset_prefix))
            copy_with_text(words, 3, plain_memset(words.text(3)));
        else if (words.size() != 4 || words[2] != decoration_function_parameter ||
                 words[3] != parameter_no_read_write)
            writer_.copy(words);
        return {};
    }

    // SPV_KHR_non_semantic_info: a module means the same without these.
    Outcome replace_import(const Instruction &words) {
        const std::string_view name = words.text(2);
        if (name == "OpenCL.std")
            opencl_ = words[1];
        const bool is_debug = is_debug_set(name);
        if (name != "OpenCL.std" && !is_debug && !name.starts_with("NonSemantic."))
            return words.error("imports the instructions " + std::string(name) +
                               "; modules for OpenCL have OpenCL.std");
        if (name.starts_with("NonSemantic.") || (is_debug && debug_ == DebugInformation::dropped))
            non_semantic_[words[1]] = is_non_semantic_debug_set(name);
        else
            writer_.copy(words);
        return {};
    }
    Outcome replace_memory_model(const Instruction &words) {
        if (words[1] != physical_32 && words[1] != physical_64)
            return words.error("has the addressing model " + std::to_string(words[1]) +
                               "; modules for OpenCL have Physical32 or Physical64");
        if (words[2] != memory_model_opencl)
            return words.error("has the memory model " + std::to_string(words[2]) +
                               "; modules for OpenCL have OpenCL");
        has_memory_model_ = true;
        writer_.address_bits = words[1] == physical_32 ? 32 : 64;
        if (!opencl_) {
            Words operands{opencl_ = writer_.new_id()};
            append_text(operands, "OpenCL.std");
            writer_.add(op::ExtInstImport, operands);
        }
        lines_.import_set();
        writer_.copy(words);
        return {};
    }

    Outcome replace_extended_instruction(const Instruction &words) {
        if (const auto set = non_semantic_.find(words[3]); set != non_semantic_.end()) {
            if (set->second)
                lines_.add(words);
            return {};
        }
        if (words[3] != opencl_ || words[4] != opencl_printf || words.size() < 6) {
            writer_.copy(words);
            return {};
        }
        // Formats of different lengths have different types, but printf may have only one.
        const uint32_t bytes = writer_.type(
            op::TypePointer, {storage_uniform_constant, writer_.type(op::TypeInt, {8, 0})});
        Words operands(words.words.begin() + 1, words.words.end());
        operands[4] = writer_.value(op::Bitcast, bytes, {words[5]});
        writer_.add(op::ExtInst, operands);
        return {};
    }

    // OpExecutionModeId came with SPIR-V 1.2. Its constants are known here.
    Outcome replace_execution_mode(const Instruction &words) {
        const uint32_t mode = words[2] == mode_local_size_id        ? mode_local_size
                              : words[2] == mode_local_size_hint_id ? mode_local_size_hint
                              : words[2] == mode_sub_groups_per_work_group_id
                                  ? mode_sub_groups_per_work_group
                                  : 0u;
        if (!mode)
            return words.error("has the mode " + std::to_string(words[2]) +
                               ", which OpenCL doesn't have");
        Words operands{words[1], mode};
        for (const uint32_t id : words.words.subspan(3)) {
            const auto operand = module_.number(id);
            if (!operand)
                return words.error("needs constants, which id " + std::to_string(id) + " isn't");
            operands.push_back(*operand);
        }
        writer_.add(op::ExecutionMode, operands);
        return {};
    }

    // A null constant of scalar type is the same as zero.
    Outcome replace_null(const Instruction &words) {
        if (module_.definition(words[1], op::TypeBool)) {
            writer_.add(op::ConstantFalse, {words[1], words[2]});
        } else if (const uint32_t bits = writer_.width(words[1])) {
            Words operands{words[1], words[2]};
            operands.resize(bits > 32 ? 4 : 3);
            writer_.add(op::Constant, operands);
        } else {
            writer_.copy(words);
        }
        return {};
    }

    // llvm-spirv turns a variable with an initialiser into one that all work-items share.
    Outcome replace_variable(const Instruction &words) {
        if (words.size() != 5 || words[3] != storage_function) {
            writer_.copy(words);
            return {};
        }
        writer_.add(op::Variable, {words[1], words[2], words[3]});
        writer_.add(op::Store, {words[2], words[4]});
        return {};
    }

    // Composites of other values than constants are too much for llvm-spirv 15. A vector may also
    // consist of shorter ones.
    Outcome construct(const Instruction &words) {
        const auto from = words.words.subspan(3);
        const bool is_vector = module_.definition(words[1], op::TypeVector);
        uint64_t given = from.size();
        std::optional<uint64_t> wanted;
        if (is_vector) {
            wanted = module_.components(words[1]);
            given = 0;
            for (const uint32_t id : from)
                given += module_.components(module_.type_of(id));
        } else if (const auto *structure = module_.definition(words[1], op::TypeStruct)) {
            wanted = structure->size() - 2;
        } else if (const auto *array = module_.definition(words[1], op::TypeArray)) {
            wanted = module_.number((*array)[3]);
        }
        if (wanted && *wanted != given)
            return words.error("makes " + std::to_string(*wanted) + " parts of " +
                               std::to_string(given));
        if (!is_vector)
            return insert(words[1], words[2], from);
        Words scalars;
        for (const uint32_t id : from) {
            const uint32_t count = module_.components(module_.type_of(id));
            if (count == 1)
                scalars.push_back(id);
            for (uint32_t i = 0; i < count && count > 1; ++i)
                scalars.push_back(
                    writer_.value(op::CompositeExtract, module_.component(words[1]), {id, i}));
        }
        return insert(words[1], words[2], scalars);
    }
    Outcome insert(uint32_t composite, uint32_t result, std::span<const uint32_t> from) {
        uint32_t all = writer_.value(op::Undef, composite, {});
        for (uint32_t i = 0; i < from.size(); ++i) {
            const bool is_last = i + 1 == from.size();
            const uint32_t next = is_last ? result : writer_.new_id();
            writer_.add(op::CompositeInsert, {composite, next, from[i], all, i});
            all = next;
        }
        if (from.empty())
            writer_.add(op::CopyObject, {composite, result, all});
        return {};
    }

    // llvm-spirv 15 shuffles only vectors of the same length.
    Outcome replace_shuffle(const Instruction &words) {
        const uint32_t first = module_.components(module_.type_of(words[3])),
                       second = module_.components(module_.type_of(words[4])),
                       scalar = module_.component(words[1]);
        if (first == second) {
            writer_.copy(words);
            return {};
        }
        Words scalars;
        for (const uint32_t component : words.words.subspan(5))
            scalars.push_back(
                component == undefined_component ? writer_.value(op::Undef, scalar, {})
                : component < first
                    ? writer_.value(op::CompositeExtract, scalar, {words[3], component})
                    : writer_.value(op::CompositeExtract, scalar, {words[4], component - first}));
        return insert(words[1], words[2], scalars);
    }

    // The result is a structure of the low half, and the carry, borrow or high half.
    Outcome replace_wide_arithmetic(const Instruction &words) {
        const Words both = module_.members(words[1]);
        if (both.size() != 2 || both[0] != both[1] || !writer_.width(module_.component(both[0])))
            return words.error("has another result than a structure of two equal integers");
        const uint32_t number_type = both[0], left = words[3], right = words[4];
        uint32_t low = 0, high = 0;
        if (words.operation() == op::UMulExtended || words.operation() == op::SMulExtended) {
            const bool is_signed = words.operation() == op::SMulExtended;
            low = writer_.value(op::IMul, number_type, {left, right});
            high = writer_.value(
                op::ExtInst, number_type,
                {opencl_, is_signed ? opencl_s_mul_hi : opencl_u_mul_hi, left, right});
        } else {
            const bool is_sum = words.operation() == op::IAddCarry;
            uint32_t truth = writer_.type(op::TypeBool, {});
            if (const uint32_t count = module_.components(number_type); count > 1)
                truth = writer_.type(op::TypeVector, {truth, count});
            low = writer_.value(is_sum ? op::IAdd : op::ISub, number_type, {left, right});
            const uint32_t wraps =
                writer_.value(op::ULessThan, truth, is_sum ? Words{low, left} : Words{left, right});
            high = writer_.value(
                op::Select, number_type,
                {wraps, writer_.constant(number_type, 1), writer_.constant(number_type, 0)});
        }
        return insert(words[1], words[2], Words{low, high});
    }

    // No llvm-spirv has it. They reserve names that begin with __spirv_.
    Outcome replace_quantization(const Instruction &words) {
        const uint32_t count = module_.components(words[1]);
        if (writer_.width(module_.component(words[1])) != 32)
            return words.error("has another type than float and its vectors");
        const std::string name = "_Z25__rivulet_quantize_to_f16" +
                                 (count > 1 ? "Dv" + std::to_string(count) + "_" : "") + "f";
        writer_.add(op::FunctionCall,
                    {words[1], words[2], writer_.imported(name, words[1], {words[1]}), words[3]});
        return {};
    }

    // llvm-spirv up to 19 doesn't have them. The scope doesn't matter: the library's atomics are of
    // the widest one.
    Outcome replace_float_atomic(const Instruction &words) {
        const uint32_t pointer = module_.type_of(words[3]);
        const Instruction *definition = module_.definition(pointer, op::TypePointer);
        const uint32_t storage = definition ? (*definition)[2] : storage_function;
        const char *space = storage == storage_cross_workgroup ? "1"
                            : storage == storage_workgroup     ? "3"
                            : storage == storage_generic       ? "4"
                                                               : nullptr;
        const uint32_t bits = writer_.width(words[1]);
        const char *type = bits == 16 ? "Dh" : bits == 32 ? "f" : bits == 64 ? "d" : nullptr;
        if (!space || !type || !module_.definition(words[1], op::TypeFloat))
            return words.error("updates something else than a half, float or double in global or "
                               "local memory");
        const char *operation = words.operation() == op::AtomicFAddEXT   ? "add"
                                : words.operation() == op::AtomicFMinEXT ? "min"
                                                                         : "max";
        const std::string name =
            std::string("_Z20__rivulet_atomic_") + operation + "PU3AS" + space + type + "j" + type;
        const uint32_t number = writer_.type(op::TypeInt, {32, 0});
        writer_.add(op::FunctionCall,
                    {words[1], words[2],
                     writer_.imported(name, words[1], {pointer, number, words[1]}), words[3],
                     words[5], words[6]});
        return {};
    }

    // Other elements than numbers and vectors of them would be copied by a wrong size.
    Outcome check_async_copy(const Instruction &words) {
        const uint32_t element = module_.component(module_.pointee(module_.type_of(words[4])));
        if (!writer_.width(element)) {
            const Instruction *found = module_.definition(element);
            return words.error("copies elements that are neither numbers nor vectors of numbers" +
                               (found ? ", but of " + found->description() : ""));
        }
        writer_.copy(words);
        return {};
    }

    // The size of what a pointer type points to is the address of the second element of an array at
    // address null.
    uint32_t size_by(uint32_t pointer) {
        const uint32_t null =
            writer_.value(op::ConvertUToPtr, pointer, {writer_.constant(writer_.address(), 0)});
        const uint32_t second = writer_.value(op::PtrAccessChain, pointer,
                                              {null, writer_.constant(writer_.address(), 1)});
        return writer_.value(op::ConvertPtrToU, writer_.address(), {second});
    }
    void add_converted(uint32_t operation, const Instruction &words, uint32_t number) {
        const bool is_address = writer_.width(words[1]) == writer_.address_bits;
        writer_.add(is_address ? static_cast<uint32_t>(op::CopyObject) : operation,
                    {words[1], words[2], number});
    }
    Outcome replace_size(const Instruction &words) { // no llvm-spirv has it
        const uint32_t pointer = module_.type_of(words[3]);
        if (!module_.pointee(pointer))
            return words.error("has another operand than a pointer");
        add_converted(op::UConvert, words, size_by(pointer));
        return {};
    }

    // The instructions below came with SPIR-V 1.4.

    // Copies from a structure or array type to another one with the same members.
    Outcome replace_logical_copy(const Instruction &words) {
        return rebuild(words[2], words[1], words[3], module_.type_of(words[3]), words, 1);
    }
    Outcome rebuild(uint32_t result, uint32_t to, uint32_t value_from, uint32_t from,
                    const Instruction &words, uint32_t depth) {
        if (depth > most_nested) // a structure of an invalid module may contain itself
            return words.error("copies structures or arrays in more than " +
                               std::to_string(most_nested) + " others");
        const Words to_members = module_.members(to), from_members = module_.members(from);
        if (to_members.empty() || to_members.size() != from_members.size())
            return words.error(
                "copies between types that don't have the same members, or more than " +
                std::to_string(Module::longest_array));
        if ((copied_ += to_members.size()) > most_copied)
            return words.error("copies too many members");
        Words rebuilt;
        for (uint32_t i = 0; i < to_members.size(); ++i) {
            uint32_t member = writer_.value(op::CompositeExtract, from_members[i], {value_from, i});
            if (to_members[i] != from_members[i]) {
                const uint32_t copied = writer_.new_id();
                if (auto fine =
                        rebuild(copied, to_members[i], member, from_members[i], words, depth + 1);
                    !fine)
                    return fine;
                member = copied;
            }
            rebuilt.push_back(member);
        }
        return insert(to, result, rebuilt);
    }

    Outcome replace_comparison(const Instruction &words) {
        const uint32_t left = writer_.value(op::ConvertPtrToU, writer_.address(), {words[3]}),
                       right = writer_.value(op::ConvertPtrToU, writer_.address(), {words[4]});
        writer_.add(words.operation() == op::PtrEqual ? op::IEqual : op::INotEqual,
                    {words[1], words[2], left, right});
        return {};
    }

    // Since 1.5, between pointers and integers or vectors of integers, too. Types of extensions,
    // such as untyped pointers, are the translator's to know.
    Outcome replace_bitcast(const Instruction &words) {
        const uint32_t from = module_.type_of(words[3]), to = words[1];
        const bool from_pointer = module_.definition(from, op::TypePointer) != nullptr,
                   to_pointer = module_.definition(to, op::TypePointer) != nullptr;
        if (from_pointer == to_pointer || !module_.definition(from) || !module_.definition(to)) {
            writer_.copy(words);
            return {};
        }
        const uint32_t number = from_pointer ? to : from;
        const uint32_t components = module_.components(number);
        if (!module_.definition(module_.component(number), op::TypeInt) ||
            components * writer_.width(module_.component(number)) != writer_.address_bits)
            return words.error("has a pointer, and not an integer or a vector of integers of " +
                               std::to_string(writer_.address_bits) + " bits");
        if (from_pointer && components == 1)
            writer_.add(op::ConvertPtrToU, {to, words[2], words[3]});
        else if (from_pointer)
            writer_.add(
                op::Bitcast,
                {to, words[2], writer_.value(op::ConvertPtrToU, writer_.address(), {words[3]})});
        else
            writer_.add(op::ConvertUToPtr,
                        {to, words[2],
                         components == 1
                             ? words[3]
                             : writer_.value(op::Bitcast, writer_.address(), {words[3]})});
        return {};
    }

    // The difference is in elements.
    Outcome replace_difference(const Instruction &words) {
        const uint32_t pointer = module_.type_of(words[3]);
        if (!module_.pointee(pointer))
            return words.error("has other operands than pointers");
        const uint32_t left = writer_.value(op::ConvertPtrToU, writer_.address(), {words[3]}),
                       right = writer_.value(op::ConvertPtrToU, writer_.address(), {words[4]}),
                       bytes = writer_.value(op::ISub, writer_.address(), {left, right}),
                       size = size_by(pointer);
        add_converted(op::SConvert, words,
                      writer_.value(op::SDiv, writer_.address(), {bytes, size}));
        return {};
    }

    // What the memory operands at a word say about an access. The ids that some flags have are
    // skipped: they limit what may alias, or belong to other memory models.
    struct Access {
        uint32_t flags = 0, alignment = 0;

        static Access at(const Instruction &words, size_t &index) {
            Access access;
            if (index >= words.size())
                return access;
            const uint32_t mask = words[index++];
            access.flags = mask & (memory_volatile | memory_nontemporal);
            if (mask & memory_aligned && index < words.size()) {
                access.flags |= memory_aligned;
                access.alignment = words[index++];
            }
            index += static_cast<size_t>(std::popcount(mask & memory_flags_with_id));
            return access;
        }
        // What holds for an access that is both.
        Access operator&(const Access &other) const {
            return {(flags & other.flags) | ((flags | other.flags) & memory_volatile),
                    std::min(alignment, other.alignment)};
        }
        Words after(Words operands) const {
            if (flags)
                operands.push_back(flags);
            if (flags & memory_aligned)
                operands.push_back(alignment);
            return operands;
        }
    };

    // Target and source may have memory operands of their own, in this order; one for both was all
    // before 1.4.
    Outcome replace_memory_copy(const Instruction &words) {
        const bool sized = words.operation() == op::CopyMemorySized;
        size_t index = sized ? 4 : 3;
        const Access to = Access::at(words, index),
                     from = index < words.size() ? Access::at(words, index) : to;
        if (sized) {
            writer_.add(op::CopyMemorySized, (to & from).after({words[1], words[2], words[3]}));
            return {};
        }
        const uint32_t copied = module_.pointee(module_.type_of(words[2]));
        if (!copied)
            return words.error("has another source than a pointer");
        const uint32_t value = writer_.value(op::Load, copied, from.after({words[2]}));
        writer_.add(op::Store, to.after({words[1], value}));
        return {};
    }

    // Nontemporal is a hint without an operand of its own. llvm-spirv 15 finds no built-in function
    // for a read that has it. `mask` is the word that says which operands there are.
    Outcome drop_image_hint(const Instruction &words, size_t mask) {
        if (words.size() <= mask || !(words[mask] & image_nontemporal)) {
            writer_.copy(words);
            return {};
        }
        Words operands;
        for (size_t i = 1; i < words.size(); ++i)
            operands.push_back(i == mask ? words[i] & ~image_nontemporal : words[i]);
        if (words.size() == mask + 1 && operands.back() == 0)
            operands.pop_back();
        writer_.add(words.operation(), operands);
        return {};
    }

    // SPV_KHR_shader_clock is newer than llvm-spirv 15: its only instruction becomes a call of
    // OpenCL C's function.
    Outcome replace_clock(const Instruction &words) {
        const auto scope = module_.number(words[3]);
        const std::string name =
            std::string(module_.components(words[1]) > 1 ? "clock_read_hilo_" : "clock_read_") +
            (scope == scope_device       ? "device"
             : scope == scope_work_group ? "work_group"
                                         : "sub_group");
        const std::string mangled = "_Z" + std::to_string(name.size()) + name + "v";
        writer_.add(op::FunctionCall,
                    {words[1], words[2], writer_.imported(mangled, words[1], {})});
        return {};
    }

    const Module &module_;
    DebugInformation debug_;
    Writer writer_;
    Lines lines_;
    std::map<uint32_t, bool> non_semantic_; // sets of instructions; whether they may have lines
    uint32_t opencl_ = 0;                   // the set OpenCL.std
    bool has_memory_model_ = false;
    size_t copied_ = 0; // members, by all OpCopyLogical
    static constexpr size_t most_copied = 16 * Module::longest_array;
    // 2.17: a structure may count on 255 levels; as many arrays may be between them.
    static constexpr uint32_t most_nested = 512;
};

} // namespace

std::expected<Words, std::string> adapt_to_llvm_spirv(const Words &words, DebugInformation debug) {
    const auto module = Module::of(words);
    if (!module)
        return std::unexpected(module.error());
    return Adaptation(*module, debug).of(std::span(words).first(header_words));
}

} // namespace rivulet::compiler

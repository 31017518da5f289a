// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/spirv_writer.h"

#include <algorithm>
#include <cstring>

namespace rivulet::compiler::spirv {
namespace {

enum : uint32_t { decoration_linkage = 41, linkage_import = 1 };

// llvm-spirv 15 knows no newer version. What came later it knows as extensions, or the rewriter
// replaces it.
constexpr uint32_t version_1_4 = 0x10400;

// Before the first type, constant or variable of a module.
bool is_of_preamble(uint32_t operation) {
    return operation <= op::String ||
           (operation >= op::Extension && operation <= op::ExtInstImport) ||
           (operation >= op::MemoryModel && operation <= op::Capability) ||
           (operation >= op::Decorate && operation <= op::GroupMemberDecorate) ||
           operation == op::ModuleProcessed || operation == op::ExecutionModeId ||
           operation == op::DecorateId || operation == op::DecorateString ||
           operation == op::MemberDecorateString;
}

} // namespace

void append_text(Words &words, std::string_view text) {
    const size_t at = words.size();
    words.resize(at + text.size() / sizeof words[0] + 1); // zeros end it
    memcpy(&words[at], text.data(), text.size());
}

void Writer::enter(const Instruction &original) {
    if (part_ == preamble && !is_of_preamble(original.operation()))
        part_ = globals;
    if (original.operation() == op::Function)
        part_ = functions;
}

void Writer::add(Part part, uint32_t operation, const Words &operands) {
    parts_[part].push_back(operation | static_cast<uint32_t>(operands.size() + 1) << 16);
    parts_[part].insert(parts_[part].end(), operands.begin(), operands.end());
}

void Writer::copy(const Instruction &words) {
    parts_[part_].insert(parts_[part_].end(), words.words.begin(), words.words.end());
}

uint32_t Writer::value(uint32_t operation, uint32_t type, const Words &operands) {
    const uint32_t id = new_id();
    Words all{type, id};
    all.insert(all.end(), operands.begin(), operands.end());
    add(operation, all);
    return id;
}

uint32_t Writer::type(uint32_t operation, const Words &operands) {
    auto [known, is_new] = types_.try_emplace({operation, operands});
    if (!is_new)
        return known->second;
    for (const Instruction &words : module_.instructions())
        if (words.operation() == operation && std::ranges::equal(words.words.subspan(2), operands))
            return known->second = words[1];
    known->second = new_id();
    Words all{known->second};
    all.insert(all.end(), operands.begin(), operands.end());
    add(globals, operation, all);
    return known->second;
}

uint32_t Writer::constant(uint32_t type, uint32_t number) {
    if (const auto known = constants_.find({type, number}); known != constants_.end())
        return known->second;
    uint32_t operation = op::Constant;
    Words operands;
    if (const Instruction *vector = module_.definition(type, op::TypeVector)) {
        operation = op::ConstantComposite;
        operands.assign((*vector)[3], constant((*vector)[2], number));
    } else {
        operands = {number};
        operands.resize(width(type) > 32 ? 2 : 1);
    }
    const uint32_t id = new_id();
    operands.insert(operands.begin(), {type, id});
    add(globals, operation, operands);
    return constants_[{type, number}] = id;
}

uint32_t Writer::width(uint32_t type) const {
    const Instruction *scalar = module_.definition(type);
    if (scalar && (scalar->operation() == op::TypeInt || scalar->operation() == op::TypeFloat))
        return (*scalar)[2];
    const auto added = types_.find({op::TypeInt, {address_bits, 0}}); // by address()
    return added != types_.end() && added->second == type ? address_bits : 0;
}

uint32_t Writer::imported(const std::string &name, uint32_t result, const Words &parameters) {
    auto [known, is_new] = imports_.try_emplace(name);
    if (!is_new)
        return known->second;
    const uint32_t id = known->second = new_id();
    Words signature{result};
    signature.insert(signature.end(), parameters.begin(), parameters.end());
    Words linkage{id, decoration_linkage};
    append_text(linkage, name);
    linkage.push_back(linkage_import);
    add(annotations, op::Decorate, linkage);
    add(imports, op::Function, {result, id, 0, type(op::TypeFunction, signature)});
    for (const uint32_t parameter : parameters)
        add(imports, op::FunctionParameter, {parameter, new_id()});
    add(imports, op::FunctionEnd, {});
    return id;
}

Words Writer::module(std::span<const uint32_t> header) const {
    Words result(header.begin(), header.end());
    result[version_word] = std::min(result[version_word], version_1_4);
    result[bound_word] = bound_;
    for (const Words &part : parts_)
        result.insert(result.end(), part.begin(), part.end());
    return result;
}

} // namespace rivulet::compiler::spirv

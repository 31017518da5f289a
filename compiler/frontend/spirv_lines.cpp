// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/spirv_lines.h"

namespace rivulet::compiler::spirv {
namespace {

enum : uint32_t {
    non_semantic_line = 103,
    // Instructions of OpenCL.DebugInfo.100, and their operands.
    debug_compilation_unit = 1,
    debug_type_function = 8,
    debug_function = 20,
    debug_lexical_block = 21,
    debug_scope = 23,
    debug_source = 35,
    debug_information_version = 0x10000,
    dwarf_version = 4,
    language_opencl_c = 3,
    flag_definition = 8,
};

} // namespace

bool is_debug_set(std::string_view name) {
    return name == "OpenCL.DebugInfo.100" || name == "SPIRV.debug";
}

bool is_non_semantic_debug_set(std::string_view name) {
    return name.starts_with("NonSemantic.Shader.DebugInfo.");
}

Lines::Lines(const Module &module, Writer &writer, bool keeps_set)
    : module_(module), writer_(writer) {
    bool has_lines = false, has_set = false;
    for (const Instruction &words : module.instructions()) {
        has_lines |= words.operation() == op::Line;
        if (words.operation() == op::ExtInstImport) {
            has_lines |= is_non_semantic_debug_set(words.text(2));
            has_set |= keeps_set && is_debug_set(words.text(2));
        }
    }
    if (has_lines && !has_set)
        set_ = writer.new_id();
}

void Lines::import_set() {
    if (!set_)
        return;
    Words operands{set_};
    append_text(operands, "OpenCL.DebugInfo.100");
    writer_.add(op::ExtInstImport, operands);
}

uint32_t Lines::describe(Writer::Part part, uint32_t instruction, const Words &operands) {
    const uint32_t id = writer_.new_id();
    Words all{writer_.type(op::TypeVoid, {}), id, set_, instruction};
    all.insert(all.end(), operands.begin(), operands.end());
    writer_.add(part, op::ExtInst, all);
    return id;
}

uint32_t Lines::no_text() {
    if (!no_text_)
        writer_.add(Writer::preamble, op::String, {no_text_ = writer_.new_id(), 0});
    return no_text_;
}

uint32_t Lines::source(uint32_t file) {
    auto [known, is_new] = sources_.try_emplace(file);
    if (is_new)
        known->second = describe(Writer::globals, debug_source, {file, no_text()});
    return known->second;
}

// The file of a function's first line is the function's; lines of others are in blocks of it.
uint32_t Lines::scope(uint32_t file) {
    auto [known, is_new] = scopes_.try_emplace({function_, file});
    if (!is_new)
        return known->second;
    const uint32_t from = source(file);
    uint32_t &function = functions_[function_];
    if (function)
        return known->second =
                   describe(Writer::globals, debug_lexical_block, {from, 1, 1, function});
    if (!unit_) {
        unit_ = describe(Writer::globals, debug_compilation_unit,
                         {debug_information_version, dwarf_version, from, language_opencl_c});
        signature_ =
            describe(Writer::globals, debug_type_function, {0, writer_.type(op::TypeVoid, {})});
    }
    function = describe(
        Writer::globals, debug_function,
        {no_text(), signature_, from, 1, 1, unit_, no_text(), flag_definition, 1, function_});
    return known->second = function;
}

void Lines::add(uint32_t file, uint32_t line, uint32_t column) {
    if (!in_block_)
        return;
    if (set_)
        if (const uint32_t wanted = scope(file); wanted != scope_)
            describe(writer_.part(), debug_scope, {scope_ = wanted});
    writer_.add(op::Line, {file, line, column});
}

// DebugLine Source, Line Start, Line End, Column Start, Column End; DebugSource File, Text.
void Lines::add(const Instruction &debug_line) {
    if (debug_line[4] != non_semantic_line || debug_line.size() < 10)
        return;
    const auto line = module_.number(debug_line[6]), column = module_.number(debug_line[8]);
    if (!line || !column || *line == 0)
        return;
    // llvm-spirv 22 writes the file itself as the source.
    const Instruction *source = module_.definition(debug_line[5], op::ExtInst);
    if (source && source->size() > 5)
        add((*source)[5], *line, *column);
    else if (module_.definition(debug_line[5], op::String))
        add(debug_line[5], *line, *column);
}

} // namespace rivulet::compiler::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Lines of a SPIR-V module. llvm-spirv takes them over only in functions that the instruction set
// OpenCL.DebugInfo.100 describes; a module that has lines and not that set gets as much of it as is
// needed.
#ifndef RIVULET_COMPILER_FRONTEND_SPIRV_LINES_H
#define RIVULET_COMPILER_FRONTEND_SPIRV_LINES_H

#include <map>
#include <utility>

#include "compiler/frontend/spirv_writer.h"

namespace rivulet::compiler::spirv {

// Sets whose instructions llvm-spirv understands.
bool is_debug_set(std::string_view name);
// Sets with lines that it drops.
bool is_non_semantic_debug_set(std::string_view name);

class Lines {
public:
    // Whether the module's own instructions of such a set are written.
    Lines(const Module &module, Writer &writer, bool keeps_set);

    // To be called between the imports and the memory model, and at functions, labels and ends of
    // blocks.
    void import_set();
    void enter_function(uint32_t id) {
        function_ = id;
        in_block_ = false;
    }
    void enter_block() {
        scope_ = 0;
        in_block_ = true;
    }
    void leave_block() { in_block_ = false; }

    // Lines of other instructions than a block's are dropped: parameters and labels may have one,
    // but no scope.
    void add(uint32_t file, uint32_t line, uint32_t column);
    // DebugLine of a non-semantic set.
    void add(const Instruction &debug_line);

private:
    uint32_t describe(Writer::Part part, uint32_t instruction, const Words &operands);
    uint32_t source(uint32_t file);
    uint32_t scope(uint32_t file); // of the current function
    uint32_t no_text();

    const Module &module_;
    Writer &writer_;
    uint32_t set_ = 0; // of the added instructions; 0 if none are needed
    uint32_t unit_ = 0, signature_ = 0, no_text_ = 0;
    std::map<uint32_t, uint32_t> sources_;                     // by file
    std::map<uint32_t, uint32_t> functions_;                   // by function
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> scopes_; // by function and file
    uint32_t function_ = 0;                                    // that is being written
    uint32_t scope_ = 0;                                       // that its block has
    bool in_block_ = false;
};

} // namespace rivulet::compiler::spirv

#endif

// SPDX-License-Identifier: Apache-2.0
//
// SPIR-V: the runtime's look at a module, specialization constants, what rivulet-cc rewrites before
// the translator sees it, and its search for the instruction on which the translator failed.
#include <cstdlib>
#include <cstring>

#include "compiler/frontend/spirv_fault.h"
#include "compiler/frontend/spirv_rewriter.h"
#include "host-runtime/program/spirv.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const auto *bytes = reinterpret_cast<const std::byte *>(data);
    std::vector<std::byte> module(bytes, bytes + size);
    if (!rivulet::spirv::is_module(module))
        return 0;
    for (const size_t value_bytes : {1, 2, 4, 8}) {
        const std::vector<std::byte> value(value_bytes, std::byte{1});
        rivulet::spirv::specialize(module, 1, value);
    }
    if (!rivulet::spirv::is_module(module)) // whatever its constants are
        std::abort();
    std::vector<uint32_t> words(size / 4);
    std::memcpy(words.data(), module.data(), size);
    (void)rivulet::compiler::adapt_to_llvm_spirv(words);
    // The beginnings that the search tries are modules, too.
    (void)rivulet::compiler::find_spirv_fault(words, [&](const auto &beginning) {
        return !rivulet::compiler::adapt_to_llvm_spirv(beginning) || beginning.size() > size / 8;
    });
    return 0;
}

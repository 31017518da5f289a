// SPDX-License-Identifier: Apache-2.0
//
// Build options, and the search for #include directives that the cache makes in sources.
#include "compiler/frontend/build_options.h"
#include "host-runtime/compile/cache.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace rivulet;
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    for (const auto stage :
         {compiler::Stage::build, compiler::Stage::compile, compiler::Stage::link})
        (void)compiler::parse_options(text, stage);
    bool takes_value = false;
    (void)compiler::is_build_option(text, takes_value);
    const CompileRequest::Header header{"a.h", ""};
    (void)includes_files(text, {&header, 1});
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// From source and objects to an image: all steps, in order.
#ifndef RIVULET_COMPILER_PIPELINE_COMPILE_H
#define RIVULET_COMPILER_PIPELINE_COMPILE_H

#include <string>
#include <vector>

#include "compiler/frontend/front_end.h"
#include "compiler/support/remarks.h"
#include "hal/protocol/compile.h"

namespace rivulet::compiler {

enum class Output {
    syntax_tree, // text
    llvm,        // text: what the work-group pass gets
    spmd,        // text: what it makes of it
    assembly,    // text
    object,      // LLVM bitcode, to be linked
    image,
};

struct Job {
    Stage stage = Stage::build;
    Source source;                    // for build and compile
    std::string spirv;                // instead of the source
    std::vector<std::string> objects; // for link
    std::string options;
    std::string isa;
    unsigned vlen = 0; // exact, 0: any
    std::string core;  // as a device tree names it; -mcpu in the options overrides it
    bool remarks = false;
    bool time_report = false; // at the end of the log; build option -ftime-report asks for it too
    Output output = Output::image;
};

struct Result {
    rvl_compile_status status = RVL_COMPILE_OK;
    std::string bytes; // of the output asked for
    std::string log;
    Remarks remarks;
    std::string remarks_yaml; // the same as LLVM's tools read them, if the job asks for remarks
    std::string statistics;   // of each kernel that there is code of, one per line
};

// Told before each step where the compiler is, for reports of crashes.
using Progress = void (*)(const char *phase);

Result run(const Job &job, Progress progress = [](const char *) {});

} // namespace rivulet::compiler

#endif

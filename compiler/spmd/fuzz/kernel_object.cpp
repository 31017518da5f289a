// SPDX-License-Identifier: Apache-2.0
// For the differential tests: OpenCL C to an object file whose kernels can be linked and called.
//
//   kernel_object IN.cl ISA VLEN SUFFIX OUT.o [build options]
//
// ISA "work-items" leaves a kernel as it is for one work-item, on this machine: fibers.cpp runs it.
#include <fstream>
#include <iostream>
#include <sstream>

#include "compiler/codegen/codegen_driver.h"
#include "compiler/codegen/target.h"
#include "compiler/frontend/front_end.h"
#include "compiler/frontend/kernel_metadata.h"
#include "compiler/library/builtin_library_linker.h"
#include "compiler/pipeline/pass_pipelines.h"
#include "compiler/support/passes.h"
#include "compiler/support/verification.h"
#include "compiler/workgroup/workgroup.h"

using namespace rivulet::compiler;

namespace {

int fail(const std::string &why) {
    std::cerr << why << '\n';
    return 1;
}

std::string read(const char *path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

} // namespace

int main(int count, char **words) {
    if (count < 6)
        return fail("usage: kernel_object IN.cl ISA VLEN SUFFIX OUT.o [build options]");
    initialise_targets();
    std::string text;
    for (int i = 6; i < count; ++i)
        text += std::string(words[i]) + " ";
    auto options = parse_options(text, Stage::build);
    if (!options)
        return fail(options.error());
    bool work_items = std::string(words[2]) == "work-items";
    switch_verification(options->verify);
    auto target = make_target(work_items ? "host" : words[2], unsigned(std::stoul(words[3])));
    if (!target)
        return fail(target.error());
    auto library = BuiltinLibrary::of(target->xlen);
    if (!library)
        return fail(library.error());

    llvm::LLVMContext context;
    std::string log;
    Program program;
    program.module =
        compile_source(context, {words[1], read(words[1]), {}}, *options, *target, log);
    if (!program.module)
        return fail(log);
    program.vectorise = options->vectorise;
    program.optimise = options->optimise;
    program.inline_budget = options->inline_budget.value_or(program.inline_budget);
    program.kernels = find_kernels(*program.module);
    if (auto linked = (*library)->link_into(*program.module); !linked)
        return fail(linked.error());
    set_target(*program.module, *target);
    if (auto lowered = run_module_stage(PassStage::lowering, program, *target); !lowered)
        return fail(lowered.error());
    if (auto simplified = inline_and_simplify(program, *target); !simplified)
        return fail(simplified.error());
    Remarks remarks;
    if (!work_items) {
        if (auto lowered = lower_work_groups(program, *target, remarks); !lowered)
            return fail(lowered.error());
    }
    for (const Remark &remark : remarks.all())
        std::cerr << "remark: " << remark.kernel << ": " << remark.message << '\n';
    std::cerr << remarks.totals() << '\n';
    for (Kernel &kernel : program.kernels) {
        kernel.function->setName(kernel.name + words[4]);
        kernel.function->setVisibility(llvm::GlobalValue::DefaultVisibility);
    }
    run_module_stage(PassStage::flatten_address_spaces, program, *target);
    set_target(*program.module, *target);
    optimise(program, *target);
    Code code = generate_code(*program.module, *target, CodeKind::object);
    std::ofstream(words[5], std::ios::binary)
        .write(code.bytes.data(), std::streamsize(code.bytes.size()));
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// Uses what a version of a kernel knows of its images and samplers. A function that reads an image
// of any format has hundreds of instructions; for one format and sampler few are left, without
// branches.
//
// A function that gets such an image is cloned for what is known of its arguments, so that calls
// with the same knowledge share a clone, and those inside follow. In a clone, loads of the image's
// format are constants. This runs before the functions that stay functions are chosen, because it
// decides how large they are; and before anything is inlined, because a program of many reads would
// be large first and small only then. Functions of which nothing is known get a mark.
#include "compiler/lowering/known_arguments.h"

#include <map>

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/analysis/any_image.h"
#include "compiler/analysis/library_functions.h"
#include "compiler/support/analysis_managers.h"
#include "compiler/support/passes.h"
#include "compiler/support/program_pass.h"
#include "hal/protocol/launch.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(KnownArgumentsPass);

namespace {

// What is known of one argument.
struct Known {
    enum Kind { nothing, image, number } kind = nothing;
    std::array<uint32_t, 3> values{}; // order, type, bytes; or one number
    auto operator<=>(const Known &) const = default;
};
using Knowledge = std::vector<Known>; // of all arguments of a function

Known marked(const llvm::Argument &argument) {
    const AttributeSet attributes =
        argument.getParent()->getAttributes().getParamAttrs(argument.getArgNo());
    const auto values_of = [&](StringRef mark) {
        std::array<uint32_t, 3> values{};
        SmallVector<StringRef> numbers;
        attributes.getAttribute(mark).getValueAsString().split(numbers, ',');
        for (auto [text, value] : zip(numbers, values))
            text.getAsInteger(10, value);
        return values;
    };
    if (attributes.hasAttribute(image_mark))
        return {Known::image, values_of(image_mark)};
    if (attributes.hasAttribute(sampler_mark))
        return {Known::number, values_of(sampler_mark)};
    return {};
}

bool has_image(const Knowledge &knowledge) {
    return any_of(knowledge, [](const Known &known) { return known.kind == Known::image; });
}

class Cloner {
public:
    explicit Cloner(const Target &target) : analyses_(target) {}

    // Rewrites a kernel or a clone.
    void use(Function &function, const Knowledge &knowledge) {
        simplify(function);
        for (auto [argument, known] : zip(function.args(), knowledge))
            if (known.kind == Known::image)
                replace_loads(argument, known);
        // In the program's functions, a constant may be anything; it is passed on as a sampler's
        // bits only as long as it is the argument.
        const bool is_library = is_library_function(function);
        if (is_library)
            replace_numbers(function, knowledge);
        simplify(function);
        SmallVector<CallInst *> calls;
        for (Instruction &instruction : instructions(function))
            if (auto *call = dyn_cast<CallInst>(&instruction); call && !isa<IntrinsicInst>(call))
                calls.push_back(call);
        for (CallInst *call : calls)
            if (Function *callee = call->getCalledFunction();
                callee && !callee->isDeclaration() && !callee->isVarArg() &&
                call->getFunctionType() == callee->getFunctionType())
                redirect(*call, *callee, knowledge);
        if (!is_library)
            replace_numbers(function, knowledge);
    }

private:
    void simplify(Function &function) {
        run_stage(PassStage::known_arguments, function, analyses_.functions);
    }

    static void replace_numbers(Function &function, const Knowledge &knowledge) {
        for (auto [argument, known] : zip(function.args(), knowledge))
            if (known.kind == Known::number)
                argument.replaceAllUsesWith(ConstantInt::get(argument.getType(), known.values[0]));
    }

    static void replace_loads(llvm::Argument &image, const Known &known) {
        const DataLayout &layout = image.getParent()->getDataLayout();
        const std::pair<uint64_t, uint32_t> fields[] = {
            {offsetof(rvl_image_descriptor, channel_order), known.values[0]},
            {offsetof(rvl_image_descriptor, channel_data_type), known.values[1]},
            {offsetof(rvl_image_descriptor, element_bytes), known.values[2]},
        };
        for (Instruction &instruction : instructions(*image.getParent())) {
            auto *load = dyn_cast<LoadInst>(&instruction);
            if (!load || !load->isSimple() || !load->getType()->isIntegerTy(32))
                continue;
            APInt offset(layout.getIndexTypeSizeInBits(image.getType()), 0);
            if (load->getPointerOperand()->stripAndAccumulateConstantOffsets(
                    layout, offset, /*AllowNonInbounds=*/true) != &image)
                continue;
            for (auto [at, value] : fields)
                if (offset == at)
                    load->replaceAllUsesWith(ConstantInt::get(load->getType(), value));
        }
    }

    static Knowledge of_call(const CallInst &call, const Function &callee,
                             const Knowledge &knowledge) {
        Knowledge passed(call.arg_size());
        for (auto [value, known] : zip(call.args(), passed)) {
            if (auto *argument = dyn_cast<llvm::Argument>(value))
                known = knowledge[argument->getArgNo()];
            auto *number = dyn_cast<ConstantInt>(value);
            if (number && number->getType()->isIntegerTy(32) && is_library_function(callee))
                known = {Known::number, {static_cast<uint32_t>(number->getZExtValue())}};
        }
        return passed;
    }

    void redirect(CallInst &call, Function &callee, const Knowledge &knowledge) {
        Knowledge passed = of_call(call, callee, knowledge);
        if (!has_image(passed))
            return;
        auto [found, is_new] = clones_.try_emplace({&callee, passed}, nullptr);
        if (is_new) {
            ValueToValueMapTy map;
            Function *clone = CloneFunction(&callee, map);
            clone->setLinkage(GlobalValue::InternalLinkage);
            clone->removeFnAttr(any_image_mark);
            found->second = clone;
            use(*clone, passed);
        }
        call.setCalledFunction(found->second);
    }

    Analyses analyses_;
    std::map<std::pair<Function *, Knowledge>, Function *> clones_;
};

} // namespace

// By the type in the mangled name; the parameter has become a pointer.
static bool is_image_function(const Function &function) {
    return is_library_function(function) && function.getName().contains("ocl_image");
}

void KnownArgumentsPass::lower(Program &program, const Target &target, ModuleAnalysisManager &) {
    // Before clones for what is known are made.
    for (Function &function : *program.module)
        if (!function.isDeclaration() && is_image_function(function))
            function.addFnAttr(any_image_mark);
    for (Kernel &kernel : program.kernels) {
        Knowledge knowledge;
        for (const llvm::Argument &argument : kernel.function->args())
            knowledge.push_back(marked(argument));
        if (has_image(knowledge))
            Cloner(target).use(*kernel.function, knowledge);
        else if (any_of(kernel.arguments, [](const compiler::Argument &argument) {
                     return argument.kind == RVL_ARGUMENT_IMAGE;
                 }))
            kernel.function->addFnAttr(any_image_mark);
    }
}

} // namespace rivulet::compiler

// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/compile.h"

#include <optional>

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMRemarkStreamer.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>

#include "compiler/analysis/debug_mark.h"
#include "compiler/analysis/tuned_cores.h"
#include "compiler/codegen/asm_statistics.h"
#include "compiler/codegen/codegen_driver.h"
#include "compiler/codegen/target.h"
#include "compiler/frontend/debug_variables.h"
#include "compiler/frontend/kernel_metadata.h"
#include "compiler/frontend/kernel_version.h"
#include "compiler/frontend/matrix_tiles.h"
#include "compiler/frontend/program_constructors.h"
#include "compiler/frontend/spirv_options.h"
#include "compiler/frontend/spirv_reader.h"
#include "compiler/image/kernel_image_linker.h"
#include "compiler/lowering/address_sanitizer.h"
#include "compiler/lowering/large_buffers.h"
#include "compiler/pipeline/pass_pipelines.h"
#include "compiler/support/instruction_remarks.h"
#include "compiler/support/no_files.h"
#include "compiler/support/passes.h"
#include "compiler/support/time_report.h"
#include "compiler/support/verification.h"
#include "compiler/workgroup/workgroup.h"

namespace rivulet::compiler {
namespace {

using llvm::Module;
using llvm::StringRef;

// An exception that ends a job early.
struct Failure {
    rvl_compile_status status;
    std::string message;
};
template <class Value> using Maybe = std::expected<Value, Failure>;

std::unexpected<Failure> failed(std::string message) {
    return std::unexpected(Failure{RVL_COMPILE_FAILED, std::move(message)});
}

// LLVM's own warnings and errors go to the log as well.
struct LogDiagnostics : llvm::DiagnosticHandler {
    LogDiagnostics(std::string &log, Remarks *remarks) : log(log), remarks(remarks) {}
    bool isAnalysisRemarkEnabled(StringRef pass) const override { return is_wanted(pass); }
    bool isMissedOptRemarkEnabled(StringRef pass) const override { return is_wanted(pass); }
    bool isPassedOptRemarkEnabled(StringRef pass) const override { return is_wanted(pass); }
    bool isAnyRemarkEnabled() const override { return remarks; }
    bool is_wanted(StringRef pass) const { return remarks && pass == remark_pass; }
    bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
        if (auto *remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info)) {
            if (is_wanted(remark->getPassName()) && remark->getRemarkName() != scalar_region &&
                !is_large_version(remark->getFunction())) // the other version's say the same
                add(*remark);
            return true;
        }
        if (info.getSeverity() == llvm::DS_Error)
            had_error = true;
        else if (info.getSeverity() != llvm::DS_Warning)
            return true;
        llvm::raw_string_ostream stream(log);
        llvm::DiagnosticPrinterRawOStream printer(stream);
        stream << (info.getSeverity() == llvm::DS_Error ? "error: " : "warning: ");
        info.print(printer);
        stream << '\n';
        return true;
    }
    void add(const llvm::DiagnosticInfoOptimizationBase &diagnostic) const {
        StringRef file;
        unsigned line = 0, column = 0;
        if (diagnostic.isLocationAvailable())
            diagnostic.getLocation(file, line, column);
        remarks->add({diagnostic.getFunction().getName().str(), file.str(), line,
                      diagnostic.getMsg() + " [" + diagnostic.getRemarkName().str() + "]"});
    }
    std::string &log;
    Remarks *remarks; // null if they aren't wanted
    bool had_error = false;
};

std::string text_of(const Module &module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream, nullptr);
    return text;
}

std::string bitcode_of(const Module &module) {
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    const NoFiles no_files; // the table of symbols has those of assembly
    llvm::WriteBitcodeToFile(module, stream);
    return bytes;
}

Maybe<std::unique_ptr<Module>> link_objects(llvm::LLVMContext &context,
                                            const std::vector<std::string> &objects) {
    auto whole = std::make_unique<Module>("program", context);
    llvm::Linker linker(*whole);
    for (const std::string &object : objects) {
        auto part = llvm::parseBitcodeFile(llvm::MemoryBufferRef(object, "object"), context);
        if (!part)
            return std::unexpected(
                Failure{RVL_COMPILE_BAD_REQUEST,
                        "not a compiled program: " + llvm::toString(part.takeError()) + "\n"});
        if (whole->getDataLayout().isDefault()) {
            whole->setTargetTriple((*part)->getTargetTriple());
            whole->setDataLayout((*part)->getDataLayout());
        }
        if (linker.linkInModule(std::move(*part)))
            return failed("");
    }
    return whole;
}

// A kernel's attribute: it was compiled with -cl-kernel-arg-info.
constexpr llvm::StringLiteral argument_info = "rivulet-argument-info";

class Compilation {
public:
    Compilation(const Job &job, Progress progress, Result &result)
        : job_(job), progress_(progress), result_(result) {
        auto handler =
            std::make_unique<LogDiagnostics>(result.log, job.remarks ? &result.remarks : nullptr);
        diagnostics_ = handler.get();
        context_.setDiagnosticHandler(std::move(handler));
        if (job.remarks)
            llvm::cantFail(llvm::setupLLVMOptimizationRemarks(context_, remarks_stream_,
                                                              "^rivulet$", "yaml", false));
    }
    ~Compilation() {
        if (job_.remarks)
            llvm::finalizeLLVMOptimizationRemarks(context_);
    }

    Maybe<std::string> run() {
        Maybe<std::string> bytes = compiled();
        if (times_)
            result_.log += times_->text();
        return bytes;
    }

private:
    Maybe<std::string> compiled() {
        progress_("reading options");
        auto options = parse_options(job_.options, job_.stage);
        if (!options)
            return std::unexpected(Failure{RVL_COMPILE_BAD_OPTIONS, options.error() + "\n"});
        auto target = make_target(job_.isa, job_.vlen);
        if (!target)
            return std::unexpected(Failure{RVL_COMPILE_BAD_TARGET, target.error() + "\n"});
        options_ = std::move(*options);
        switch_verification(options_.verify);
        if (job_.time_report || options_.time_report)
            times_.emplace();
        target_ = std::move(*target);

        if (job_.output == Output::syntax_tree) {
            std::string tree;
            if (!dump_syntax_tree(job_.source, options_, target_, tree, result_.log))
                return failed("");
            return tree;
        }
        auto module = front();
        if (!module)
            return std::unexpected(module.error());
        if (auto fine = check_tiles(**module); !fine)
            return failed(fine.error());
        set_core(**module);
        if (job_.output == Output::object || options_.create_library)
            return bitcode_of(**module);
        if (options_.version.kernel.empty())
            round_as_versions(**module, target_);
        else if (auto made = make_version(**module, options_.version, target_); !made)
            return failed(made.error());
        if (auto gathered = gather_constructors(**module); !gathered)
            return failed(gathered.error());
        program_.module = std::move(*module);
        program_.options = job_.options;
        program_.optimise = options_.optimise;
        program_.initialise_local = options_.initialise_local;
        program_.large_buffers = options_.large_buffers;
        program_.inline_budget = options_.inline_budget.value_or(program_.inline_budget);
        program_.vectorise = target_.host ? Vectorise::off : options_.vectorise;
        return back();
    }

    // Marks functions with the core that they are tuned for. Without vectors there is nothing to
    // tune.
    void set_core(Module &module) const {
        const std::string core = options_.core.value_or(core_name(job_.core));
        for (llvm::Function &function : module) {
            function.removeFnAttr(core_attribute); // an object's
            if (!core.empty() && target_.min_vlen && !function.isDeclaration())
                function.addFnAttr(core_attribute, core);
        }
    }

    void begin(const char *phase) {
        progress_(phase);
        if (times_)
            times_->enter(phase);
    }

    Maybe<std::unique_ptr<Module>> front() {
        if (job_.stage == Stage::link) {
            begin("linking objects");
            return link_objects(context_, job_.objects);
        }
        if (!job_.spirv.empty()) {
            begin("reading SPIR-V");
            auto module = read_spirv(context_, job_.spirv, target_);
            if (!module)
                return failed(module.error());
            apply_options_to_spirv(**module, options_);
            return marked(std::move(*module));
        }
        begin("front end");
        auto module = compile_source(context_, job_.source, options_, target_, result_.log);
        if (!module)
            return failed("");
        return marked(std::move(module));
    }

    // The options of each part are recorded when it is compiled and read when parts are linked.
    std::unique_ptr<Module> marked(std::unique_ptr<Module> module) {
        for (llvm::Function &function : *module)
            if (options_.argument_info && function.hasMetadata("kernel_arg_name"))
                function.addFnAttr(argument_info);
        if (options_.sanitize)
            mark_for_sanitizer(*module);
        if (options_.debug && !options_.optimise && !target_.host) // gdb debugs harts
            keep_variables(*module);
        return module;
    }

    Maybe<std::string> back() {
        // Names of values are kept only where people see them.
        context_.setDiscardValueNames(job_.output != Output::llvm && job_.output != Output::spmd);
        begin("linking the built-in library");
        if (options_.sanitize && target_.host)
            result_.log +=
                "warning: -rv-sanitize=address: not for kernels that this machine runs\n";
        else if (options_.sanitize) // when linking, too
            mark_for_sanitizer(*program_.module);
        program_.kernels = find_kernels(*program_.module);
        // Lanes have no variables that a debugger could read.
        program_.debuggable = llvm::any_of(
            program_.kernels, [](const Kernel &kernel) { return is_debuggable(*kernel.function); });
        if (program_.debuggable)
            program_.vectorise = Vectorise::off;
        if (auto fitting = check_arguments(); !fitting)
            return std::unexpected(fitting.error());
        if (!target_.host)
            describe_bounds(program_);
        program_.argument_info = llvm::all_of(program_.kernels, [](const Kernel &kernel) {
            return kernel.function->hasFnAttribute(argument_info);
        });
        if (auto linked = run_module_stage(PassStage::rounding_modes, program_, target_); !linked)
            return failed(linked.error());
        if (target_.host)
            run_module_stage(PassStage::division_guards, program_, target_);
        begin("simplification");
        set_target(*program_.module, target_);
        if (auto lowered = run_module_stage(PassStage::lowering, program_, target_); !lowered)
            return failed(lowered.error());
        if (auto simplified = inline_and_simplify(program_, target_); !simplified)
            return failed(simplified.error());
        if (job_.output == Output::llvm)
            return text_of(*program_.module);

        begin("work-group pass");
        if (auto lowered = lower_work_groups(program_, target_, result_.remarks); !lowered)
            return failed(lowered.error());
        if (job_.output == Output::spmd)
            return text_of(*program_.module);

        run_module_stage(PassStage::lower_calls, program_, target_);
        if (auto valid = verify(); !valid)
            return std::unexpected(valid.error());

        begin("optimisation");
        run_module_stage(PassStage::describe_kernels, program_, target_);
        run_module_stage(PassStage::flatten_address_spaces, program_, target_);
        set_target(*program_.module, target_);
        optimise(program_, target_);
        if (diagnostics_->had_error)
            return failed("");

        begin("code generation");
        if (job_.output == Output::assembly) {
            Code code = generate_code(*program_.module, target_, CodeKind::assembly);
            for (const Kernel &kernel : program_.kernels)
                result_.statistics += "kernel " + kernel.name + ": " +
                                      to_text(code.frames[kernel.function->getName()].statistics) +
                                      "\n";
            return std::string(code.bytes.begin(), code.bytes.end());
        }
        auto image = make_image(program_, target_);
        if (!image || diagnostics_->had_error)
            return failed(image ? "" : image.error());
        for (const Kernel &kernel : program_.kernels)
            result_.statistics += "kernel " + kernel.name + ": " + to_text(kernel.statistics) +
                                  ", " + std::to_string(kernel.stack_bytes) + " bytes of stack\n";
        return *image;
    }

    // Twice CL_DEVICE_MAX_PARAMETER_SIZE, which does not count padding: no launch could set more.
    Maybe<void> check_arguments() const {
        for (const Kernel &kernel : program_.kernels)
            if (kernel.argument_bytes > RVL_MAX_ARGUMENT_BYTES)
                return failed(llvm::formatv("{}error: kernel '{}' takes {} bytes of arguments; at "
                                            "most {} are possible. Put them into a buffer\n",
                                            location_of(*kernel.function), kernel.name,
                                            kernel.argument_bytes, RVL_MAX_ARGUMENT_BYTES)
                                  .str());
        return {};
    }

    // "file:line: ", or nothing.
    static std::string location_of(const llvm::Function &function) {
        const llvm::DISubprogram *lines = function.getSubprogram();
        return lines ? llvm::formatv("{}:{}: ", lines->getFilename(), lines->getLine()).str() : "";
    }

    // Invalid code must not become wrong code. Invalid lines are only lost.
    Maybe<void> verify() {
        std::string complaints = "rivulet-cc: the work-group pass made invalid code: ";
        llvm::raw_string_ostream stream(complaints);
        bool lines_are_broken = false;
        if (llvm::verifyModule(*program_.module, &stream, &lines_are_broken))
            return std::unexpected(Failure{RVL_COMPILE_CRASHED, complaints});
        if (lines_are_broken)
            llvm::StripDebugInfo(*program_.module);
        return {};
    }

    std::optional<TimeReport> times_; // the pipelines' timers refer to it
    const Job &job_;
    Progress progress_;
    Result &result_;
    llvm::raw_string_ostream remarks_stream_{result_.remarks_yaml};
    llvm::LLVMContext context_;
    LogDiagnostics *diagnostics_;
    Options options_;
    Target target_;
    Program program_;
};

} // namespace

Result run(const Job &job, Progress progress) {
    Result result;
    auto bytes = Compilation(job, progress, result).run();
    if (bytes) {
        result.bytes = std::move(*bytes);
    } else {
        result.status = bytes.error().status;
        result.log += bytes.error().message;
    }
    return result;
}

} // namespace rivulet::compiler

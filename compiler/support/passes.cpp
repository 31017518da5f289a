// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/passes.h"

#include <array>
#include <optional>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/support/analysis_managers.h"
#include "compiler/support/program_pass.h"
#include "compiler/support/time_report.h"
#include "compiler/support/verification.h"

namespace rivulet::compiler {
namespace {

using llvm::StringRef;

llvm::cl::list<std::string> disabled("rvl-disable-pass", llvm::cl::CommaSeparated,
                                     llvm::cl::desc("Leave out passes of rivulet-cc's own"));

// One row of pipeline.def.
struct Row {
    enum { stage, pass, open, close, analysis, step, machine } kind;
    StringRef text, needs, gives, after;
};

constexpr Row rows[] = {
#define RVL_STAGE(id, unit, what) {Row::stage, #id, unit, what, ""},
#define RVL_PASS(text, needs, gives) {Row::pass, text, needs, gives, ""},
#define RVL_OPEN(text) {Row::open, text, "", "", ""},
#define RVL_CLOSE {Row::close, "", "", "", ""},
#define RVL_ANALYSIS(name, needs, gives) {Row::analysis, name, needs, gives, ""},
#define RVL_STEP(name, needs, gives) {Row::step, name, needs, gives, ""},
#define RVL_MACHINE_PASS(name, after, needs, gives) {Row::machine, name, needs, gives, after},
#include "compiler/passes/pipeline.def"
};

constexpr StringRef stage_names[] = {
#define RVL_STAGE(id, unit, what) #id,
#include "compiler/passes/pipeline.def"
};

// A stage's rows.
llvm::ArrayRef<Row> rows_of(PassStage stage) {
    const StringRef name = stage_names[static_cast<size_t>(stage)];
    const auto *first = llvm::find_if(
        rows, [&](const Row &row) { return row.kind == Row::stage && row.text == name; });
    const auto *last = std::find_if(first + 1, std::end(rows),
                                    [](const Row &row) { return row.kind == Row::stage; });
    return {first + 1, last};
}

bool is_over_modules(StringRef stage) {
    return llvm::any_of(rows, [&](const Row &row) {
        return row.kind == Row::stage && row.text == stage && row.needs == "module";
    });
}

// Runs the rest only if the first pass changed something.
class IfChanged : public llvm::PassInfoMixin<IfChanged> {
public:
    IfChanged(llvm::FunctionPassManager first, llvm::FunctionPassManager rest)
        : first_(std::move(first)), rest_(std::move(rest)) {}
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
        const llvm::PreservedAnalyses preserved = first_.run(function, analyses);
        if (preserved.areAllPreserved())
            return preserved;
        rest_.run(function, analyses);
        return llvm::PreservedAnalyses::none();
    }

private:
    llvm::FunctionPassManager first_, rest_;
};

std::string text_of(llvm::ArrayRef<llvm::PassBuilder::PipelineElement> elements) {
    std::string text;
    for (const auto &element : elements) {
        text += (text.empty() ? "" : ",") + element.Name.str();
        if (!element.InnerPipeline.empty())
            text += "(" + text_of(element.InnerPipeline) + ")";
    }
    return text;
}

} // namespace

llvm::AnalysisKey ProgramAnalysis::Key;

bool is_disabled(StringRef pass) { return llvm::is_contained(disabled, pass); }

std::string pipeline_text(PassStage stage) {
    std::string text;
    for (const Row &row : rows_of(stage)) {
        if (row.kind == Row::close) {
            text += ")";
            continue;
        }
        if (row.kind != Row::pass && row.kind != Row::open)
            continue;
        text += text.empty() || text.back() == '(' ? "" : ",";
        text += row.text;
        text += row.kind == Row::open ? "(" : "";
    }
    return text;
}

void add_own_passes(llvm::PassBuilder &builder) {
    register_passes(builder);
    builder.registerPipelineParsingCallback(
        [&builder](StringRef name, llvm::ModulePassManager &manager,
                   llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
            if (StringRef stage = name; stage.consume_front("rvl-stage-")) {
                const auto *found = llvm::find(stage_names, stage);
                if (found == std::end(stage_names) || !is_over_modules(stage))
                    return false;
                llvm::cantFail(builder.parsePassPipeline(
                    manager, pipeline_text(static_cast<PassStage>(found - stage_names))));
                return true;
            }
            return false;
        });
    builder.registerPipelineParsingCallback(
        [&builder](StringRef name, llvm::FunctionPassManager &manager,
                   llvm::ArrayRef<llvm::PassBuilder::PipelineElement> inner) {
            auto parse = [&](llvm::FunctionPassManager &into, const std::string &text) {
                if (llvm::Error error = builder.parsePassPipeline(into, text)) {
                    llvm::consumeError(std::move(error));
                    return false;
                }
                return true;
            };
            if (name == "rvl-if-changed" && inner.size() >= 2) {
                llvm::FunctionPassManager first, rest;
                if (!parse(first, text_of(inner.take_front())) ||
                    !parse(rest, text_of(inner.drop_front())))
                    return false;
                manager.addPass(IfChanged(std::move(first), std::move(rest)));
                return true;
            }
            if (StringRef stage = name; stage.consume_front("rvl-stage-")) {
                const auto *found = llvm::find(stage_names, stage);
                return found != std::end(stage_names) &&
                       parse(manager, pipeline_text(static_cast<PassStage>(found - stage_names)));
            }
            return false;
        });
}

template <class Manager> Manager &manager_of(PassStage stage) {
    static std::array<std::optional<Manager>, std::size(stage_names)> managers;
    auto &manager = managers[static_cast<size_t>(stage)];
    if (!manager) {
        llvm::PassBuilder builder;
        add_own_passes(builder);
        manager.emplace();
        llvm::cantFail(builder.parsePassPipeline(*manager, pipeline_text(stage)));
    }
    return *manager;
}

void run_passes(PassStage stage, llvm::Function &function,
                llvm::FunctionAnalysisManager &analyses) {
    manager_of<llvm::FunctionPassManager>(stage).run(function, analyses);
}

bool run_stage(PassStage stage, llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    const llvm::PreservedAnalyses preserved =
        manager_of<llvm::FunctionPassManager>(stage).run(function, analyses);
    analyses.clear(function, function.getName());
    return !preserved.areAllPreserved();
}

static std::expected<void, std::string> run_module_passes(PassStage stage, Program &program,
                                                          const Target &target,
                                                          llvm::ModuleAnalysisManager &analyses) {
    analyses.registerPass([&] { return ProgramAnalysis(program, target); });
    manager_of<llvm::ModulePassManager>(stage).run(*program.module, analyses);
    if (!program.error.empty())
        return std::unexpected(program.error);
    return {};
}

std::expected<void, std::string> run_module_stage(PassStage stage, Program &program,
                                                  const Target &target) {
    llvm::PassInstrumentationCallbacks callbacks;
    verify_after_each(callbacks);
    time_each_pass(callbacks);
    llvm::ModuleAnalysisManager analyses;
    analyses.registerPass([&] { return llvm::PassInstrumentationAnalysis(&callbacks); });
    return run_module_passes(stage, program, target, analyses);
}

std::expected<void, std::string> run_module_stage(PassStage stage, Program &program,
                                                  const Target &target, Analyses &analyses) {
    return run_module_passes(stage, program, target, analyses.modules);
}

void print_pipeline(llvm::raw_ostream &stream) {
    stream << "# All passes, in the order in which they run\n"
              "Names that begin with rvl- are rivulet-cc's own, the others LLVM's.\n\n";
    std::string indent;
    for (const Row &row : rows) {
        auto print = [&](StringRef name) {
            stream << "| " << indent << name << " | " << row.needs << " | " << row.gives << " |\n";
        };
        switch (row.kind) {
        case Row::stage:
            stream << (&row == rows ? "" : "\n") << "**" << row.text << "**, over each "
                   << row.needs << ": " << row.gives
                   << "\n\n| pass | needs | gives |\n|---|---|---|\n";
            break;
        case Row::open:
            stream << "| " << indent << "`" << row.text << "`: | | |\n";
            indent += "· ";
            break;
        case Row::close:
            indent.resize(indent.size() - StringRef("· ").size());
            break;
        case Row::pass:
            print(("`" + row.text + "`").str());
            break;
        case Row::analysis:
            print((row.text + " (analysis)").str());
            break;
        case Row::step:
            print(row.text);
            break;
        case Row::machine:
            print(("`" + row.text + "`, after " + row.after).str());
            break;
        }
    }
}

} // namespace rivulet::compiler

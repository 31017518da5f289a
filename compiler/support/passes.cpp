// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/passes.h"

#include <array>
#include <optional>
#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>

namespace rivulet::compiler {
namespace {

using llvm::StringRef;

llvm::cl::list<std::string> disabled("rvl-disable-pass", llvm::cl::CommaSeparated,
                                     llvm::cl::desc("Leave out passes of rivulet-cc's own"));

// One row of passes.def.
struct Row {
    enum { stage, pass, open, close, step, machine } kind;
    StringRef text, needs, gives, after;
};

constexpr Row rows[] = {
#define RVL_STAGE(id, unit, what) {Row::stage, #id, unit, what, ""},
#define RVL_PASS(text, needs, gives) {Row::pass, text, needs, gives, ""},
#define RVL_OPEN(text) {Row::open, text, "", "", ""},
#define RVL_CLOSE {Row::close, "", "", "", ""},
#define RVL_STEP(name, needs, gives) {Row::step, name, needs, gives, ""},
#define RVL_MACHINE_PASS(name, after, needs, gives) {Row::machine, name, needs, gives, after},
#include "compiler/support/passes.def"
};

constexpr StringRef stage_names[] = {
#define RVL_STAGE(id, unit, what) #id,
#include "compiler/support/passes.def"
};

std::vector<OwnPass> &registry() {
    static std::vector<OwnPass> passes;
    return passes;
}

// A stage's rows.
llvm::ArrayRef<Row> rows_of(PassStage stage) {
    const StringRef name = stage_names[static_cast<size_t>(stage)];
    const auto *first = llvm::find_if(
        rows, [&](const Row &row) { return row.kind == Row::stage && row.text == name; });
    const auto *last = std::find_if(first + 1, std::end(rows),
                                    [](const Row &row) { return row.kind == Row::stage; });
    return {first + 1, last};
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

OwnPass::OwnPass(StringRef name, Add add) : name(name), add(add) { registry().push_back(*this); }

llvm::ArrayRef<OwnPass> own_passes() { return registry(); }

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
    if (auto *callbacks = builder.getPassInstrumentationCallbacks())
        for (const OwnPass &pass : own_passes()) // for -print-after and others
            callbacks->addClassToPassName(pass.name, pass.name);
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
            const auto *pass =
                llvm::find_if(own_passes(), [&](const OwnPass &own) { return own.name == name; });
            if (pass == own_passes().end())
                return false;
            if (!llvm::is_contained(disabled, name))
                pass->add(manager);
            return true;
        });
}

void run_stage(PassStage stage, llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    static std::array<std::optional<llvm::FunctionPassManager>, std::size(stage_names)> managers;
    auto &manager = managers[static_cast<size_t>(stage)];
    if (!manager) {
        llvm::PassBuilder builder;
        add_own_passes(builder);
        manager.emplace();
        llvm::cantFail(builder.parsePassPipeline(*manager, pipeline_text(stage)));
    }
    manager->run(function, analyses);
    analyses.clear(function, function.getName());
}

void print_pipeline(llvm::raw_ostream &stream) {
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

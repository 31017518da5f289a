// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/build_options.h"

#include <algorithm>
#include <optional>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/analysis/tuned_cores.h"

namespace rivulet::compiler {
namespace {

enum Use : unsigned {
    compiles = 1 << 0,
    links = 1 << 1,
    pass = 1 << 2,  // clang knows it by the same name
    value = 1 << 3, // a word follows, or is glued on
    glued = 1 << 4, // what follows is glued on
};

struct Row {
    std::string_view name;
    unsigned use;
    void (*apply)(Options &) = nullptr;
};

// Clang takes these OpenCL options as macros only, or honours them in part.
constexpr auto contract_fast = [](Options &options) {
    options.front_end.push_back("-ffp-contract=fast");
};
constexpr auto finite = [](Options &options) {
    options.front_end.insert(options.front_end.end(), {"-menable-no-infs", "-menable-no-nans"});
};

// 5.6.4.1 … 5.6.4.7 and 5.6.5.1, 5.6.5.2
constexpr Row rows[] = {
    {"-D", compiles | pass | value},
    {"-I", compiles | pass | value},
    {"-cl-single-precision-constant", compiles | pass},
    {"-cl-denorms-are-zero", compiles | links},
    {"-cl-fp32-correctly-rounded-divide-sqrt", compiles | pass},
    {"-cl-opt-disable", compiles, [](Options &options) { options.optimise = false; }},
    {"-cl-strict-aliasing", compiles | pass},
    {"-cl-uniform-work-group-size", compiles | pass},
    {"-cl-no-subgroup-ifp", compiles | links},
    {"-cl-mad-enable", compiles | pass, contract_fast},
    {"-cl-no-signed-zeros", compiles | links | pass},
    {"-cl-no-signed-zeroes", links}, // 5.6.5.2 spells it so
    {"-cl-unsafe-math-optimizations", compiles | links | pass, contract_fast},
    {"-cl-finite-math-only", compiles | links | pass, finite},
    {"-cl-fast-relaxed-math", compiles | links | pass, contract_fast},
    {"-w", compiles | pass},
    {"-Werror", compiles | pass},
    {"-cl-std=", compiles | glued},
    {"-cl-kernel-arg-info", compiles, [](Options &options) { options.argument_info = true; }},
    {"-rvl-vectorize=", compiles | links | glued},
    {"-rvl-inline-budget=", compiles | links | glued},
    {"-rv-sanitize=", compiles | links | glued},
    {"-mcpu=", compiles | links | glued},
    {"-rvl-initialize-local", compiles | links,
     [](Options &options) { options.initialise_local = true; }},
    {"-rvl-initialize-private", compiles | links,
     [](Options &options) { options.initialise_private = true; }},
    {"-rvl-large-buffers", compiles | links,
     [](Options &options) { options.large_buffers = true; }},
    {"-rvl-kernel=", compiles | links | glued},
    {"-rvl-local-size=", compiles | links | glued},
    {"-rvl-image=", compiles | links | glued},
    {"-rvl-sampler=", compiles | links | glued},
    {"-rvl-verify", compiles | links, [](Options &options) { options.verify = true; }},
    {"-ftime-report", compiles | links, [](Options &options) { options.time_report = true; }},
    {"-g", compiles, [](Options &options) { options.debug = true; }},
    {"-create-library", links, [](Options &options) { options.create_library = true; }},
    {"-enable-link-options", links},
};

const Row *find_row(std::string_view word) {
    auto matches = [&](const Row &row) {
        return row.use & (value | glued) ? word.starts_with(row.name) : word == row.name;
    };
    auto row = std::ranges::find_if(rows, matches);
    return row == std::end(rows) ? nullptr : row;
}

// Words are separated by white space; quotes and backslashes keep it, as in a shell.
std::expected<std::vector<std::string>, std::string> split(std::string_view text) {
    std::vector<std::string> words;
    bool in_word = false;
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (!quote && (c == ' ' || (c >= '\t' && c <= '\r'))) {
            in_word = false;
            continue;
        }
        if (!in_word)
            words.emplace_back();
        in_word = true;
        if (c == quote)
            quote = 0;
        else if (!quote && (c == '"' || c == '\''))
            quote = c;
        else if (c == '\\' && quote != '\'' && i + 1 < text.size())
            words.back() += text[++i];
        else
            words.back() += c;
    }
    if (quote)
        return std::unexpected(llvm::formatv("build options: {} is not closed", quote).str());
    return words;
}

bool is_identifier(std::string_view name) {
    auto letter = [](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; };
    auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return !name.empty() && !digit(name[0]) && std::ranges::all_of(name, [&](char c) {
        return letter(c) || digit(c) || c == '_' || c == '$' || c & 0x80;
    });
}

std::optional<std::string> set_standard(Options &options, std::string_view version) {
    // OpenCL 3.0, 7.4 (appendix): 2.0's features are optional ones of 3.0. No query names 2.0,
    // but opencl.hpp and programs of that time pass it without asking. OpenCL C 3.1 is 3.0 with
    // functions of extensions that every device here has.
    options.language_version = version == "CL2.0" ? 200 : version == "CL3.1" ? 310 : 0;
    if (options.language_version != 0) {
        options.standard = "CL3.0";
        return std::nullopt;
    }
    // C++ for OpenCL 1.0 is to 2021 what OpenCL C 2.0 is to 3.0.
    if (version == "CLC++" || version == "CLC++1.0" || version == "CLC++2021") {
        options.language_version = version == "CLC++2021" ? 0 : 100;
        options.standard = "CLC++2021";
        return std::nullopt;
    }
    std::string known;
#define RVL_LANGUAGE(name, major, minor)                                                           \
    if (version == "CL" name) {                                                                    \
        options.standard = version;                                                                \
        return std::nullopt;                                                                       \
    }                                                                                              \
    known += " CL" name;
#include "hal/protocol/features.def"
    return llvm::formatv("build options: -cl-std={} is not supported; there are:{} CLC++2021",
                         version, known)
        .str();
}

// -rvl-vectorize=: this compiler's own, to compare.
std::optional<std::string> set_vectorise(Options &options, std::string_view which) {
    constexpr std::pair<std::string_view, Vectorise> names[] = {
        {"off", Vectorise::off}, {"loops", Vectorise::loops}, {"spmd", Vectorise::spmd}};
    for (auto [name, value] : names)
        if (which == name) {
            options.vectorise = value;
            return std::nullopt;
        }
    return llvm::formatv("build options: -rvl-vectorize={}: one of off, loops, spmd", which).str();
}

// -rvl-inline-budget=: 0 keeps all functions that can be called, to test calls.
std::optional<std::string> set_inline_budget(Options &options, std::string_view number) {
    uint32_t budget = 0;
    if (llvm::StringRef(number).getAsInteger(10, budget))
        return llvm::formatv("build options: -rvl-inline-budget={} is not a number", number).str();
    options.inline_budget = budget;
    return std::nullopt;
}

// -rvl-kernel=NAME: only this kernel, for launches of which more is known than the source says.
std::optional<std::string> set_kernel(Options &options, std::string_view name) {
    if (name.empty())
        return "build options: -rvl-kernel= needs a name";
    options.version.kernel = name;
    return std::nullopt;
}

// -rvl-local-size=X,Y,Z: of all launches of that kernel.
std::optional<std::string> set_local_size(Options &options, std::string_view sizes) {
    llvm::SmallVector<llvm::StringRef> numbers;
    llvm::StringRef(sizes).split(numbers, ',');
    uint64_t items = numbers.size() == 3;
    for (size_t d = 0; d < 3 && items; ++d) {
        if (numbers[d].getAsInteger(10, options.version.local_size[d]))
            items = 0;
        items *= options.version.local_size[d];
        items = items <= INT32_MAX ? items : 0;
    }
    if (items == 0)
        return llvm::formatv("build options: -rvl-local-size={}: three sizes are needed", sizes)
            .str();
    return std::nullopt;
}

// -rvl-image=ARGUMENT,ORDER,TYPE,BYTES: channel order, channel data type and size of an element of
// all images that this argument stands for. -rvl-sampler=ARGUMENT,BITS: likewise.
std::optional<std::string> set_known_argument(Options &options, std::string_view name,
                                              std::string_view numbers) {
    const bool is_sampler = name == "-rvl-sampler=";
    llvm::SmallVector<llvm::StringRef> words;
    llvm::StringRef(numbers).split(words, ',');
    const bool are_numbers = llvm::all_of(words, [](llvm::StringRef word) {
        uint32_t number = 0;
        return !word.getAsInteger(10, number);
    });
    if (!are_numbers || words.size() != (is_sampler ? 2 : 4))
        return llvm::formatv("build options: {}{}: {} numbers are needed", name, numbers,
                             is_sampler ? "two" : "four")
            .str();
    KernelVersion::Argument &argument = options.version.arguments.emplace_back();
    argument.is_sampler = is_sampler;
    words[0].getAsInteger(10, argument.index);
    argument.values = numbers.substr(numbers.find(',') + 1);
    return std::nullopt;
}

std::optional<std::string> set_sanitize(Options &options, std::string_view kind) {
    if (kind != "address")
        return llvm::formatv("build options: -rv-sanitize={}: there is only address", kind).str();
    options.sanitize = true;
    return std::nullopt;
}

// -mcpu=: never adds to the ISA, which is the device's.
std::optional<std::string> set_core(Options &options, std::string_view name) {
    options.core = name == "generic" ? "" : core_name(name);
    if (name == "generic" || !options.core->empty())
        return std::nullopt;
    return llvm::formatv("build options: -mcpu={}: code can't be tuned for this core; there are: "
                         "generic {}",
                         name, llvm::join(llvm::ArrayRef(tuned_cores), " "))
        .str();
}

// The argument of -D and -I.
std::optional<std::string> set_value(Options &options, std::string_view name,
                                     std::string_view argument) {
    if (argument.empty())
        return llvm::formatv("build options: {} needs an argument", name).str();
    if (name == "-D") {
        auto macro = argument.substr(0, argument.find_first_of("=("));
        if (!is_identifier(macro))
            return llvm::formatv("build options: -D: '{}' is not the name of a macro", macro).str();
    }
    options.front_end.emplace_back(name);
    options.front_end.emplace_back(argument);
    return std::nullopt;
}

} // namespace

std::expected<Options, std::string> parse_options(std::string_view text, Stage stage) {
    auto words = split(text);
    if (!words)
        return std::unexpected(words.error());
    Options options;
    const unsigned wanted = stage == Stage::link ? links : compiles;
    for (auto word = words->begin(); word != words->end(); ++word) {
        const Row *row = find_row(*word);
        if (!row)
            return std::unexpected(
                llvm::formatv("build options: unknown option '{}'", *word).str());
        if (!(row->use & wanted))
            return std::unexpected(llvm::formatv("build options: '{}' is an option for {}", *word,
                                                 stage == Stage::link ? "compiling" : "linking")
                                       .str());
        std::string_view rest = std::string_view(*word).substr(row->name.size());
        std::optional<std::string> error;
        if (row->use & value) {
            if (rest.empty() && word + 1 != words->end())
                rest = *++word;
            error = set_value(options, row->name, rest);
        } else if (row->use & glued) {
            error = row->name == "-cl-std="              ? set_standard(options, rest)
                    : row->name == "-rv-sanitize="       ? set_sanitize(options, rest)
                    : row->name == "-mcpu="              ? set_core(options, rest)
                    : row->name == "-rvl-inline-budget=" ? set_inline_budget(options, rest)
                    : row->name == "-rvl-kernel="        ? set_kernel(options, rest)
                    : row->name == "-rvl-local-size="    ? set_local_size(options, rest)
                    : row->name == "-rvl-image=" || row->name == "-rvl-sampler="
                        ? set_known_argument(options, row->name, rest)
                        : set_vectorise(options, rest);
        } else if (row->use & pass) {
            options.front_end.push_back(*word);
        }
        if (error)
            return std::unexpected(*error);
        if (row->apply)
            row->apply(options);
    }
    const KernelVersion &version = options.version;
    if (version.kernel.empty() != (version.local_size[0] == 0 && version.arguments.empty()))
        return std::unexpected("build options: -rvl-kernel= needs -rvl-local-size=, -rvl-image= or "
                               "-rvl-sampler=, and they need it");
    // 5.6.5.1
    if (!options.create_library && std::ranges::count(*words, "-enable-link-options"))
        return std::unexpected("build options: -enable-link-options needs -create-library");
    return options;
}

bool is_build_option(std::string_view word, bool &takes_value) {
    const Row *row = find_row(word);
    takes_value = row && (row->use & value) && word == row->name;
    return row || word.starts_with("-cl-");
}

} // namespace rivulet::compiler

// SPDX-License-Identifier: Apache-2.0
//
// rivulet-cc: the command line.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/codegen/target.h"
#include "compiler/frontend/spirv_reader.h"
#include "compiler/image/kernel_image_note.h"
#include "compiler/pipeline/compile.h"
#include "compiler/serve/serve.h"
#include "compiler/support/llvm_names.h"
#include "compiler/support/passes.h"
#include "compiler/support/version.h"
#include "tools/command_line/documents.h"
#include "tools/command_line/program.h"

using namespace rivulet::compiler;

namespace {

// An error that the user has to fix.
struct Complaint : std::runtime_error {
    using runtime_error::runtime_error;
};

struct CommandLine {
    std::vector<std::string> inputs;
    std::string output;
    std::string isa{default_isa};
    unsigned vlen = 0;
    Output emit = Output::image;
    bool print_pipeline = false;
    bool time_passes = false;
    bool stats = false, serve = false, dump = false;
    std::string remarks; // file; empty: none; remarks_as_text: for people, on standard error
    std::string build_options;
    std::string instructions;          // file
    std::vector<std::string> expected; // of LLVM
};

const std::map<std::string, Output> outputs = {
    {"ast", Output::syntax_tree}, {"llvm", Output::llvm},     {"spmd", Output::spmd},
    {"asm", Output::assembly},    {"object", Output::object}, {"image", Output::image}};

constexpr char remarks_as_text[] = ":text";

constexpr char footer[] =
    "Every other option is a build option of OpenCL (5.6.4): -D, -I, -w, -Werror, -g, -cl-std=…,\n"
    "-cl-fast-relaxed-math and so on. With objects as inputs they are link options (5.6.5):\n"
    "-create-library and so on.\n"
    "There is no --json: what comes out is code or text for people; --remarks=FILE is YAML.\n";

// Build options may be mixed with our own. They keep their order, each as a separate word.
std::vector<std::string> take_build_options(int argc, char **argv, std::string &options) {
    auto quoted = [](const std::string &word) {
        std::string result;
        for (char c : word) {
            if (c == ' ' || c == '\t' || c == '"' || c == '\'' || c == '\\')
                result += '\\';
            result += c;
        }
        return result + " ";
    };
    std::vector<std::string> rest;
    for (int i = 1; i < argc; ++i) {
        bool takes_value = false;
        if (!is_build_option(argv[i], takes_value)) {
            rest.insert(rest.begin(), argv[i]); // CLI11 expects them in reverse order
            continue;
        }
        options += quoted(argv[i]);
        if (takes_value && i + 1 < argc)
            options += quoted(argv[++i]);
    }
    if (!options.empty())
        options.pop_back();
    return rest;
}

std::string read_file(const std::string &path) {
    auto file = llvm::MemoryBuffer::getFile(path);
    if (!file)
        throw Complaint("cannot read '" + path + "': " + file.getError().message());
    return (*file)->getBuffer().str();
}

bool is_bitcode(const std::string &bytes) { return bytes.starts_with("BC\xc0\xde"); }

Job make_job(const CommandLine &line) {
    Job job;
    job.options = line.build_options;
    job.isa = line.isa;
    job.vlen = line.vlen;
    job.output = line.emit;
    job.remarks = !line.remarks.empty();
    job.time_report = line.time_passes;
    for (const std::string &path : line.inputs) {
        std::string text = read_file(path);
        if (is_bitcode(text)) {
            job.objects.push_back(std::move(text));
            continue;
        }
        if (text.starts_with(llvm::ELF::ElfMagic))
            throw Complaint("'" + path + "' is compiled already; --dump prints what it says");
        if (line.inputs.size() > 1)
            throw Complaint("'" + path + "' is no object; only objects can be linked");
        if (is_spirv(text))
            job.spirv = std::move(text);
        else
            job.source = {path, std::move(text), {}};
    }
    if (!line.instructions.empty())
        job.source.instructions = {line.instructions, read_file(line.instructions)};
    if (line.emit == Output::syntax_tree && job.source.name.empty())
        throw Complaint("only a source file has a syntax tree");
    job.stage = !job.objects.empty()          ? Stage::link
                : line.emit == Output::object ? Stage::compile
                                              : Stage::build;
    return job;
}

void write_file(const std::string &path, const std::string &bytes) {
    if (path == "-") {
        std::cout << bytes << std::flush;
        if (!std::cout)
            throw Complaint("cannot write to standard output");
        return;
    }
    std::ofstream file(path, std::ios::binary);
    file << bytes << std::flush;
    if (file)
        return;
    const std::string reason = std::strerror(errno);
    if (file.is_open() && std::filesystem::is_regular_file(path))
        std::filesystem::remove(path); // half a file would be newer than its source
    throw Complaint("cannot write '" + path + "': " + reason);
}

int write_output(const CommandLine &line, const std::string &bytes) {
    if (line.output.empty() && (line.emit == Output::image || line.emit == Output::object))
        throw Complaint("name the output: -o FILE");
    write_file(line.output.empty() ? "-" : line.output, bytes);
    return 0;
}

void print_remarks(const Remarks &remarks) {
    for (const Remark &remark : remarks.all()) {
        if (!remark.file.empty())
            std::cerr << remark.file << ':' << remark.line << ": ";
        std::cerr << "remark: kernel '" << remark.kernel << "': " << remark.message << '\n';
    }
    std::cerr << remarks.totals() << '\n';
}

// Processor time per phase, as text.
std::string times;

void note_time(const char *phase) {
    static const char *last_phase;
    static std::clock_t last;
    const std::clock_t now = std::clock();
    if (last_phase)
        times += std::string(last_phase) + ": " +
                 std::to_string((now - last) * 1000 / CLOCKS_PER_SEC) + " ms\n";
    last_phase = phase;
    last = now;
}

// Stops if this program's LLVM lacks a name that the compiler depends on, or one of `more`.
void expect_llvm_names(const std::vector<std::string> &more) {
    initialise_targets();
    std::vector<LlvmName> names = llvm_names_in_use().vec();
    for (const std::string &text : more) {
        auto name = parse_llvm_name(text);
        if (!name)
            throw Complaint("--expect-llvm takes KIND:NAME, not '" + text + "'");
        names.push_back(*name);
    }
    if (auto missing = find_missing_names(names))
        throw Complaint(*missing);
}

// An internal error ends the program as a failure and without a crash of LLVM's.
void exit_on_fatal_errors() {
    llvm::install_fatal_error_handler([](void *, const char *reason, bool) {
        std::cerr << "rivulet-cc: " << reason << '\n';
        exit(1);
    });
}

int compile(const CommandLine &line) {
    exit_on_fatal_errors();
    Result result = run(make_job(line), line.stats ? note_time : [](const char *) {});
    note_time(nullptr);
    if (result.status != RVL_COMPILE_BAD_TARGET)
        if (const std::string names = left_out_of(line.isa); !names.empty())
            std::cerr << "rivulet-cc: note: compiled without extensions that LLVM doesn't support: "
                      << names << '\n';
    std::cerr << result.log;
    if (line.remarks == remarks_as_text)
        print_remarks(result.remarks);
    else if (!line.remarks.empty())
        write_file(line.remarks, result.remarks_yaml);
    if (line.stats)
        std::cerr << times << result.statistics;
    if (result.status != RVL_COMPILE_OK)
        return 1;
    return write_output(line, result.bytes);
}

int dump(const CommandLine &line) {
    for (const std::string &path : line.inputs) {
        auto text = describe_image(read_file(path));
        if (!text)
            throw Complaint("'" + path + "': " + text.error());
        std::cout << *text;
    }
    return 0;
}

int run(int argc, char **argv) {
    CommandLine line;
    CLI::App app{"Compiles OpenCL C to kernel images for RISC-V vector harts.", "rivulet-cc"};
    app.footer(footer);
    app.set_version_flag("--version", compiler_version());
    app.add_option("inputs", line.inputs,
                   "an OpenCL C source file, a SPIR-V module, or objects to link")
        ->type_name("FILE");
    app.add_option("-o,--output", line.output, "output file; - is standard output")
        ->type_name("FILE");
    app.add_option("--target", line.isa,
                   "ISA string of the device, or 'host', 'x86_64' or 'aarch64' for loopback")
        ->capture_default_str();
    app.add_option("--vlen", line.vlen, "exact vector length in bits (default: any)");
    app.add_option("--instructions", line.instructions,
                   "built-in functions of a board's own: its instructions.h")
        ->type_name("FILE");
    std::string emit = "image";
    app.add_option("--emit", emit, "kind of output (default: image)")
        ->transform(
            CLI::IsMember(outputs, CLI::ignore_case).description("ast|llvm|spmd|asm|object|image"));
    app.add_flag("--remarks{:text}", line.remarks,
                 "report what makes lanes expensive, why, and what to write instead;\n"
                 "--remarks=FILE: as YAML for LLVM's opt-viewer and llvm-remarkutil");
    app.add_flag("--stats", line.stats, "print instruction statistics and compile times");
    app.add_flag("--time-passes", line.time_passes,
                 "print the time of each phase and pass, and how much code passes ran on;\n"
                 "build option -ftime-report adds the same to the build log");
    app.add_flag("--dump", line.dump, "print the description in kernel images");
    app.add_flag("--print-pipeline", line.print_pipeline, "print all passes in order and exit");
    app.add_flag("--serve", line.serve, "take jobs from a socket on standard input");
    app.add_option("--expect-llvm", line.expected)->group(""); // for tests
    if (const auto status = rivulet::command_line::answer(app, compiler_version(), argc, argv))
        return *status;
    try {
        app.parse(take_build_options(argc, argv, line.build_options));
        if (!line.dump)
            expect_llvm_names(line.expected);
        if (line.serve)
            return serve();
        if (line.print_pipeline) {
            print_pipeline(llvm::outs());
            return 0;
        }
        line.emit = outputs.at(emit);
        if (line.inputs.empty())
            throw Complaint("no input; see --help");
        return line.dump ? dump(line) : compile(line);
    } catch (const CLI::Error &error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const Complaint &complaint) {
        std::cerr << "rivulet-cc: " << complaint.what() << '\n';
        return 1;
    }
}

} // namespace

int main(int argc, char **argv) {
    return rivulet::command_line::finish("rivulet-cc", run(argc, argv));
}

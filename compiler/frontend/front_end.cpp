// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/front_end.h"

#include <unistd.h>

#include <bitset>
#include <cstdlib>

#include <clang/Basic/DiagnosticFrontend.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/ASTConsumers.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "compiler/frontend/asm_registers.h"
#include "compiler/frontend/block_checks.h"
#include "compiler/frontend/builtin_overloads.h"
#include "compiler/frontend/extension_pragma.h"
#include "compiler/frontend/function_attributes.h"
#include "compiler/frontend/hart_builtins.h"
#include "compiler/frontend/opencl_sema_checks.h"
#include "compiler/frontend/precompiled_header.h"
#include "compiler/frontend/prelude.h"
#include "compiler/frontend/rounding_pragma.h"

#include "hal/protocol/compile.h"
#include "hal/protocol/opencl_version.h"

namespace rivulet::compiler {
namespace {

// Declares the types, enumerations and macros of chapter 6; functions come from clang's table.
constexpr char base_header[] = {
#embed "opencl-c-base.h" suffix(, 0)
};

constexpr char sub_group_header[] = {
#embed "prelude_sub_groups.h" suffix(, 0)
};

constexpr char bfloat_header[] = {
#embed "prelude_bfloat.h" suffix(, 0)
};

constexpr char atomics_header[] = {
#embed "prelude_atomics.h" suffix(, 0)
};

// Rarely used declarations that take longer to read than the programs themselves: included if the
// text contains one of their names, or if a macro or a system file turns out to use one.
struct Extra {
    llvm::StringLiteral prefix;
    llvm::StringRef header;
};
constexpr Extra extras[] = {
    {"intel_sub_group", llvm::StringRef(sub_group_header, sizeof sub_group_header - 1)},
    {"atomic_fetch_", llvm::StringRef(atomics_header, sizeof atomics_header - 1)},
    {"cl_rivulet_bfloat", llvm::StringRef(bfloat_header, sizeof bfloat_header - 1)},
    {"unknown type name 'bfloat", llvm::StringRef(bfloat_header, sizeof bfloat_header - 1)},
    {"counter", counters_prelude},
    {"async_work_group_copy_", copies_prelude},
    {"work_group_reduce_", collectives_prelude},
    {"work_group_scan_", collectives_prelude},
    {hart_word, llvm::StringRef()}, // files of their own
};
using Extras = std::bitset<std::size(extras)>;

Extras named(llvm::StringRef text) {
    Extras result;
    for (size_t i = 0; i < result.size(); ++i)
        result[i] = text.contains(extras[i].prefix);
    return result;
}

// Lends its types to counters (see prelude.h); no device offers it.
constexpr llvm::StringLiteral lending_extension = "cl_khr_gl_msaa_sharing";

constexpr llvm::StringLiteral header_folder = "/rivulet/headers/";
constexpr llvm::StringLiteral clang_folder = "/rivulet/clang/";
constexpr llvm::StringLiteral hart_folder = "/rivulet/hart/";

// Whether the program uses what C has for the hart; other targets have none of it.
bool wants_hart(Extras wanted, const Target &target) {
    return !target.host && wanted[std::size(extras) - 1];
}

// What the host runtime finds, too (takes_spirv). Answered once: a precompiled header has it.
bool has_translator() {
    static const bool found =
        access(rvl_find_llvm_spirv(secure_getenv(RVL_LLVM_SPIRV_VARIABLE)), X_OK) == 0;
    return found;
}

bool has(const Target &target, std::string_view needs) {
    if (needs == "SPIRV")
        return has_translator();
    if (target.host || needs == "ALWAYS")
        return true;
    if (needs == "RV64")
        return target.xlen == 64;
    return target.machine->getTargetFeatureString().contains("+" + llvm::StringRef(needs).lower() +
                                                             ",");
}

bool is_cxx(const Options &options) { return options.standard == "CLC++2021"; }

// C++ for OpenCL 2021 is OpenCL C 3.0 and C++17.
bool is_opencl_3(const Options &options) { return options.standard == "CL3.0" || is_cxx(options); }

// 6.10: macros, extensions and features from the single table, defined before the program's own -D
// and -U.
void describe_device(const Options &options, const Target &target,
                     clang::CompilerInvocation &invocation) {
    std::vector<std::string> &extensions = invocation.getTargetOpts().OpenCLExtensionsAsWritten;
    std::vector<std::pair<std::string, bool>> macros;
    auto define = [&](const char *macro) { macros.emplace_back(macro, false); };
    auto undefine = [&](const char *macro) { macros.emplace_back(macro, true); };
    bool images = false;
    auto offer = [&](const char *extension, const char *macro, std::string_view needs,
                     bool feature) {
        if (!has(target, needs))
            return;
        images |= extension == std::string_view("+__opencl_c_images");
        if (feature && !is_opencl_3(options))
            return;
        extensions.emplace_back(extension);
        // Extensions that clang does not know have no macro yet; for the others this repeats
        // clang's.
        define(macro);
    };
    extensions = {"-all", "+" + lending_extension.str()};
#define RVL_EXTENSION(name, major, minor, patch, needs) offer("+" #name, #name "=1", #needs, false);
#define RVL_FEATURE(name, major, minor, patch, needs) offer("+" #name, #name "=1", #needs, true);
#include "hal/protocol/features.def"
    macros.emplace_back(llvm::formatv("__OPENCL_VERSION__={0}{1}0", RVL_OPENCL_MAJOR,
                                      has_translator() ? RVL_OPENCL_MINOR : 0)
                            .str(),
                        false);
    define("CL_VERSION_3_1=310"); // in every version of the language, as clang's of older ones
    define("__EMBEDDED_PROFILE__=1");
    if (!images)
        undefine("__IMAGE_SUPPORT__");
    undefine(lending_extension.data());
    if (has(target, "F")) {
        define("FP_FAST_FMAF=1");
        define("__ROUNDING_MODE__=rte");
    }
    if (has(target, "D"))
        define("FP_FAST_FMA=1");
    if (has(target, "ZVFH") && !target.host) // a host's is float's, rounded
        define("FP_FAST_FMA_HALF=1");
    auto &all = invocation.getPreprocessorOpts().Macros;
    all.insert(all.begin(), macros.begin(), macros.end());
}

std::vector<std::string> arguments(const Options &options, const Target &target, Extras wanted) {
    std::vector<std::string> args = {
        "-triple",
        target.xlen == 64 ? "spir64-unknown-unknown" : "spir-unknown-unknown",
        "-x",
        "cl",
        "-cl-std=" + options.standard,
        "-O2",
        "-disable-llvm-passes",
        // Programs reuse local and private memory for other types, and once work-items are lanes,
        // nothing is left of the barriers that ordered these accesses.
        "-relaxed-aliasing",
        "-disable-lifetime-markers", // otherwise, breaking out of a scope with variables becomes a
                                     // switch
        "-disable-llvm-verifier",    // the work-group pass's output is verified instead
        "-ffp-contract=on",
        "-fdeclare-opencl-builtins",
        "-finclude-default-header",
        "-cl-kernel-arg-info", // names are in messages, too
        options.debug ? "-debug-info-kind=limited" : "-debug-info-kind=line-tables-only",
        "-dwarf-version=5",
        "-fdebug-compilation-dir=.",
        "-fbracket-depth",
        "256", // a process's stack doesn't suffice for clang's 2,048
        "-I",
        header_folder.str(),
        "-nostdsysteminc", // 6.9.f: no headers of C's
        "-internal-isystem",
        clang_folder.str(),
    };
    if (wants_hart(wanted, target))
        args.insert(args.end(), {"-internal-isystem", hart_folder.str()});
    // 6.10, 6.11: an implementation ignores those that it doesn't know; clang doesn't know endian.
    args.insert(args.end(), {"-Wunknown-pragmas", "-Wno-error=unknown-pragmas",
                             "-Wno-error=unknown-attributes", "-Wzero-length-array"});
    // Existing kernels were written for compilers that only warn about these.
    if (!llvm::is_contained(options.front_end, "-Werror"))
        args.insert(args.end(),
                    {"-Wno-error=incompatible-pointer-types", "-Wno-error=int-conversion"});
    if (is_opencl_3(options)) // for clang's own error
        args.push_back("-D__block=__attribute__((__blocks__(byref)))");
    if (options.initialise_private)
        args.push_back("-ftrivial-auto-var-init=zero");
    args.insert(args.end(), options.front_end.begin(), options.front_end.end());
    return args;
}

// The extensions in CL_DEVICE_EXTENSIONS for this target.
std::vector<llvm::StringRef> offered_extensions(const Target &target) {
    std::vector<llvm::StringRef> names = {
#define RVL_API_EXTENSION(name, major, minor, patch, needs) #name,
#include "hal/protocol/features.def"
    };
#define RVL_EXTENSION(name, major, minor, patch, needs)                                            \
    if (has(target, #needs))                                                                       \
        names.push_back(#name);
#include "hal/protocol/features.def"
    return names;
}

std::string default_header(const Options &options, Extras wanted, const InstructionTable &table) {
    std::string text = base_header + std::string(images_prelude);
    for (size_t i = 0; i < wanted.size(); ++i)
        if (wanted[i])
            text += extras[i].header;
    if (options.language_version != 0) // only now: the header itself is 3.0's
        text += llvm::formatv("#undef {0}\n#define {0} {1}\n",
                              is_cxx(options) ? "__OPENCL_CPP_VERSION__" : "__OPENCL_C_VERSION__",
                              options.language_version);
    if (!table.text.empty()) // 3: its functions are built in, as those of system headers
        text += llvm::formatv("# 1 \"{0}\" 3\n{1}\n",
                              llvm::StringRef(table.name).take_until([](char c) {
                                  return c == '"' || c == '\\' || c == '\n';
                              }),
                              table.text);
    return text;
}

// Kept, because adding a file hashes its contents.
llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem>
default_header_file(const std::string &header) {
    static std::string last;
    static llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> file;
    if (!file || last != header) {
        last = header;
        file = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
        const std::string path = (clang_folder + "opencl-c-base.h").str();
        file->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(header, path));
    }
    return file;
}

// The program's files, under those that exist in memory only.
llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
file_system(const Source &source, const std::string &header, bool with_hart) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(source.files);
    overlay->pushOverlay(memory); // sets the working directory, so that names may be relative
    overlay->pushOverlay(default_header_file(header));
    auto add = [&](const llvm::Twine &path, llvm::StringRef text) {
        memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path.str()));
    };
    // Without a line end, columns in the last line would be recounted each time.
    add(source.name, source.text.ends_with('\n') ? source.text : source.text + '\n');
    for (const Header &header : source.headers)
        add(header_folder + header.name, header.text);
    if (with_hart)
        for (const auto &[name, text] : hart_headers())
            add(hart_folder + name, text);
    return overlay;
}

void add_hart_and_registers(clang::CompilerInstance &compiler, const Target &target,
                            bool with_hart) {
    if (with_hart)
        add_hart(compiler, target);
    add_registers(compiler);
}

// Before the source is read.
void prepare(clang::CompilerInstance &compiler, const Target &target, bool with_hart,
             PlainFunctions &plain) {
    if (with_hart)
        add_hart_pragma(compiler);
    allow_blocks(compiler);
    accept_extension_pragmas(compiler.getPreprocessor(), offered_extensions(target),
                             lending_extension);
    add_rounding_pragma(compiler.getPreprocessor());
    keep_built_in_overloads(compiler, plain);
}

class Printer : public clang::TextDiagnosticPrinter {
public:
    Printer(llvm::raw_ostream &out, clang::DiagnosticOptions &options, PlainFunctions &plain)
        : TextDiagnosticPrinter(out, options), plain_(plain) {}

    void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                          const clang::Diagnostic &info) override {
        if (info.getID() == clang::diag::err_ovl_ambiguous_call)
            plain_.ambiguous.insert(
                clang::DeclarationName::getFromOpaqueInteger(info.getRawArg(0)).getAsString());
        // Two plain functions count as overloads only while there are built-in ones.
        if (info.getID() == clang::diag::err_duplicate_mangled_name &&
            info.getArgKind(0) == clang::DiagnosticsEngine::ak_std_string)
            plain_.ambiguous.insert(info.getArgStdStr(0));
        TextDiagnosticPrinter::HandleDiagnostic(level, info);
    }

private:
    PlainFunctions &plain_;
};

class EmitCode : public clang::EmitLLVMOnlyAction {
public:
    EmitCode(llvm::LLVMContext &context, const Options &options, const Target &target,
             bool with_hart, PlainFunctions &plain)
        : EmitLLVMOnlyAction(&context), options_(options), target_(target), with_hart_(with_hart),
          plain_(plain) {}

private:
    bool BeginInvocation(clang::CompilerInstance &compiler) override {
        add_hart_and_registers(compiler, target_, with_hart_);
        return EmitLLVMOnlyAction::BeginInvocation(compiler);
    }
    void ExecuteAction() override {
        prepare(getCompilerInstance(), target_, with_hart_, plain_);
        EmitLLVMOnlyAction::ExecuteAction();
    }
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                          llvm::StringRef file) override {
        std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
        consumers.push_back(check_restrictions(options_, target_));
        consumers.push_back(check_blocks());
        consumers.push_back(let_built_ins_inherit_rounding());
        consumers.push_back(EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
        return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
    }

    const Options &options_;
    const Target &target_;
    const bool with_hart_;
    PlainFunctions &plain_;
};

// Clang's own action prints to standard output only.
class DumpSyntaxTree : public clang::ASTFrontendAction {
public:
    DumpSyntaxTree(llvm::raw_ostream &out, const Target &target, bool with_hart,
                   PlainFunctions &plain)
        : out_(out), target_(target), with_hart_(with_hart), plain_(plain) {}

private:
    bool BeginInvocation(clang::CompilerInstance &compiler) override {
        add_hart_and_registers(compiler, target_, with_hart_);
        return ASTFrontendAction::BeginInvocation(compiler);
    }
    void ExecuteAction() override {
        prepare(getCompilerInstance(), target_, with_hart_, plain_);
        ASTFrontendAction::ExecuteAction();
    }
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &,
                                                          llvm::StringRef) override {
        return clang::CreateASTDumper(out_, "", true, false, false, false, clang::ADOF_Default);
    }
    llvm::raw_ostream &out_;
    const Target &target_;
    const bool with_hart_;
    PlainFunctions &plain_;
};

// Lets clang parse its arguments, which are mostly those of the previous job. Null if it can't.
std::shared_ptr<clang::CompilerInvocation>
parse_arguments(std::vector<std::string> args, const std::string &name, const Options &options,
                const Target &target,
                const llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> &files,
                llvm::raw_string_ostream &log) {
    static struct {
        std::vector<std::string> args;
        std::shared_ptr<const llvm::TargetMachine> machine;
        std::shared_ptr<const clang::CompilerInvocation> parsed;
    } last;
    // Clang puts its folder before it.
    args.insert(args.end(), {"-main-file-name", llvm::sys::path::filename(name).str(), name});
    if (last.parsed && last.args == args && last.machine == target.machine)
        return std::make_shared<clang::CompilerInvocation>(*last.parsed);
    std::vector<const char *> pointers;
    for (const std::string &arg : args)
        pointers.push_back(arg.c_str());
    const size_t before = log.str().size();
    clang::DiagnosticOptions diagnostic_options;
    clang::TextDiagnosticPrinter printer(log, diagnostic_options);
    auto diagnostics =
        clang::CompilerInstance::createDiagnostics(*files, diagnostic_options, &printer, false);
    auto invocation = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers, *diagnostics))
        return nullptr;
    describe_device(options, target, *invocation);
    last = {};
    if (log.str().size() == before) // otherwise it has to be reported each time
        last = {std::move(args), target.machine,
                std::make_shared<clang::CompilerInvocation>(*invocation)};
    return invocation;
}

bool names_files(llvm::StringRef text) {
    return text.contains("include") || text.contains("import") || text.contains("embed");
}

bool run(const Source &source, const Options &options, const Target &target, Extras wanted,
         std::string &log, clang::FrontendAction &action, PlainFunctions &plain) {
    std::vector<std::string> args = arguments(options, target, wanted);
    const bool with_hart = wants_hart(wanted, target);
    const std::string header = default_header(options, wanted, source.instructions);
    const std::string key = llvm::join(args, "\n") + "\n" + target.isa + "\n" + header;
    llvm::raw_string_ostream stream(log);
    auto files = file_system(source, header, with_hart);
    auto invocation = parse_arguments(args, source.name, options, target, files, stream);
    if (!invocation)
        return false;
    // The tree has no names of the second target's functions, and the key no text of other files.
    if (!with_hart && !names_files(source.instructions.text))
        use_precompiled_header(key, *invocation, files);

    clang::CompilerInstance compiler(std::move(invocation));
    compiler.setVirtualFileSystem(files);
    compiler.createDiagnostics(new Printer(stream, compiler.getDiagnosticOpts(), plain));
    compiler.setVerboseOutputStream(stream); // "1 error generated."
    return compiler.ExecuteAction(action);
}

// Removes from messages the type that prelude.h lends to atomic counters: users never wrote it.
void hide_lent_types(std::string &messages) {
    constexpr llvm::StringLiteral lent = "_msaa_t')";
    for (size_t end = 0; (end = messages.find(lent, end)) != std::string::npos;) {
        const size_t begin = messages.rfind(" (aka '", end);
        end += lent.size();
        if (begin == std::string::npos || messages.find('\n', begin) < end)
            continue;
        messages.erase(begin, end - begin);
        end = begin;
    }
}

bool run_with_what_it_needs(const Source &source, std::string &log,
                            llvm::function_ref<bool(Extras, std::string &, PlainFunctions &)> run) {
    Extras wanted = named(source.text);
    for (const Header &header : source.headers)
        wanted |= named(header.text);
    std::string messages;
    PlainFunctions plain;
    bool fine = run(wanted, messages, plain);
    if (Extras more = named(messages) & ~wanted; !fine && more.any()) {
        messages.clear();
        wanted |= more;
        fine = run(wanted, messages, plain);
    }
    while (!fine && plain.hide_more()) { // again where the argument of one was the call of another
        messages.clear();
        fine = run(wanted, messages, plain);
    }
    hide_lent_types(messages);
    log += messages;
    return fine;
}

} // namespace

std::unique_ptr<llvm::Module> compile_source(llvm::LLVMContext &context, const Source &source,
                                             const Options &options, const Target &target,
                                             std::string &log) {
    register_function_attributes();
    std::unique_ptr<llvm::Module> module;
    if (options.language_version == 200)
        log += "note: -cl-std=CL2.0 is built as OpenCL C 3.0, without 2.0's pipes and device-side "
               "enqueue\n";
    if (options.language_version == 100)
        log += "note: -cl-std=CLC++ is built as C++ for OpenCL 2021, without 1.0's pipes and "
               "device-side enqueue\n";
    run_with_what_it_needs(
        source, log, [&](Extras wanted, std::string &messages, PlainFunctions &plain) {
            EmitCode action(context, options, target, wants_hart(wanted, target), plain);
            if (!run(source, options, target, wanted, messages, action, plain))
                return false;
            module = action.takeModule();
            take_function_attributes(*module);
            return true;
        });
    return module;
}

bool dump_syntax_tree(const Source &source, const Options &options, const Target &target,
                      std::string &tree, std::string &log) {
    register_function_attributes();
    return run_with_what_it_needs(
        source, log, [&](Extras wanted, std::string &messages, PlainFunctions &plain) {
            tree.clear();
            llvm::raw_string_ostream stream(tree);
            DumpSyntaxTree action(stream, target, wants_hart(wanted, target), plain);
            return run(source, options, target, wanted, messages, action, plain);
        });
}

} // namespace rivulet::compiler

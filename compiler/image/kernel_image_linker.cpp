// SPDX-License-Identifier: Apache-2.0
#include "compiler/image/kernel_image_linker.h"

#include <unistd.h>

#include <list>

#include <lld/Common/CommonLinkerContext.h>
#include <lld/Common/Driver.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/codegen/codegen_driver.h"
#include "compiler/frontend/kernel_metadata.h"
#include "compiler/image/dispatcher.h"
#include "compiler/image/kernel_image_note.h"
#include "compiler/image/runtime_functions.h"
#include "compiler/support/memory_file.h"
#include "compiler/support/time_report.h"

LLD_HAS_DRIVER(elf)

namespace rivulet::compiler {
namespace {

constexpr uint64_t dispatch_stack_bytes = RVL_DISPATCH_STACK_BYTES; // CMakeLists.txt sees to it

// lld writes its output to standard output, not to a file: so nothing is left behind in the file
// system if this process is killed.
class StandardOutputTo {
public:
    explicit StandardOutputTo(const MemoryFile &file) : saved_(dup(STDOUT_FILENO)) {
        dup2(file.descriptor(), STDOUT_FILENO);
    }
    ~StandardOutputTo() {
        if (saved_ < 0)
            close(STDOUT_FILENO);
        else
            dup2(saved_, STDOUT_FILENO);
        close(saved_);
    }

private:
    int saved_;
};

std::expected<std::string, std::string> link(llvm::ArrayRef<llvm::StringRef> objects,
                                             const Target &target) {
    std::list<MemoryFile> files;
    std::list<std::string> paths;
    MemoryFile output("image");
    llvm::SmallVector<const char *> arguments = {
        "ld.lld", "-pie", "--no-dynamic-linker", "-Bsymbolic",
        // Code and constants in one segment, at 0; what is written to
        // starts on a page of its own.
        "--no-rosegment", "-z", "norelro", "-z", "noseparate-code", "-z", "max-page-size=4096",
        "-z", "rodynamic", "-z", "text", "--hash-style=sysv", "--gc-sections", "--build-id=none",
        "--no-dependent-libraries", // a section may name files
        "--threads=1", target.host ? "--entry=rivulet.dispatch" : "--entry=rivulet.start", "-o",
        "-"};
    for (llvm::StringRef object : objects) {
        if (!files.emplace_back("object").write(object))
            return std::unexpected("no memory for the object files\n");
        arguments.push_back(paths.emplace_back(files.back().path()).c_str());
    }
    std::string messages;
    llvm::raw_string_ostream log(messages);
    {
        StandardOutputTo redirected(output);
        bool ok = lld::elf::link(arguments, log, log, false, false);
        lld::CommonLinkerContext::destroy();
        llvm::outs().flush();
        if (!ok)
            return std::unexpected(messages);
    }
    return output.read();
}

std::vector<std::string> undefined_functions(const Code &code) {
    llvm::StringSet<> names;
    for (const auto &frame : code.frames)
        for (const std::string &callee : frame.getValue().callees)
            if (!code.frames.contains(callee))
                names.insert(callee);
    return {names.keys().begin(), names.keys().end()};
}

// Why a kernel can't be run that comes to the function of this name, and where it does.
std::string obstacle(const llvm::Module &module, const Code &code, const Kernel &kernel,
                     llvm::StringRef name) {
    std::string location;
    if (const llvm::Function *function = module.getFunction(name))
        for (const llvm::User *user : function->users())
            if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getDebugLoc())
                location =
                    llvm::formatv("{}:{}:{}: error: ", call->getDebugLoc()->getFilename(),
                                  call->getDebugLoc().getLine(), call->getDebugLoc().getCol())
                        .str();
    const char *form = code.frames.contains(name)
                           ? "{}kernel '{}': '{}' has a stack of unknown size\n"
                           : "{}kernel '{}': undefined function '{}'\n";
    return llvm::formatv(form, location, kernel.name, name_in_source(name)).str();
}

// The deepest stack below `name`, or what has none. No recursion: the front end has refused it.
// `known`: of functions that were asked for before. Paths through a program of many functions may
// be exponentially many.
using StackBytes = std::expected<uint64_t, llvm::StringRef>;
StackBytes stack_bytes(const llvm::StringMap<Frame> &frames, llvm::StringRef name,
                       llvm::StringMap<uint64_t> &known) {
    if (auto found = known.find(name); found != known.end())
        return found->second;
    auto frame = frames.find(name);
    if (frame == frames.end() || frame->second.dynamic)
        return std::unexpected(name);
    uint64_t deepest = 0;
    for (const std::string &callee : frame->second.callees) {
        StackBytes below = stack_bytes(frames, callee, known);
        if (!below)
            return below;
        deepest = std::max(deepest, *below);
    }
    return known[name] = frame->second.bytes + deepest;
}

std::expected<void, std::string> complete(std::string &image, const Program &program) {
    auto file =
        llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(image, "kernel image"));
    if (!file)
        return std::unexpected(llvm::toString(file.takeError()));
    llvm::StringMap<uint64_t> addresses;
    for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
        auto name = symbol.getName();
        auto address = symbol.getAddress();
        if (name && address)
            addresses[*name] = *address;
    }
    std::vector<Placement> placements;
    for (const Kernel &kernel : program.kernels)
        placements.push_back({addresses.lookup(kernel.name), kernel.stack_bytes});
    for (const llvm::object::SectionRef &section : (*file)->sections()) {
        auto name = section.getName();
        if (!name || *name != note_section)
            continue;
        llvm::StringRef contents = llvm::cantFail(section.getContents());
        auto offset = static_cast<size_t>(contents.data() - image.data());
        complete_note(std::span(image).subspan(offset, contents.size()), program, placements);
        return {};
    }
    return std::unexpected("the linker dropped the note\n");
}

} // namespace

std::expected<std::string, std::string> make_image(Program &program, const Target &target) {
    Code code = generate_code(*program.module, target, CodeKind::object);
    code.frames[dispatcher].bytes = dispatch_stack_bytes;
    Code runtime;
    if (auto missing = undefined_functions(code); !missing.empty())
        runtime = generate_runtime(missing, target);
    for (auto &frame : runtime.frames)
        code.frames[frame.getKey()] = frame.getValue();
    llvm::StringMap<uint64_t> known;
    for (Kernel &kernel : program.kernels) {
        auto bytes = stack_bytes(code.frames, kernel.function->getName(), known);
        if (!bytes)
            return std::unexpected(obstacle(*program.module, code, kernel, bytes.error()));
        kernel.statistics = code.frames[kernel.function->getName()].statistics;
        kernel.stack_bytes = memory_bytes(llvm::alignTo(dispatch_stack_bytes + *bytes, 16));
    }
    if (TimeReport *report = TimeReport::current())
        report->enter("linking the image");
    const llvm::StringRef kernels(code.bytes.data(), code.bytes.size());
    const std::string dispatch = dispatcher_for(kernels, target);
    llvm::SmallVector<llvm::StringRef, 3> objects{kernels, dispatch};
    if (!runtime.bytes.empty())
        objects.emplace_back(runtime.bytes.data(), runtime.bytes.size());
    auto image = link(objects, target);
    if (!image)
        return image;
    if (auto done = complete(*image, program); !done)
        return std::unexpected(done.error());
    return image;
}

} // namespace rivulet::compiler

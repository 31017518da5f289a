// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include "hal/protocol/compile.h"

namespace rivulet::compiler {
namespace {

using Words = std::vector<uint32_t>;
using Error = std::unexpected<std::string>;

// The layout as clang spells it, so that the built-in library's is the same.
const std::string vector_layout = "v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-"
                                  "v1024:1024-G1";

constexpr uint32_t magic = 0x07230203;
constexpr size_t header_words = 5;
enum : uint32_t { // of SPIR-V
    op_type_bool = 20,
    op_type_int = 21,
    op_type_float = 22,
    op_constant_false = 42,
    op_constant = 43,
    op_constant_null = 46,
};

// llvm-spirv 15 stops at a null constant of a scalar type; a zero is the same.
std::expected<Words, std::string> without_scalar_nulls(const Words &module) {
    constexpr uint32_t bool_width = 1;
    std::map<uint32_t, uint32_t> widths; // of scalar types
    Words result(module.begin(), module.begin() + header_words);
    for (size_t at = header_words; at < module.size();) {
        const uint32_t count = module[at] >> 16, op = module[at] & 0xffff;
        if (count == 0 || count > module.size() - at)
            return Error("an instruction is cut off");
        const uint32_t *words = &module[at];
        at += count;
        if (op == op_type_bool && count > 1)
            widths[words[1]] = bool_width;
        if ((op == op_type_int || op == op_type_float) && count > 2)
            widths[words[1]] = words[2];
        auto scalar = op == op_constant_null && count > 2 ? widths.find(words[1]) : widths.end();
        if (scalar == widths.end()) {
            result.insert(result.end(), words, words + count);
            continue;
        }
        Words zero = {op_constant_false, words[1], words[2]};
        if (scalar->second != bool_width) {
            zero[0] = op_constant;
            zero.resize(scalar->second > 32 ? 5 : 4);
        }
        zero[0] |= static_cast<uint32_t>(zero.size()) << 16;
        result.insert(result.end(), zero.begin(), zero.end());
    }
    return result;
}

// A file without a name, which a child can open.
class MemoryFile {
public:
    explicit MemoryFile(const char *name) : descriptor_(memfd_create(name, 0)) {}
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;
    ~MemoryFile() { close(descriptor_); }

    [[nodiscard]] std::string path() const {
        return "/proc/self/fd/" + std::to_string(descriptor_);
    }
    bool write(const Words &words) const {
        llvm::raw_fd_ostream stream(descriptor_, false);
        stream.write(reinterpret_cast<const char *>(words.data()), words.size() * sizeof words[0]);
        stream.flush();
        const bool is_fine = !stream.has_error();
        stream.clear_error();
        return is_fine;
    }
    [[nodiscard]] std::string read() const {
        struct stat status{};
        fstat(descriptor_, &status);
        std::string bytes(static_cast<size_t>(status.st_size), '\0');
        const ssize_t count = pread(descriptor_, bytes.data(), bytes.size(), 0);
        bytes.resize(count > 0 ? static_cast<size_t>(count) : 0);
        return bytes;
    }

private:
    int descriptor_;
};

std::string reader() {
    const char *chosen = getenv(RVL_LLVM_SPIRV_VARIABLE);
    return chosen && *chosen ? chosen : RVL_LLVM_SPIRV;
}

std::expected<std::string, std::string> bitcode_of(const Words &module) {
    const MemoryFile input("module.spv"), output("module.bc"), messages("log");
    if (!input.write(module))
        return Error("no memory for the module");
    const std::string program = reader(), in = input.path(), out = output.path(),
                      log = messages.path();
    const llvm::StringRef arguments[] = {program, "-r", in, "-o", out};
    const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), llvm::StringRef(log),
                                                        llvm::StringRef(log)};
    std::string trouble;
    const int code = llvm::sys::ExecuteAndWait(program, arguments, std::nullopt, redirects,
                                               /*SecondsToWait=*/0, /*MemoryLimit=*/0, &trouble);
    if (code == 0)
        return output.read();
    std::string text = messages.read();
    text.resize(std::min(text.find("PLEASE submit"), text.size())); // and its stack
    return Error(program + " cannot read it: " + text + trouble);
}

// What the built-in library takes by types of its own, of which llvm-spirv leaves pointers.
bool is_opaque(llvm::StringRef type) {
    return type.starts_with("image") || type == "sampler_t" || type == "queue_t" ||
           type.starts_with("pipe");
}

std::expected<void, std::string> check(const llvm::Module &module, const Target &target) {
    std::string complaints;
    llvm::raw_string_ostream stream(complaints);
    if (llvm::verifyModule(module, &stream))
        return Error(complaints);
    if (module.getTargetTriple().isArch64Bit() != (target.xlen == 64))
        return Error("its addresses are not of the device's size");
    for (const llvm::Function &function : module)
        if (const llvm::MDNode *types = function.getMetadata("kernel_arg_base_type"))
            for (const llvm::MDOperand &type : types->operands())
                if (auto *name = llvm::dyn_cast<llvm::MDString>(type.get());
                    name && is_opaque(name->getString()))
                    return Error("kernel '" + function.getName().str() + "' takes " +
                                 name->getString().str() +
                                 ", which rivulet-cc takes of OpenCL C only");
    return {};
}

std::expected<std::unique_ptr<llvm::Module>, std::string>
read(llvm::LLVMContext &context, std::string_view spirv, const Target &target) {
    if (!is_spirv(spirv))
        return Error("it has no header");
    Words words(spirv.size() / sizeof(uint32_t));
    memcpy(words.data(), spirv.data(), spirv.size());
    auto plain = without_scalar_nulls(words);
    if (!plain)
        return Error(plain.error());
    auto bitcode = bitcode_of(*plain);
    if (!bitcode)
        return Error(bitcode.error());
    auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(*bitcode, "SPIR-V"), context);
    if (!module)
        return Error(llvm::toString(module.takeError()));
    if (auto fine = check(**module, target); !fine)
        return Error(fine.error());
    (*module)->setDataLayout((target.xlen == 64 ? "e-i64:64-" : "e-p:32:32-i64:64-") +
                             vector_layout);
    return std::move(*module);
}

} // namespace

bool is_spirv(std::string_view bytes) {
    uint32_t first = 0;
    memcpy(&first, bytes.data(), std::min(bytes.size(), sizeof first));
    return first == magic && bytes.size() % sizeof first == 0 &&
           bytes.size() >= header_words * sizeof first;
}

std::expected<std::unique_ptr<llvm::Module>, std::string>
read_spirv(llvm::LLVMContext &context, std::string_view spirv, const Target &target) {
    auto module = read(context, spirv, target);
    if (!module)
        return Error("rivulet-cc: the SPIR-V module can't be compiled: " + module.error() + "\n");
    return module;
}

} // namespace rivulet::compiler

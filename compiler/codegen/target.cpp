// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/target.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Attributes.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/RISCVISAInfo.h>

#include "hal/isa/isa_string.h"

namespace rivulet::compiler {
namespace {

using llvm::StringRef;

// The host names accepted by make_target; the dispatcher supports these architectures.
constexpr std::string_view hosts[] = {"host", "x86_64", "aarch64"};

// Experiments of LLVM that the compiler takes part in. A hart that has this name in its ISA string
// has the draft's instructions; the ratified ones will have another name.
constexpr StringRef experiments[] = {"zvqdotq"};

// Whether LLVM's code generator supports the extension, and not only as another experiment.
bool is_supported(StringRef extension) {
    return llvm::RISCVISAInfo::isSupportedExtensionFeature(extension) ||
           llvm::is_contained(experiments, extension);
}

auto parse(StringRef extensions) {
    constexpr bool with_experiments = true, with_their_versions = false;
    return llvm::RISCVISAInfo::parseArchString(extensions, with_experiments, with_their_versions);
}

// Leaves out extensions that LLVM does not support: privileged and very new ones, which kernels do
// not need. Implied extensions stay unnamed, as in the device's own string.
std::string supported_extensions(const std::vector<std::string> &names) {
    constexpr StringRef order = "iemafdqlcbkjtpvnh";
    std::string known;
    for (char letter : order)
        if (llvm::is_contained(names, std::string(1, letter)) ||
            (llvm::is_contained(names, "g") && StringRef("imafd").contains(letter)))
            if (is_supported(StringRef(&letter, 1)))
                known += letter;
    known = names[0] + known;
    if (llvm::is_contained(names, "g"))
        for (const char *member : {"zicsr", "zifencei"})
            if (!llvm::is_contained(names, member))
                known += "_" + std::string(member);
    for (const std::string &name : llvm::drop_begin(names))
        if (name.size() > 1 && is_supported(name))
            known += "_" + name;
    return known;
}

// Whether LLVM takes a feature to mean that there is a vector unit, as those of vendors may.
bool implies_vectors(StringRef feature) {
    if (!feature.consume_front("+"))
        return false;
    feature.consume_front("experimental-");
    if (feature == "v" || feature.starts_with("zv"))
        return true;
    auto parsed = parse(("rv64i_" + feature).str());
    if (!parsed) { // no extension, but a feature of LLVM's
        llvm::consumeError(parsed.takeError());
        return false;
    }
    return (*parsed)->hasExtension("zve32x");
}

std::expected<llvm::TargetMachine *, std::string>
make_machine(const llvm::Triple &triple, StringRef cpu, StringRef features, StringRef abi) {
    std::string error;
    const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (!target)
        return std::unexpected(error);
    llvm::TargetOptions options;
    options.FunctionSections = true;
    options.DataSections = true;
    options.MCOptions.ABIName = abi.str();
    return target->createTargetMachine(triple, cpu, features, options, llvm::Reloc::PIC_,
                                       triple.isRISCV() ? std::optional(llvm::CodeModel::Medium)
                                                        : std::nullopt,
                                       llvm::CodeGenOptLevel::Aggressive);
}

// The CPU of this machine, or of all machines of another architecture.
std::string host_cpu(const llvm::Triple &triple) {
    const bool native = triple.getArch() == llvm::Triple(llvm::sys::getProcessTriple()).getArch();
    if (triple.isX86()) {
        llvm::StringMap<bool> has;
        if (native)
            has = llvm::sys::getHostCPUFeatures();
        return has.lookup("avx2") && has.lookup("bmi2") && has.lookup("fma") ? "x86-64-v3"
                                                                             : "x86-64";
    }
    return native ? llvm::sys::getHostCPUName().str() : "generic";
}

// isa: "host" or the architecture of another host; vlen: of the device it represents.
std::expected<Target, std::string> host_target(std::string_view isa, unsigned vlen) {
    const llvm::Triple triple(isa == "host" ? llvm::sys::getProcessTriple()
                                            : std::string(isa) + "-unknown-linux-gnu");
    const std::string cpu = host_cpu(triple);
    if (!triple.isX86() && !triple.isAArch64(64))
        return std::unexpected(llvm::formatv("no kernels for hosts of {}: x86_64 and aarch64 only",
                                             triple.getArchName())
                                   .str());
    auto machine = make_machine(triple, cpu, "", "");
    if (!machine)
        return std::unexpected(machine.error());
    Target target;
    target.host = true;
    target.sub_group_vlen = vlen ? vlen : RVL_SUB_GROUP_VLEN;
    target.xlen = triple.isArch64Bit() ? 64 : 32;
    target.isa = cpu;
    target.machine.reset(*machine);
    return target;
}

std::expected<Target, std::string> riscv_target(std::string_view isa, unsigned vlen) {
    if (StringRef name(isa);
        !name.starts_with_insensitive("rv64") && !name.starts_with_insensitive("rv32"))
        return std::unexpected(
            llvm::formatv("'{}' is neither a RISC-V ISA nor a host: host, x86_64, aarch64", isa)
                .str());
    auto fail = [&](std::string why) {
        return std::unexpected(llvm::formatv("ISA '{}': {}", isa, why).str());
    };
    if (const isa::Verdict verdict = isa::check(isa); !verdict.error.empty())
        return fail(verdict.error);
    std::string extensions = supported_extensions(isa::names(isa));
    auto parsed = parse(extensions);
    if (!parsed)
        return fail(llvm::toString(parsed.takeError()));
    if (!(*parsed)->hasExtension("a"))
        return fail("kernels need atomics (A)");
    const unsigned min_vlen = (*parsed)->getMinVLen();
    if (vlen && !min_vlen)
        return fail("a vector length needs a vector extension (V or Zve…)");
    if (vlen && (!llvm::isPowerOf2_32(vlen) || vlen < min_vlen || vlen > 65536))
        return fail(
            llvm::formatv("VLEN {} is no power of two from {} to 65536", vlen, min_vlen).str());
    if (vlen > min_vlen) {
        parsed = parse(llvm::formatv("{}_zvl{}b", extensions, vlen).str());
        if (!parsed)
            return fail(llvm::toString(parsed.takeError()));
    }
    llvm::RISCVISAInfo &info = **parsed;
    std::vector<std::string> features = info.toFeatures();
    // Pointers and floats have to fit into elements, and LLVM's vscale counts units of 64 bits. A
    // vector unit without such elements, or with possibly shorter registers, is not used by any
    // pass.
    const bool usable = std::max(vlen, min_vlen) >= 64 &&
                        info.hasExtension(info.getXLen() == 64 ? "zve64d" : "zve32f");
    if (!usable)
        llvm::erase_if(features, implies_vectors);
    // rv32 with 64-bit and rv64 without float registers use the ABI that their registers allow.
    llvm::Triple triple(info.getXLen() == 64 ? "riscv64-unknown-elf" : "riscv32-unknown-elf");
    auto machine = make_machine(triple, info.getXLen() == 64 ? "generic-rv64" : "generic-rv32",
                                llvm::join(features, ","), info.computeDefaultABI());
    if (!machine)
        return std::unexpected(machine.error());
    Target target;
    target.xlen = info.getXLen();
    if (usable) {
        target.vlen = vlen;
        target.min_vlen = std::max(vlen, min_vlen);
    }
    target.sub_group_vlen = min_vlen ? std::max(vlen, min_vlen) : RVL_SUB_GROUP_VLEN;
    target.isa = extensions;
    for (const std::string &name : isa::names(isa))
        if (name.size() > 1 && !name.starts_with("rv") && !is_supported(name))
            target.unknown_extensions.push_back(name);
    target.machine.reset(*machine);
    return target;
}

} // namespace

// Keeps the last target: a compile server's jobs are mostly for one device, and the tables that a
// machine derives from its features take a tenth of the time of a small kernel's code.
std::expected<Target, std::string> make_target(std::string_view isa, unsigned vlen) {
    static struct {
        std::string isa;
        unsigned vlen;
        Target target;
    } last;
    if (last.target.machine && last.isa == isa && last.vlen == vlen)
        return last.target;
    auto target = llvm::is_contained(hosts, isa) ? host_target(isa, vlen) : riscv_target(isa, vlen);
    if (target)
        last = {std::string(isa), vlen, *target};
    return target;
}

std::string left_out_of(std::string_view isa) {
    if (llvm::is_contained(hosts, isa))
        return "";
    std::vector<std::string> names = isa::names(isa);
    llvm::erase_if(names, [](StringRef name) {
        return name == "g" || name == RVL_COPY_EXTENSION || is_supported(name);
    });
    return llvm::join(llvm::drop_begin(names), ", ");
}

void set_target(llvm::Module &module, const Target &target) {
    module.setTargetTriple(target.machine->getTargetTriple());
    module.setDataLayout(target.machine->createDataLayout());
    // The module's setters would add another flag each time.
    module.setModuleFlag(llvm::Module::Min, "PIC Level", llvm::PICLevel::SmallPIC);
    module.setModuleFlag(llvm::Module::Max, "PIE Level", llvm::PIELevel::Small);
    StringRef abi = target.machine->Options.MCOptions.ABIName;
    if (!abi.empty())
        module.setModuleFlag(llvm::Module::Error, "target-abi",
                             llvm::MDString::get(module.getContext(), abi));
    for (llvm::Function &function : module) {
        if (function.isDeclaration())
            continue;
        function.removeFnAttr("frame-pointer");
        function.addFnAttr("target-cpu", target.machine->getTargetCPU());
        function.addFnAttr("target-features", target.machine->getTargetFeatureString());
        if (target.min_vlen) {
            function.removeFnAttr(llvm::Attribute::VScaleRange);
            function.addFnAttr(
                llvm::Attribute::getWithVScaleRangeArgs(module.getContext(), target.min_vlen / 64,
                                                        (target.vlen ? target.vlen : 65536) / 64));
        }
    }
}

void initialise_targets() {
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTarget();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVAsmParser();
    LLVMInitializeRISCVAsmPrinter();
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmParser();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmParser();
    LLVMInitializeAArch64AsmPrinter();
}

} // namespace rivulet::compiler

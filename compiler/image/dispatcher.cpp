// SPDX-License-Identifier: Apache-2.0
#include "compiler/image/dispatcher.h"

#include <llvm/BinaryFormat/ELF.h>

#include "compiler/runtime/dispatch.h"

namespace rivulet::compiler {
namespace {

constexpr char dispatch64[] = {
#embed "dispatch64.o"
};
constexpr char dispatch32[] = {
#embed "dispatch32.o"
};
constexpr char dispatch_x86_64[] = {
#embed "dispatch_x86_64.o"
};
constexpr char dispatch_aarch64[] = {
#embed "dispatch_aarch64.o"
};

} // namespace

std::string dispatcher_for(llvm::StringRef kernels, const Target &target) {
    if (target.host)
        return target.machine->getTargetTriple().isX86()
                   ? std::string(dispatch_x86_64, sizeof dispatch_x86_64)
                   : std::string(dispatch_aarch64, sizeof dispatch_aarch64);
    std::string object = target.xlen == 64 ? std::string(dispatch64, sizeof dispatch64)
                                           : std::string(dispatch32, sizeof dispatch32);
    // It passes integers only: that's the same in all variants of the calling convention.
    using namespace llvm::ELF;
    const size_t flags =
        target.xlen == 64 ? offsetof(Elf64_Ehdr, e_flags) : offsetof(Elf32_Ehdr, e_flags);
    object.replace(flags, sizeof(Elf64_Word), kernels.substr(flags, sizeof(Elf64_Word)));
    return object;
}

} // namespace rivulet::compiler

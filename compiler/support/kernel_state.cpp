// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/kernel_state.h"

#include "compiler/support/metadata_archive.h"

namespace rivulet::compiler {
namespace {

constexpr llvm::StringLiteral kind = "rivulet.kernel";

} // namespace

template <class Archive> void describe(Archive &archive, Argument &argument) {
    archive(argument.name, argument.type, argument.kind, argument.offset, argument.bytes,
            argument.pointee_alignment, argument.access, argument.qualifiers, argument.image_type,
            argument.is_unwritten);
}

// Omits what code generation fills in.
template <class Archive> void describe(Archive &archive, Kernel &kernel) {
    archive(kernel.name, kernel.attributes, kernel.arguments, kernel.argument_bytes,
            kernel.required_group_size, kernel.group_size_hint, kernel.required_sub_group_size,
            kernel.vector_type_hint, kernel.uniform_work_groups, kernel.saved_bytes,
            kernel.private_bytes, kernel.local_bytes, kernel.sub_group_size,
            kernel.preferred_multiple, kernel.flags, kernel.takes_large_buffers);
}

void save_kernel(Kernel &kernel) { write_structure(*kernel.function, kind, kernel); }

bool is_saved(const Kernel &kernel) { return kernel.function->hasMetadata(kind); }

std::vector<Kernel> saved_kernels(llvm::Module &module) {
    std::vector<Kernel> kernels;
    for (llvm::Function &function : module)
        if (auto kernel = read_structure<Kernel>(function, kind)) {
            kernel->function = &function;
            kernels.push_back(std::move(*kernel));
        }
    return kernels;
}

void forget_kernel(Kernel &kernel) { kernel.function->setMetadata(kind, nullptr); }

} // namespace rivulet::compiler

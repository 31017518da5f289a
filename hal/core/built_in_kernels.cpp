// SPDX-License-Identifier: Apache-2.0
#include "hal/core/built_in_kernels.h"

#include <algorithm>

#include "base/printable.h"
#include "hal/protocol/launch.h"

namespace rivulet::hal {
namespace {

constexpr size_t most_name_bytes = 64; // CL_NAME_VERSION_MAX_NAME_SIZE

std::string printable(const char *text) {
    std::string copy = text == nullptr ? "" : text;
    make_printable(copy);
    return copy;
}

bool is_valid(const rvl_built_in_argument &argument) {
    if (argument.kind == RVL_BUILT_IN_VALUE)
        return argument.bytes >= 1 && argument.bytes <= sizeof(uint64_t);
    return argument.kind == RVL_BUILT_IN_GLOBAL || argument.kind == RVL_BUILT_IN_CONSTANT;
}

/// Why the kernel can't be used; "" if it can.
std::string flaw_of(const rvl_built_in_kernel &kernel, const std::vector<BuiltInKernel> &others) {
    if (kernel.size < sizeof kernel)
        return text({"its size is ", kernel.size, " bytes instead of ", sizeof kernel});
    const std::string name = printable(kernel.name);
    if (name.empty() || name.contains(';'))
        return "a name is not empty and contains no semicolon";
    if (name.size() >= most_name_bytes)
        return text({"a name has less than ", most_name_bytes, " letters"});
    if (std::ranges::find(others, name, &BuiltInKernel::name) != others.end())
        return "another kernel of the device has this name";
    if (kernel.unit == 0)
        return "the unit has no id";
    if (kernel.argument_count > RVL_MAX_UNIT_ARGUMENTS ||
        (kernel.argument_count != 0 && kernel.arguments == nullptr))
        return text({"it has ", kernel.argument_count, " arguments in its table; at most ",
                     RVL_MAX_UNIT_ARGUMENTS, " are possible"});
    for (uint32_t i = 0; i < kernel.argument_count; ++i)
        if (!is_valid(kernel.arguments[i]))
            return text({"argument ", i, " is neither a value of 1 to 8 bytes nor a buffer"});
    if (std::ranges::count(kernel.max_global_size, 0u) != 0)
        return "it has a largest global size of 0";
    return "";
}

} // namespace

std::vector<BuiltInKernel> read_built_in_kernels(const rvl_driver &driver, rvl_device *device,
                                                 DriverCallbacks &callbacks) {
    std::vector<BuiltInKernel> kernels;
    if (driver.built_in_kernels == nullptr)
        return kernels;
    const rvl_built_in_kernel *const *next = driver.built_in_kernels(device);
    for (; next != nullptr && *next != nullptr; ++next) {
        const rvl_built_in_kernel &kernel = **next;
        if (const std::string flaw = flaw_of(kernel, kernels); !flaw.empty()) {
            callbacks.log(0, text({"driver ", driver.name, " names a built-in kernel ",
                                   kernel.size < sizeof kernel ? "" : printable(kernel.name),
                                   " that can't be used: ", flaw}));
            continue;
        }
        BuiltInKernel &known = kernels.emplace_back();
        known.name = printable(kernel.name);
        known.version = kernel.version;
        known.unit = kernel.unit;
        known.function = kernel.function;
        std::ranges::copy(kernel.max_global_size, known.max_global_size.begin());
        for (uint32_t i = 0; i < kernel.argument_count; ++i) {
            const rvl_built_in_argument &argument = kernel.arguments[i];
            known.arguments.push_back({printable(argument.name), printable(argument.type),
                                       static_cast<rvl_built_in_kind>(argument.kind),
                                       argument.bytes});
        }
    }
    return kernels;
}

} // namespace rivulet::hal

// SPDX-License-Identifier: Apache-2.0
//
// The ICD's dispatch table, generated from the list of entry points.
#include <tuple>

#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

/// Replaces an unimplemented entry point: CL_INVALID_OPERATION, as result or through errcode_ret,
/// whatever the arguments.
template <class Function, auto name> struct Absent;
template <class R, class... A, auto name> struct Absent<R(CL_API_CALL *)(A...), name> {
    static R CL_API_CALL call(A... arguments) {
        guarded([] { fail(CL_INVALID_OPERATION, "this function is not implemented"); }, name());
        if constexpr (std::is_pointer_v<R>) {
            if constexpr (sizeof...(A) > 0) {
                auto last = std::get<sizeof...(A) - 1>(std::tie(arguments...));
                if constexpr (std::is_same_v<decltype(last), cl_int *>)
                    if (last)
                        *last = CL_INVALID_OPERATION;
            }
            return nullptr;
        } else if constexpr (!std::is_void_v<R>) {
            return static_cast<R>(CL_INVALID_OPERATION);
        }
    }
};
/// Entries for other operating systems, which have untyped pointers in the table.
template <auto name> struct Absent<void *, name> {
    static constexpr void *call = nullptr;
};

template <class Table>
concept knows_3_1 = requires(Table table) { table.clGetKernelSuggestedLocalWorkSize; };
static_assert(!knows_3_1<cl_icd_dispatch>, "the headers' table has the rows RIVULET_NEWER");

} // namespace

constinit const DispatchTable dispatch_table = {
    .of_headers =
        {
#define RIVULET_HERE(name, since) .name = ::name,
#define RIVULET_ABSENT(name, since)                                                                \
    .name = Absent<decltype(cl_icd_dispatch::name), [] { return #name; }>::call,
#define RIVULET_NEWER(name, since)
#define RIVULET_EXTENSION(name, extension)
#define RIVULET_COMMAND(name, extension)
#include "host-runtime/api/entry_points.def"
#undef RIVULET_HERE
#undef RIVULET_ABSENT
#undef RIVULET_NEWER
        },
#define RIVULET_HERE(name, since)
#define RIVULET_ABSENT(name, since)
#define RIVULET_NEWER(name, since) .name = ::name,
#include "host-runtime/api/entry_points.def"
#undef RIVULET_HERE
#undef RIVULET_ABSENT
#undef RIVULET_NEWER
#undef RIVULET_EXTENSION
#undef RIVULET_COMMAND
};

} // namespace rivulet

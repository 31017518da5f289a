// SPDX-License-Identifier: Apache-2.0
//
// cl_mem_flags (Table 5.3), validated when buffers and images are created.
#pragma once

#include "host-runtime/object/entry.h"

namespace rivulet {

constexpr cl_mem_flags device_access_flags =
    CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
/// What cl_ext_immutable_memory_objects excludes.
constexpr cl_mem_flags mutable_flags =
    CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY;
constexpr cl_mem_flags host_pointer_flags =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
constexpr cl_mem_flags host_access_flags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

constexpr cl_mem_migration_flags migration_flags =
    CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;

inline void check_migration(cl_mem_migration_flags flags) {
    require(!(flags & ~migration_flags), CL_INVALID_VALUE, "flags % have bits beyond %", Hex{flags},
            Hex{migration_flags});
}

constexpr bool at_most_one(cl_mem_flags flags) { return !(flags & (flags - 1)); }

constexpr bool is_valid_mem_flags(cl_mem_flags flags) {
    return !(flags & ~(device_access_flags | host_pointer_flags | host_access_flags |
                       CL_MEM_IMMUTABLE_EXT)) &&
           !(flags & CL_MEM_IMMUTABLE_EXT && flags & mutable_flags) &&
           at_most_one(flags & device_access_flags) && at_most_one(flags & host_access_flags) &&
           !(flags & CL_MEM_USE_HOST_PTR && flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR));
}

inline void check_mem_flags(cl_mem_flags flags) {
    require(is_valid_mem_flags(flags), CL_INVALID_VALUE,
            "flags % have unknown bits, or exclude each other", Hex{flags});
}

constexpr bool needs_host_pointer(cl_mem_flags flags) {
    return flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
}

inline void check_host_pointer(cl_mem_flags flags, const void *host_ptr) {
    require(needs_host_pointer(flags) == (host_ptr != nullptr), CL_INVALID_HOST_PTR,
            "host_ptr is %, with flags %: it goes with CL_MEM_USE_HOST_PTR or "
            "CL_MEM_COPY_HOST_PTR, and those with it",
            address_of(host_ptr), Hex{flags});
}

/// cl_ext_immutable_memory_objects: an object with memory of its own has contents from the start.
inline void check_contents(cl_mem_flags flags) {
    require(!(flags & CL_MEM_IMMUTABLE_EXT) || needs_host_pointer(flags), CL_INVALID_VALUE,
            "flags %: CL_MEM_IMMUTABLE_EXT needs CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR",
            Hex{flags});
}

/// The flags of an object created from another one: unspecified flags are inherited (5.2.1),
/// specified ones must not allow more than the parent's.
inline cl_mem_flags inherited_flags(cl_mem_flags flags, cl_mem_flags parent) {
    check_mem_flags(flags);
    require(!(flags & host_pointer_flags), CL_INVALID_VALUE,
            "flags %: the memory is the parent's, and has no host_ptr of its own", Hex{flags});
    const bool is_more =
        (parent & CL_MEM_WRITE_ONLY && flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) ||
        (parent & CL_MEM_READ_ONLY && flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) ||
        (parent & CL_MEM_HOST_WRITE_ONLY && flags & CL_MEM_HOST_READ_ONLY) ||
        (parent & CL_MEM_HOST_READ_ONLY && flags & CL_MEM_HOST_WRITE_ONLY) ||
        (parent & CL_MEM_HOST_NO_ACCESS &&
         flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) ||
        (parent & CL_MEM_IMMUTABLE_EXT && flags & mutable_flags);
    require(!is_more, CL_INVALID_VALUE, "flags % allow more than the parent's, %", Hex{flags},
            Hex{parent});
    if (!(flags & (device_access_flags | CL_MEM_IMMUTABLE_EXT)))
        flags |= parent & device_access_flags;
    flags |= parent & CL_MEM_IMMUTABLE_EXT;
    if (!(flags & host_access_flags))
        flags |= parent & host_access_flags;
    return flags | (parent & host_pointer_flags);
}

} // namespace rivulet

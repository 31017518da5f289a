/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL C 3.0, 6.15.11: a generic pointer is private inside the hart's stack and saved values,
 * local inside its local memory, and global otherwise. The compiler provides these tests. */
#include "builtin.h"

size_t __rivulet_local_begin(void) __attribute__((const));
size_t __rivulet_local_bytes(void) __attribute__((const));
size_t __rivulet_saved_begin(void) __attribute__((const));
size_t __rivulet_saved_bytes(void) __attribute__((const));
size_t __rivulet_stack_end(void) __attribute__((const));
size_t __rivulet_stack_bytes(void) __attribute__((const));

INLINE bool is_local(const generic void *p) {
    return (size_t)p - __rivulet_local_begin() < __rivulet_local_bytes();
}
/* The stack may have grown beyond its counted bytes; below it is a guard page. */
INLINE bool is_private(const generic void *p) {
    return (size_t)p - __rivulet_saved_begin() < __rivulet_saved_bytes() ||
           __rivulet_stack_end() - (size_t)p <= __rivulet_stack_bytes() + 4096;
}
global void *__to_global(generic void *p) {
    return is_local(p) || is_private(p) ? (global void *)0 : (global void *)p;
}
local void *__to_local(generic void *p) { return is_local(p) ? (local void *)p : (local void *)0; }
private void *__to_private(generic void *p) {
    return is_private(p) ? (private void *)p : (private void *)0;
}
/* There is no flag for private memory. */
OVERLOAD cl_mem_fence_flags get_fence(const generic void *p) {
    return is_local(p) ? CLK_LOCAL_MEM_FENCE : is_private(p) ? 0 : CLK_GLOBAL_MEM_FENCE;
}
OVERLOAD cl_mem_fence_flags get_fence(generic void *p) { return get_fence((const generic void *)p); }

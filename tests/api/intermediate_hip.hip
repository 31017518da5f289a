// SPDX-License-Identifier: Apache-2.0
// Kernels that intermediate.cpp runs, as compilers of single-source C++ write them (SYCL, HIP):
// generic pointers everywhere, structures by value that hold pointers, lambdas and templates that are
// inlined, atomics with scopes on generic pointers, sub-groups, variables in local memory.
#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
#define CONVERGENT __attribute__((convergent))

// Built-in functions, which the back end knows by their mangled names.
DEVICE __SIZE_TYPE__ get_global_id(unsigned dimension);
DEVICE __SIZE_TYPE__ get_local_id(unsigned dimension);
DEVICE __SIZE_TYPE__ get_local_size(unsigned dimension);
DEVICE __SIZE_TYPE__ get_group_id(unsigned dimension);
DEVICE unsigned get_sub_group_size();
DEVICE unsigned get_sub_group_local_id();
DEVICE unsigned get_sub_group_id();
DEVICE CONVERGENT void barrier(unsigned fences);
DEVICE CONVERGENT int sub_group_reduce_add(int value);

struct Node {
    Node *next;
    int value;
};

struct Lists {
    Node **heads;
    int *sums;
    unsigned count;
};

template <class Function> DEVICE void for_each(Node *node, Function function) {
    for (; node; node = node->next)
        function(*node);
}

/// Sums of linked lists, one for each work-item, and the sum of all.
KERNEL sum_lists(Lists lists, int *total) {
    const unsigned i = get_global_id(0);
    if (i >= lists.count)
        return;
    int sum = 0;
    for_each(lists.heads[i], [&](Node &node) { sum += node.value; });
    lists.sums[i] = sum;
    __scoped_atomic_fetch_add(total, sum, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

/// Sums of work-groups by way of their sub-groups.
KERNEL sum_groups(const int *values, int *sums) {
    SHARED int of_sub_groups[64];
    const int sum = sub_group_reduce_add(values[get_global_id(0)]);
    if (get_sub_group_local_id() == 0)
        of_sub_groups[get_sub_group_id()] = sum;
    barrier(1);
    if (get_local_id(0) != 0)
        return;
    int of_group = 0;
    for (unsigned i = 0; i * get_sub_group_size() < get_local_size(0); ++i)
        of_group += of_sub_groups[i];
    sums[get_group_id(0)] = of_group;
}

/// Counts in local or in global memory by the same pointer, which differs between work-items.
KERNEL count(int *totals) {
    SHARED int here;
    const unsigned i = get_local_id(0);
    if (i == 0)
        here = 0;
    barrier(1);
    int *counter = i % 3 == 0 ? &here : &totals[0];
    __scoped_atomic_fetch_add(counter, 1, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
    barrier(1);
    if (i == 0)
        __scoped_atomic_fetch_max(&totals[1], here, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
}

// SPDX-License-Identifier: Apache-2.0
// Kernels that intermediate.cpp runs, as SPIR-V: events, structures, pointers.
kernel void staged(global const int *from, global int *to, local int *lane) {
    size_t first = get_group_id(0) * get_local_size(0);
    event_t event = async_work_group_copy(lane, from + first, get_local_size(0), 0);
    event = async_work_group_strided_copy(lane + get_local_size(0), from, get_local_size(0), 2,
                                          event);
    wait_group_events(1, &event);
    size_t i = get_local_id(0);
    to[first + i] = lane[get_local_size(0) - 1 - i] + lane[get_local_size(0) + i];
}

typedef struct {
    float3 direction;
    char letters[5];
    int count;
} Shape;

int total(Shape shape, global const int *other) {
    int sum = other == 0 ? 0 : shape.count;
    for (int i = 0; i < 5; ++i)
        sum += shape.letters[i];
    return sum;
}

kernel void by_value(Shape shape, global float4 *to, global const int *other) {
    to[get_global_id(0)] = (float4)(shape.direction.zyx, total(shape, other));
}

// SPDX-License-Identifier: Apache-2.0
// Runs kernels whose results are known (known.py) and compares what they wrote with that.
#include "bare.h"

struct test_case {
    const char *name;
    rvl_kernel *kernel;
    struct ndrange range;
    uint32_t inputs[2], expected; // where they are in `data`
    uint32_t elements;            // that the kernel may write, of 32 bits
    int64_t numbers[3];
};
extern const struct test_case cases[];
extern const unsigned case_count;
extern const uint8_t data[];

enum { most_elements = 4096 };
static uint32_t out[most_elements] ALIGNED;

// Element i holds i before.
static void compare(const struct test_case *test) {
    for (uint32_t i = 0; i < most_elements; ++i)
        out[i] = i;
    const uint64_t arguments[] = {(uintptr_t)out,
                                  (uintptr_t)(data + test->inputs[0]),
                                  (uintptr_t)(data + test->inputs[1]),
                                  (uint64_t)test->numbers[0],
                                  (uint64_t)test->numbers[1],
                                  (uint64_t)test->numbers[2]};
    launch(test->kernel, &test->range, arguments, sizeof arguments);
    const uint32_t *expected = (const uint32_t *)(data + test->expected);
    for (uint32_t i = 0; i < most_elements; ++i) {
        const uint32_t right = i < test->elements ? expected[i] : i;
        if (out[i] == right)
            continue;
        print("DIFFERS ");
        print(test->name);
        print(" at element ");
        print_number(i, 10);
        print(": ");
        print_number(out[i], 16);
        print(", not ");
        print_number(right, 16);
        print("\n");
        return;
    }
}

int main(void) {
    for (unsigned i = 0; i < case_count; ++i) {
        print("RUN ");
        print(cases[i].name);
        print("\n");
        compare(&cases[i]);
    }
    print("DONE\n");
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// In the guest of platform_test.py: a window of rivulet_window whose lines are registers of a
// PL031.
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hal/drivers/linux/kernel/rivulet_window.h"

static void require(int holds, const char *what) {
    if (holds)
        return;
    perror(what);
    exit(1);
}

static void pulse(int node, uint64_t line) {
    require(write(node, &line, sizeof line) == sizeof line, "a line can be pulsed");
}

// The interrupts of at least this time; 0: none.
static uint64_t interrupts(int node, int milliseconds) {
    struct pollfd wanted = {.fd = node, .events = POLLIN};
    uint64_t count = 0;
    if (poll(&wanted, 1, milliseconds) == 1)
        require(read(node, &count, sizeof count) == sizeof count, "interrupts can be counted");
    return count;
}

int main(void) {
    const int node = open("/dev/rivulet0", O_RDWR | O_NONBLOCK);
    require(node >= 0, "there is a window");
    struct rivulet_window_info info;
    require(ioctl(node, RIVULET_WINDOW_INFO, &info) == 0, "it describes itself");
    require(info.bytes == 2 << 20 && info.address == 0x80000000, "by the tree");
    require(info.lines == 7 && info.flags == RIVULET_WINDOW_INTERRUPT, "with its lines");

    uint32_t *memory = mmap(NULL, info.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, node, 0);
    require(memory != MAP_FAILED, "it can be mapped");
    for (size_t i = 0; i < info.bytes / sizeof *memory; ++i)
        memory[i] = (uint32_t)(i * 2654435761u);
    for (size_t i = 0; i < info.bytes / sizeof *memory; ++i)
        require(memory[i] == (uint32_t)(i * 2654435761u), "it is memory");

    pulse(node, RIVULET_LINE_BELL);
    require(interrupts(node, 200) == 0, "a masked interrupt does not come");
    pulse(node, RIVULET_LINE_RELEASE); // lets the level through, which still is high
    require(interrupts(node, 10000) == 1, "a level is one interrupt");
    for (int i = 0; i < 20; ++i) {
        require(interrupts(node, 0) == 0, "an acknowledged level is low");
        // The clock may go on between the stores of which the alarm consists.
        uint64_t count = 0;
        for (int tries = 0; tries < 3 && count == 0; ++tries) {
            pulse(node, RIVULET_LINE_BELL);
            count = interrupts(node, 10000);
        }
        require(count == 1, "each level is one interrupt");
    }
    puts("the window works");
    return 0;
}

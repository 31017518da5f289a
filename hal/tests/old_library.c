/* SPDX-License-Identifier: Apache-2.0
 *
 * A HAL 1.0 library with a current driver: the rules by which it loaded, checked and used
 * drivers, built with that version's hal.h. Arguments: a driver's file and its name. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "hal/tests/frozen/hal_1_0.h"

static int complain(const char *what) {
    fprintf(stderr, "%s\n", what);
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return complain("old_library FILE NAME");
    void *const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return complain(dlerror());
    const rvl_driver *(*find)(const char *);
    *(void **)&find = dlsym(library, "rvl_driver_named");
    const rvl_driver *const driver = find ? find(argv[2]) : NULL;
    if (!driver)
        return complain("no such driver");
    if (RVL_VERSION_MAJOR(driver->hal_version) != RVL_VERSION_MAJOR(RVL_HAL_VERSION) ||
        driver->size < offsetof(rvl_driver, describe))
        return complain("refused by its version or size");

    const char *const entries[] = {"harts=1", "memory=67108864", NULL};
    const rvl_config config = {sizeof config, entries};
    const rvl_host host = {.size = sizeof host};
    struct {
        rvl_device_desc description;
        unsigned char beyond[512];
    } guarded;
    memset(&guarded, 0x55, sizeof guarded);
    memset(&guarded.description, 0, sizeof guarded.description);
    guarded.description.size = sizeof guarded.description;
    size_t count = 0;
    rvl_device *device;
    if (driver->enumerate(&config, &host, &guarded.description, 1, &count) != RVL_OK || count == 0)
        return complain("found no device");
    for (size_t i = 0; i < sizeof guarded.beyond; ++i)
        if (guarded.beyond[i] != 0x55)
            return complain("the driver wrote past the description's end");
    if (driver->open(&config, &guarded.description, &host, &device) != RVL_OK)
        return complain("the device can't be opened");
    if (driver->size >= sizeof(rvl_driver) && driver->describe)
        driver->describe(device, &guarded.description);
    for (size_t i = 0; i < sizeof guarded.beyond; ++i)
        if (guarded.beyond[i] != 0x55)
            return complain("describe wrote past the description's end");
    const uint64_t address =
        guarded.description.memory_base + guarded.description.memory_bytes - 2 * RVL_PAGE_BYTES;
    uint32_t word = 0x12345678, back = 0;
    if (driver->write(device, address, &word, sizeof word) != RVL_OK ||
        driver->read(device, address, &back, sizeof back) != RVL_OK || back != word)
        return complain("memory does not keep what was written");
    driver->close(device);
    return 0;
}

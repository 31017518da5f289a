// SPDX-License-Identifier: Apache-2.0
//
// The configuration file reader. A separate shared object (config.so next to drivers/), because it
// is a third of the library's size and most hosts have no such file.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

/// Receives the contents of a file in order; `line` counts from 1.
struct rivulet_config_sink {
    void *user;
    void (*device)(void *user, uint32_t line); // a [[device]] begins
    // of the current device
    void (*setting)(void *user, const char *key, const char *value, uint32_t line);
    // the current [[device]] is unusable, or, before the first one, the whole file
    void (*error)(void *user, uint32_t line, const char *what);
};

__attribute__((visibility("default"))) void rivulet_read_config(const char *text, size_t bytes,
                                                                const rivulet_config_sink *sink);

} // extern "C"

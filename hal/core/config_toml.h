// SPDX-License-Identifier: Apache-2.0
//
// The reader of configuration files: a shared object of its own (config.so beside drivers/), for it
// has the size of a third of the library and most hosts have no such file.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

/// Takes what a file says, in its order; `line` counts from 1.
struct rivulet_config_sink {
    void *user;
    void (*device)(void *user, uint32_t line); // a [[device]] begins
    void (*setting)(void *user, const char *key, const char *value, uint32_t line); // of it
    void (*error)(void *user, uint32_t line, const char *what); // the [[device]] is of no use, or
                                                                // there is none: the whole file
};

__attribute__((visibility("default"))) void rivulet_read_config(const char *text, size_t bytes,
                                                                const rivulet_config_sink *sink);

} // extern "C"

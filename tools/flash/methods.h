// SPDX-License-Identifier: Apache-2.0
//
// Methods of getting firmware onto a board.
#pragma once

#include <span>

#include "tools/flash/job.h"

namespace rivulet::flash {

struct Method {
    const char *name;
    const char *what;
    /// Makes what --image and --to write; NULL if the method has no image.
    Result<Bytes> (*image)(const Job &job);
    /// Loads and starts the firmware; NULL if the method only produces an image.
    Result<> (*bring)(const Job &job) = nullptr;
    /// Where the image has the sector that a boot ROM looks for, which is written last.
    uint64_t (*offset)(const Recipe &recipe) = [](const Recipe &) { return uint64_t{0}; };
    /// The image is a whole chip, whose slots are updated one at a time.
    bool has_slots = false;
};
std::span<const Method> methods();
const Method *find_method(const std::string &name);
/// Their names, for messages.
std::string method_names();

Result<> by_gdb(const Job &job);
Result<> by_qemu(const Job &job);
Result<> by_openocd(const Job &job);
Result<> by_fastboot(const Job &job);
Result<> by_remoteproc(const Job &job);

} // namespace rivulet::flash

// SPDX-License-Identifier: Apache-2.0
//
// U-Boot's flattened image tree: a device tree containing the firmware, its SHA-256, and a
// configuration with the load address.
#include <libfdt.h>
#include <openssl/sha.h>

#include "tools/flash/image.h"

namespace rivulet::flash {
namespace {

/// libfdt's sequential writer; the first error is kept.
class Tree {
public:
    explicit Tree(size_t bytes) : blob_(bytes) {
        take(fdt_create(blob_.data(), static_cast<int>(bytes)));
        take(fdt_finish_reservemap(blob_.data()));
    }
    void begin(const std::string &name) { take(fdt_begin_node(blob_.data(), name.c_str())); }
    void end() { take(fdt_end_node(blob_.data())); }
    void put(const char *name, const std::string &text) {
        put(name, text.c_str(), text.size() + 1);
    }
    void put(const char *name, uint32_t cell) { take(fdt_property_u32(blob_.data(), name, cell)); }
    void put(const char *name, uint64_t address) {
        take(fdt_property_u64(blob_.data(), name, address));
    }
    void put(const char *name, const void *bytes, size_t size) {
        take(fdt_property(blob_.data(), name, bytes, static_cast<int>(size)));
    }
    [[nodiscard]] Result<Bytes> finish() {
        take(fdt_finish(blob_.data()));
        if (error_ != 0)
            return fail(RVL_IO, {"libfdt: ", fdt_strerror(error_)});
        const auto *bytes = reinterpret_cast<const std::byte *>(blob_.data());
        return Bytes(bytes, bytes + fdt_totalsize(blob_.data()));
    }

private:
    void take(int result) {
        if (error_ == 0 && result < 0)
            error_ = result;
    }
    std::vector<char> blob_;
    int error_ = 0;
};

} // namespace

Result<Bytes> fit_image(const Flat &firmware, const std::string &name) {
    constexpr size_t other_bytes = 4096; // everything except the firmware
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const unsigned char *>(firmware.bytes.data()), firmware.bytes.size(),
           digest);
    Tree tree(firmware.bytes.size() + other_bytes);
    tree.begin("");
    tree.put("description", name);
    tree.put("timestamp", uint32_t{0}); // so that the same firmware gives the same image
    tree.put("#address-cells", uint32_t{2});
    tree.begin("images");
    tree.begin("firmware");
    tree.put("description", name);
    tree.put("data", firmware.bytes.data(), firmware.bytes.size());
    tree.put("type", "kernel");
    tree.put("arch", "riscv");
    tree.put("os", "linux"); // the boot path in which U-Boot starts the other harts
    tree.put("compression", "none");
    tree.put("load", firmware.address);
    tree.put("entry", firmware.entry);
    tree.begin("hash-1");
    tree.put("algo", "sha256");
    tree.put("value", digest, sizeof digest);
    tree.end();
    tree.end();
    tree.end();
    tree.begin("configurations");
    tree.put("default", "firmware");
    tree.begin("firmware");
    tree.put("description", name);
    tree.put("kernel", "firmware");
    tree.end();
    tree.end();
    tree.end();
    return tree.finish();
}

} // namespace rivulet::flash

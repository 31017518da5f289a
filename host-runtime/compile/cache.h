// SPDX-License-Identifier: Apache-2.0
//
// Results of rivulet-cc, cached on disk: one file per result, named by the hash of everything that
// went into it. Files are written under a temporary name and renamed, validated when read, and
// evicted oldest first when there are too many. Cache errors never fail a build.
//
// The directory may contain other files: only regular files of this user with a name and a header
// like the cache's own are read or removed. Users who share a directory have separate files in it.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "host-runtime/compile/request.h"
#include "host-runtime/object/hash.h"

namespace rivulet {

class CompileCache {
public:
    using Key = Hash;

    /// An empty directory disables the cache.
    explicit CompileCache(std::string directory, uint64_t max_bytes = uint64_t{256} << 20);

    /// RIVULET_CACHE, a directory or "off"; otherwise rivulet/ in XDG_CACHE_HOME or ~/.cache.
    static std::string directory_from_environment();

    /// The key of a request, or nullopt if its result must not be cached because it reads files
    /// that are not part of it. `compiler`: identity of the rivulet-cc that would answer.
    [[nodiscard]] std::optional<Key> key_of(const CompileRequest &request,
                                            std::string_view compiler) const;

    [[nodiscard]] std::optional<CompileResult> find(const Key &key) const;
    void store(const Key &key, const CompileResult &result);
    void remove(const Key &key) const;

private:
    [[nodiscard]] std::string path_of(const Key &key) const;
    void evict() const;

    std::string directory_;
    const uint64_t max_bytes_;
    std::atomic<uint64_t> unswept_bytes_; // written since the directory was last scanned
};

/// True if the text makes the preprocessor read or look for a file: it has #include or the like
/// with a name that is not among the headers.
bool includes_files(std::string_view text, std::span<const CompileRequest::Header> headers);

} // namespace rivulet

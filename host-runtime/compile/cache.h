// SPDX-License-Identifier: Apache-2.0
//
// The results of rivulet-cc, kept on disk: one file per result, named by the hash of everything
// that went into it. Files are written aside and renamed, checked when read, and thrown away oldest
// first when there are too many. Nothing that goes wrong here fails a build.
//
// The folder may be anybody's: what is not a regular file of this user's, with a name and a start
// like those of the cache's files, is neither read nor removed. Users who share a folder have files
// of their own in it.
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

    /// An empty directory: no cache.
    explicit CompileCache(std::string directory, uint64_t max_bytes = uint64_t{256} << 20);

    /// RIVULET_CACHE, a directory or "off"; else rivulet/ in XDG_CACHE_HOME or ~/.cache.
    static std::string directory_from_environment();

    /// The key of a request, or nothing when its result must not be kept: it reads files that
    /// are not part of it. `compiler`: identity of the rivulet-cc that would answer.
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
    std::atomic<uint64_t> unswept_bytes_; // written since the directory was looked through
};

/// True if the text makes the preprocessor read a file or ask whether there is one: it has
/// #include or the like of a name that is none of the headers.
bool includes_files(std::string_view text, std::span<const CompileRequest::Header> headers);

} // namespace rivulet

// SPDX-License-Identifier: Apache-2.0
//
// Versions of kernels for how they are launched. A program is built before its kernels are
// launched, so its code works for any local size, and for images of any format. For launches that
// take long enough in total, rivulet-cc builds the kernel again, for their local size, image
// formats and samplers, while the general version keeps running; later launches use what is built.
// Both versions give the same results.
//
// A build starts once the launches have taken a second of the device's time, so that short
// programs, such as tests, have no builds at all. Results of earlier processes, from the cache, are
// used sooner. One thread builds one version at a time. When something fails the general version
// remains. When device memory is short, versions that no launch uses are freed; their launches are
// then counted from the beginning.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/lock.h"
#include "host-runtime/compile/caller_files.h"
#include "host-runtime/compile/request.h"
#include "host-runtime/context/context.h"
#include "host-runtime/program/launch.h"
#include "host-runtime/program/loaded_kernel_image.h"
#include "host-runtime/program/program.h"

namespace rivulet {

/// One version of a kernel, from the first launch of its kind on, whether it is ever built or not.
struct KernelVersion {
    using LocalSize = std::array<size_t, 3>;
    enum class State : unsigned char {
        counted, // launches, until they are worth looking into the cache
        looking, // into the cache
        awaited, // not in the cache: device time is counted, until it is worth a build
        building,
        ready,
        failed,
    };

    explicit KernelVersion(const ImageKernel &general) : general(general) {}
    /// Takes the place of another that was only counted.
    void become(const LocalSize &size, const std::vector<KnownArgument> &arguments);
    void count_again();
    [[nodiscard]] bool is_for(const LocalSize &size,
                              const std::vector<KnownArgument> &arguments) const {
        return local_size == size && known == arguments;
    }

    const ImageKernel &general;
    // Not changed while it is obtained, or afterwards.
    LocalSize local_size; // 0: any
    std::vector<KnownArgument> known;
    std::string label; // for traces and messages
    std::atomic<uint32_t> launches = 0;
    std::atomic<uint64_t> ticks = 0; // device time of all launches

    // Guarded by the mutex of KernelVersions.
    State state = State::counted;
    std::shared_ptr<const LoadedKernelImage> loaded;
    const ImageKernel *kernel = nullptr; // of `loaded`
};

/// All versions of a program's kernels on one device, for one build of the program. Belongs to the
/// program's image.
class KernelVersions final : public Trimmable, public std::enable_shared_from_this<KernelVersions> {
public:
    /// What it takes to build, kept by builds that the program doesn't wait for.
    using Objects = std::vector<std::vector<std::byte>>;
    struct Source {
        std::shared_ptr<const Recipe> recipe;
        std::shared_ptr<const Objects> objects; // input of a link; null: none
        // Of source that includes files: the folder of the build, and what the files contained. An
        // open folder instead of its path would take a descriptor for each program.
        std::optional<std::string> folder;
        CallerFiles::Contents included;
        std::string options;
        std::string isa; // as the compiler names it
        std::string core;
        CompileRequest::Header instructions; // of the board
        InstructionSet device;

        /// Nothing if it isn't in the cache and `builds` is false.
        [[nodiscard]] std::optional<CompileResult> compile(std::string_view more_options,
                                                           bool builds) const;
    };

    /// Null if the program can have no versions.
    static std::shared_ptr<KernelVersions> of(Ref<Context> context, const Device &device,
                                              std::shared_ptr<const KernelImage> image,
                                              Source source);
    KernelVersions(Ref<Context> context, const Device &device,
                   std::shared_ptr<const KernelImage> image, Source source);

    /// True if versions of this kernel may differ from it.
    [[nodiscard]] static bool may_help(const ImageKernel &kernel);

    /// Replaces the kernel of a launch by the version for it, if that is ready.
    [[gnu::noinline]] void choose(KernelSnapshot &launch, const Device &device,
                                  const NDRange &range);
    /// A launch of the general version has ended, for which `version` would have been used.
    [[gnu::noinline]] void count(KernelVersion &version, uint64_t ticks) noexcept;
    void trim() override;

private:
    class Task;
    using Versions = std::vector<std::unique_ptr<KernelVersion>>; // of one kernel
    using State = KernelVersion::State;

    static bool is_obtained(const KernelVersion &version);
    static bool is_full(const Versions &versions);
    KernelVersion *find(const KernelSnapshot &launch, const KernelVersion::LocalSize &local_size);
    [[nodiscard]] State due(const KernelVersion &version) const;
    void obtain(KernelVersion &version) noexcept;
    void finish(KernelVersion &version, std::optional<CompileResult> result) noexcept;
    void load(KernelVersion &version, std::vector<std::byte> file);
    void end(KernelVersion &version, State state);

    const Ref<Context> context_; // whose memory has the versions
    ContextDevice &context_device_;
    const std::shared_ptr<const Source> source_;
    const std::shared_ptr<const KernelImage> general_;
    const uint64_t worth_a_build_; // of device time

    mutable Mutex mutex_{LockRank::leaf};
    Condition ended_;
    std::map<const ImageKernel *, Versions> versions_;
};

} // namespace rivulet

// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/kernel_versions.h"

#include <algorithm>

#include "base/environment.h"
#include "hal/core/trace.h"
#include "host-runtime/compile/compiler.h"
#include "host-runtime/object/entry.h"
#include "host-runtime/object/log.h"
#include "host-runtime/object/task.h"
#include "host-runtime/program/debug_files.h"
#include "host-runtime/program/signature.h"

namespace rivulet {
namespace {

/// The permitted values of RIVULET_KERNEL_VERSIONS, in the table's order.
enum class Mode : unsigned char { background, early, wait, off };

Mode mode() {
    static const auto mode = static_cast<Mode>(environment_choice(Variable::kernel_versions));
    return mode;
}

/// Looking into the cache reads a file and hashes the source: about as much work as so many
/// launches.
constexpr uint32_t launches_before_look = 4;
/// Building one kernel takes 0.1 to 1 s of processor time, rarely more. Where the local size
/// matters, a version for it saves about a third of the device time. A kernel that has run for so
/// long is expected to run as long again.
constexpr uint64_t seconds_before_build = 1;
/// Per kernel. Programs that try many local sizes would fill the device with code otherwise.
constexpr size_t most_built = 4;
constexpr size_t most_counted = 16;

/// Versions for many launches and for one launch are equally good in code; only what depends on the
/// size of groups gets better.
bool depends_on_local_size(const rvl_kernel_note &note) {
    return !(note.flags & RVL_KERNEL_FLAT) && note.required_group_size[0] == 0;
}

/// Arguments are laid out for the general version before a version is chosen.
bool takes_launches_of(const ImageKernel &general, const ImageKernel &version) {
    constexpr uint32_t properties = RVL_KERNEL_PRINTF | RVL_KERNEL_PRINTF_COMPACT |
                                    RVL_KERNEL_PRINTF_COUNTS | RVL_KERNEL_UNIFORM |
                                    RVL_KERNEL_LARGE_BUFFERS | RVL_KERNEL_SUB_GROUPS;
    return version.has_definition_of(general) &&
           std::ranges::equal(
               version.arguments, general.arguments, {},
               [](const auto &argument) { return argument.note.offset; },
               [](const auto &argument) { return argument.note.offset; }) &&
           version.note.argument_bytes == general.note.argument_bytes &&
           version.note.local_bytes <= general.note.local_bytes &&
           version.note.sub_group_size == general.note.sub_group_size &&
           (version.note.flags & properties) == (general.note.flags & properties);
}

/// A name that needs no quotes as a build option. Names in SPIR-V may be anything.
bool is_plain(std::string_view name) {
    return std::ranges::all_of(name, [](char c) {
        return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
    });
}

} // namespace

KernelVersion::KernelVersion(const ImageKernel &general, const LocalSize &local_size)
    : general(general), local_size(local_size),
      label(text({"local size ", local_size[0], ",", local_size[1], ",", local_size[2]})) {}

/// Obtains a version on the worker thread.
class KernelVersions::Task final : public rivulet::Task {
public:
    Task(std::weak_ptr<KernelVersions> versions, Version version, bool builds)
        : versions_(std::move(versions)), source_(versions_.lock()->source_),
          version_(std::move(version)), builds_(builds) {}

    // Meanwhile, the application may release the program and its context.
    void run() override {
        const std::unique_ptr<rivulet::Task> self(this);
        if (versions_.expired())
            return;
        std::optional<CompileResult> result;
        const cl_int code = guarded([&] { result = source_->compile(*version_, builds_); });
        if (code != CL_SUCCESS)
            result = CompileResult{};
        if (const auto versions = versions_.lock())
            versions->finish(*version_, std::move(result));
    }

private:
    const std::weak_ptr<KernelVersions> versions_;
    const std::shared_ptr<const Source> source_;
    const Version version_;
    const bool builds_;
};

std::optional<CompileResult> KernelVersions::Source::compile(const KernelVersion &version,
                                                             bool builds) const {
    // Files may have changed since the program was built.
    if (includes_files(recipe->source, {}))
        return CompileResult{RVL_COMPILE_FAILED, "the source includes files", {}};
    const std::string source = debug_files::keep_source(recipe->source);
    const auto &[x, y, z] = version.local_size;
    const std::string all_options = text(
        {options, " -rvl-kernel=", version.general.name, " -rvl-local-size=", x, ",", y, ",", z});
    CompileRequest request;
    request.isa = isa;
    request.vlen = device.vlen;
    request.options = all_options;
    request.source = source;
    request.spirv = recipe->spirv;
    const hal::trace::Span span("version of a kernel");
    return builds ? Compiler::get().run(request) : Compiler::get().cached(request);
}

std::shared_ptr<KernelVersions> KernelVersions::of(Ref<Context> context, const DeviceProgram &built,
                                                   std::string_view isa, std::string options) {
    const KernelImage &image = built.loaded->image();
    // Versions have variables of their own.
    if (mode() == Mode::off || !built.binary.recipe || image.global_variable_bytes() != 0 ||
        std::ranges::none_of(image.kernels(), &KernelVersions::may_help))
        return nullptr;
    return std::make_shared<KernelVersions>(std::move(context), built,
                                            Source{built.binary.recipe, std::move(options),
                                                   std::string(isa),
                                                   instruction_set(*built.device)});
}

KernelVersions::KernelVersions(Ref<Context> context, const DeviceProgram &built, Source source)
    : context_(std::move(context)), context_device_(context_->context_device(*built.device)),
      source_(std::make_shared<const Source>(std::move(source))), general_(built.loaded),
      worth_a_build_(seconds_before_build * context_device_.instance().hello().timebase) {}

bool KernelVersions::may_help(const ImageKernel &kernel) {
    return depends_on_local_size(kernel.note) && !(kernel.note.flags & RVL_KERNEL_SANITIZED) &&
           is_plain(kernel.name);
}

/// Built, or tried.
bool KernelVersions::is_obtained(const Version &version) {
    return version->state != State::counted && version->state != State::awaited;
}

bool KernelVersions::is_full(const std::vector<Version> &versions) {
    return std::ranges::count_if(versions, is_obtained) >= static_cast<ptrdiff_t>(most_built);
}

/// The version for a kind of launches, new or not; null if there are too many.
KernelVersions::Version KernelVersions::find(const ImageKernel &kernel,
                                             const KernelVersion::LocalSize &local_size) {
    std::vector<Version> &versions = versions_[&kernel];
    const auto found = std::ranges::find(versions, local_size, &KernelVersion::local_size);
    if (found != versions.end())
        return *found;
    if (is_full(versions))
        return nullptr;
    auto version = std::make_shared<KernelVersion>(kernel, local_size);
    if (versions.size() < most_counted) {
        versions.push_back(version);
    } else { // in place of the one with the least device time
        const auto least = std::ranges::min_element(versions, {}, [](const Version &other) {
            return is_obtained(other) ? UINT64_MAX : other->ticks.load();
        });
        *least = version;
    }
    return version;
}

void KernelVersions::choose(KernelSnapshot &launch, const Device &device, const NDRange &range) {
    Lock lock(mutex_);
    const Version version = find(*launch.kernel, range.local);
    if (!version)
        return;
    if (mode() == Mode::wait) {
        if (version->state == State::counted) {
            version->state = State::building;
            lock.unlock();
            obtain(*version, State::building);
            lock.lock();
        }
        ended_.wait(lock, [&] { return version->state != State::building; });
    }
    const size_t items = range.local[0] * range.local[1] * range.local[2];
    if (version->state != State::ready ||
        items > max_group_size(device, version->kernel->note, launch.local_bytes)) {
        launch.version = version;
        return;
    }
    launch.image = version->loaded;
    launch.note = &version->kernel->note;
    launch.name = version->kernel->name;
    launch.entry = launch.image->base + launch.note->entry;
    launch.large_entry = launch.note->flags & RVL_KERNEL_LARGE_BUFFERS
                             ? launch.image->base + launch.note->large_entry
                             : 0;
    launch.version_label = version->label;
    launch.version = version;
}

/// The next state of a version whose launches have been counted, or the same.
KernelVersion::State KernelVersions::due(const KernelVersion &version) const {
    if (mode() == Mode::early && version.state == State::counted)
        return State::building;
    if (version.state == State::counted && version.launches >= launches_before_look)
        return State::looking;
    if (version.state == State::awaited && version.ticks >= worth_a_build_)
        return State::building;
    return version.state;
}

void KernelVersions::count(const std::shared_ptr<KernelVersion> &version, uint64_t ticks) noexcept {
    ++version->launches;
    version->ticks += ticks;
    State next{};
    {
        const Lock lock(mutex_);
        next = due(*version);
        if (mode() == Mode::wait || next == version->state || is_full(versions_[&version->general]))
            return;
        version->state = next;
    }
    std::unique_ptr<rivulet::Task> task;
    const cl_int code = guarded([&] {
        start(Worker::versions);
        task = std::make_unique<Task>(weak_from_this(), version, next == State::building);
    });
    if (code == CL_SUCCESS)
        run_later(Worker::versions, *task.release());
    else
        end(*version, State::failed);
}

/// Builds a version, or finds it in the cache, on the calling thread.
void KernelVersions::obtain(KernelVersion &version, State how) noexcept {
    std::optional<CompileResult> result = CompileResult{};
    (void)guarded([&] { result = source_->compile(version, how == State::building); });
    finish(version, std::move(result));
}

void KernelVersions::end(KernelVersion &version, State state) {
    const Lock lock(mutex_);
    version.state = state;
    ended_.notify_all();
}

void KernelVersions::finish(KernelVersion &version, std::optional<CompileResult> result) noexcept {
    if (!result)
        return end(version, State::awaited);
    std::string why = result->text;
    const auto note_failure = [&](cl_int, std::string_view reason) { why = reason; };
    const cl_int code = guarded(
        [&] {
            require(result->status == RVL_COMPILE_OK, CL_BUILD_PROGRAM_FAILURE, why);
            load(version, std::move(result->output));
        },
        note_failure);
    end(version, code == CL_SUCCESS ? State::ready : State::failed);
    (void)guarded([&] {
        hal::trace::instant(code == CL_SUCCESS ? "a version of a kernel is ready"
                                               : "no version of a kernel");
        log(2, code == CL_SUCCESS ? text({"kernel ", version.general.name, ": the version for ",
                                          version.label, " is ready"})
                                  : text({"kernel ", version.general.name, ": no version for ",
                                          version.label, ": ", why}));
    });
}

void KernelVersions::load(KernelVersion &version, std::vector<std::byte> file) {
    auto image = KernelImage::read(std::move(file), source_->device);
    require(image.has_value(), CL_INVALID_BINARY, "the image can't be used");
    const ImageKernel *kernel = (*image)->kernel(version.general.name);
    require(kernel && takes_launches_of(version.general, *kernel) &&
                (*image)->compiler() == general_->image().compiler(),
            CL_INVALID_BINARY, "it is not like the general version");
    const bool is_signed =
        (context_device_.instance().hello().flags & RVL_HELLO_SIGNED_KERNELS) != 0;
    KernelSignature signature;
    const char *problem = is_signed ? find_signature(**image, signature) : nullptr;
    require(!problem, CL_INVALID_BINARY, problem ? problem : "");
    auto loaded = std::make_shared<const LoadedKernelImage>(
        *image, context_device_,
        std::span<const std::byte>(signature).first(is_signed ? signature.size() : 0));
    const Lock lock(mutex_);
    version.kernel = kernel;
    version.loaded = std::move(loaded);
}

} // namespace rivulet

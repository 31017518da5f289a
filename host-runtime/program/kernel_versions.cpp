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
/// Building one kernel takes 0.02 to 0.1 s of processor time, seldom 1 s. Of 19 benchmarks to which
/// local size or image format matters, a version saves 41 % of the instructions (geometric mean).
/// A kernel that has run for so long is expected to run as long again.
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

std::string label_of(const KernelVersion &version) {
    std::string label;
    const auto add = [&](std::initializer_list<Part> parts) {
        label += label.empty() ? "" : ", ";
        label += text(parts);
    };
    if (const auto &[x, y, z] = version.local_size; x != 0)
        add({"local size ", x, ",", y, ",", z});
    for (const auto &[index, is_sampler, values] : version.known)
        if (is_sampler)
            add({"sampler ", index, " ", Hex{values[0]}});
        else
            add({"image ", index, " ", Hex{values[0]}, " ", Hex{values[1]}});
    return label;
}

/// For messages.
std::string name_of(const KernelVersion &version) {
    return text({"kernel ", version.general.name, ": the version for ", version.label});
}

std::string options_of(const KernelVersion &version) {
    std::string options = text({" -rvl-kernel=", version.general.name});
    if (const auto &[x, y, z] = version.local_size; x != 0)
        options += text({" -rvl-local-size=", x, ",", y, ",", z});
    for (const auto &[index, is_sampler, values] : version.known)
        options +=
            is_sampler
                ? text({" -rvl-sampler=", index, ",", values[0]})
                : text({" -rvl-image=", index, ",", values[0], ",", values[1], ",", values[2]});
    return options;
}

/// A name that needs no quotes as a build option. Names in SPIR-V may be anything.
bool is_plain(std::string_view name) {
    return std::ranges::all_of(name, [](char c) {
        return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
    });
}

} // namespace

void KernelVersion::become(const LocalSize &size, const std::vector<KnownArgument> &arguments) {
    local_size = size;
    known = arguments;
    label = label_of(*this);
    count_again();
}

void KernelVersion::count_again() {
    launches = 0;
    ticks = 0;
    state = State::counted;
}

/// Obtains a version on the worker thread.
class KernelVersions::Task final : public rivulet::Task {
public:
    Task(KernelVersions &versions, KernelVersion &version, bool builds)
        : versions_(versions.weak_from_this()), source_(versions.source_), version_(version),
          name_(name_of(version)), options_(options_of(version)), builds_(builds) {}

    // While it builds, the application may release the program and its context, and thereby the
    // version.
    void run() override {
        const std::unique_ptr<rivulet::Task> self(this);
        if (versions_.expired())
            return;
        if (builds_)
            note("is being built");
        std::optional<CompileResult> result = CompileResult{};
        (void)guarded([&] { result = source_->compile(options_, builds_); });
        if (const auto versions = versions_.lock())
            versions->finish(version_, std::move(result));
        else if (builds_)
            note("is not loaded: the program has been released");
    }

private:
    void note(const char *what) const {
        (void)guarded([&] { log(2, text({name_, " ", what})); });
    }

    const std::weak_ptr<KernelVersions> versions_;
    const std::shared_ptr<const Source> source_;
    KernelVersion &version_;
    const std::string name_; // for messages
    const std::string options_;
    const bool builds_;
};

std::optional<CompileResult> KernelVersions::Source::compile(std::string_view more_options,
                                                             bool builds) const {
    std::optional<CallerFiles> included_files;
    if (folder)
        included_files.emplace(*folder);
    else if (includes_files(recipe->source, {}))
        return CompileResult{RVL_COMPILE_FAILED, "the binary's source includes files", {}};
    const std::string all_options = text({options, more_options});
    CompileRequest request;
    if (objects) {
        request.kind = RVL_FRAME_LINK;
        request.objects = *objects;
    }
    request.isa = isa;
    request.instructions = instructions;
    request.vlen = device.vlen;
    request.core = core;
    request.options = all_options;
    request.source = recipe->source;
    request.spirv = recipe->spirv;
    request.files = included_files ? &*included_files : nullptr;
    const hal::trace::Span span("version of a kernel");
    auto result = builds ? Compiler::get().run(request) : Compiler::get().cached(request);
    if (result && result->status == RVL_COMPILE_OK && included_files &&
        included_files->contents() != included)
        return CompileResult{RVL_COMPILE_FAILED, "the files that it includes have changed", {}};
    return result;
}

std::shared_ptr<KernelVersions> KernelVersions::of(Ref<Context> context, const Device &device,
                                                   std::shared_ptr<const KernelImage> image,
                                                   Source source) {
    ContextDevice &context_device = context->context_device(device);
    const bool is_signed =
        (context_device.instance().hello().flags & RVL_HELLO_SIGNED_KERNELS) != 0;
    // Versions would have variables of their own, and constants that no constructor has set. A
    // debugger's breakpoints are in the code that it knows.
    if (mode() == Mode::off || debug_files::wanted() || (is_signed && !signs_compiled_code()) ||
        image->global_variable_bytes() != 0 || image->initialiser() ||
        std::ranges::none_of(image->kernels(), &KernelVersions::may_help))
        return nullptr;
    auto versions = std::make_shared<KernelVersions>(std::move(context), device, std::move(image),
                                                     std::move(source));
    context_device.add(versions);
    return versions;
}

KernelVersions::KernelVersions(Ref<Context> context, const Device &device,
                               std::shared_ptr<const KernelImage> image, Source source)
    : context_(std::move(context)), context_device_(context_->context_device(device)),
      source_(std::make_shared<const Source>(std::move(source))), general_(std::move(image)),
      worth_a_build_(seconds_before_build * context_device_.instance().hello().timebase) {}

bool KernelVersions::may_help(const ImageKernel &kernel) {
    const bool has_images = std::ranges::any_of(kernel.arguments, [](const auto &argument) {
        return argument.note.kind == RVL_ARGUMENT_IMAGE;
    });
    return (depends_on_local_size(kernel.note) || has_images) &&
           !(kernel.note.flags & RVL_KERNEL_SANITIZED) && is_plain(kernel.name);
}

/// Built, or tried.
bool KernelVersions::is_obtained(const KernelVersion &version) {
    return version.state != State::counted && version.state != State::awaited;
}

bool KernelVersions::is_full(const Versions &versions) {
    return std::ranges::count_if(versions, [](const auto &version) {
               return is_obtained(*version);
           }) >= static_cast<ptrdiff_t>(most_built);
}

/// The version for a kind of launches, new or not; null if there are too many.
KernelVersion *KernelVersions::find(const KernelSnapshot &launch,
                                    const KernelVersion::LocalSize &local_size) {
    Versions &versions = versions_[launch.kernel];
    const auto found = std::ranges::find_if(
        versions, [&](const auto &version) { return version->is_for(local_size, launch.known); });
    if (found != versions.end())
        return found->get();
    if (is_full(versions))
        return nullptr;
    if (versions.size() < most_counted) {
        versions.push_back(std::make_unique<KernelVersion>(*launch.kernel));
        versions.back()->become(local_size, launch.known);
        return versions.back().get();
    }
    // In place of the one with the least device time. Launches of that one which still run will
    // count for the new one.
    KernelVersion &least = **std::ranges::min_element(versions, {}, [](const auto &version) {
        return is_obtained(*version) ? UINT64_MAX : version->ticks.load();
    });
    least.become(local_size, launch.known);
    return &least;
}

void KernelVersions::choose(KernelSnapshot &launch, const Device &device, const NDRange &range) {
    const auto local_size =
        depends_on_local_size(launch.kernel->note) ? range.local : KernelVersion::LocalSize{};
    Lock lock(mutex_);
    KernelVersion *const version = find(launch, local_size);
    if (!version)
        return;
    if (mode() == Mode::wait) {
        if (version->state == State::counted) {
            version->state = State::building;
            lock.unlock();
            obtain(*version);
            lock.lock();
        }
        ended_.wait(lock, [&] { return version->state != State::building; });
        // Meanwhile it may have been freed, and another may have taken its place.
        if (!version->is_for(local_size, launch.known))
            return;
    }
    const size_t items = range.local[0] * range.local[1] * range.local[2];
    if (version->state != State::ready ||
        items > max_group_size(device, version->kernel->note, launch.local_bytes)) {
        launch.version = version;
        return;
    }
    launch.take(version->loaded, *version->kernel);
    launch.versions = nullptr; // it may end before this launch does
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

void KernelVersions::count(KernelVersion &version, uint64_t ticks) noexcept {
    ++version.launches;
    version.ticks += ticks;
    std::unique_ptr<rivulet::Task> task;
    const cl_int code = guarded([&] {
        const Lock lock(mutex_);
        const State next = due(version);
        if (mode() == Mode::wait || next == version.state || is_full(versions_[&version.general]))
            return;
        task = std::make_unique<Task>(*this, version, next == State::building);
        version.state = next;
    });
    if (!task)
        return;
    if (code == CL_SUCCESS && guarded([] { start(Worker::versions); }) == CL_SUCCESS)
        run_later(Worker::versions, *task.release());
    else
        end(version, State::failed);
}

/// Builds a version, or finds it in the cache, on the calling thread.
void KernelVersions::obtain(KernelVersion &version) noexcept {
    std::optional<CompileResult> result = CompileResult{};
    (void)guarded([&] { result = source_->compile(options_of(version), true); });
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
    std::string name;
    (void)guarded([&] { name = name_of(version); });
    end(version, code == CL_SUCCESS ? State::ready : State::failed); // then it may be freed
    (void)guarded([&] {
        hal::trace::instant(code == CL_SUCCESS ? "a version of a kernel is ready"
                                               : "no version of a kernel");
        log(2, code == CL_SUCCESS ? text({name, " is ready"})
                                  : text({"kernel ", version.general.name, ": no version for ",
                                          version.label, ": ", why}));
    });
}

void KernelVersions::load(KernelVersion &version, std::vector<std::byte> file) {
    auto image = KernelImage::read(std::move(file), source_->device);
    require(image.has_value(), CL_INVALID_BINARY, "the image can't be used");
    const ImageKernel *kernel = (*image)->kernel(version.general.name);
    require(kernel && takes_launches_of(version.general, *kernel) &&
                (*image)->compiler() == general_->compiler(),
            CL_INVALID_BINARY, "it is not like the general version");
    const bool is_signed =
        (context_device_.instance().hello().flags & RVL_HELLO_SIGNED_KERNELS) != 0;
    KernelSignature signature;
    const char *problem = is_signed ? find_signature(**image, signature) : nullptr;
    require(!problem, CL_INVALID_BINARY, problem ? problem : "");
    auto loaded = std::make_shared<LoadedKernelImage>(
        *image, context_device_,
        std::span<const std::byte>(signature).first(is_signed ? signature.size() : 0),
        version.label);
    const Lock lock(mutex_);
    version.kernel = kernel;
    version.loaded = std::move(loaded);
}

void KernelVersions::trim() {
    std::vector<std::shared_ptr<const LoadedKernelImage>> unused; // freed without the lock
    std::vector<std::string> names;
    Lock lock(mutex_);
    for (const auto &[kernel, versions] : versions_)
        for (const auto &version : versions) {
            // Launches get their references under the lock.
            if (version->state != State::ready || version->loaded.use_count() != 1)
                continue;
            names.push_back(name_of(*version));
            unused.push_back(std::move(version->loaded));
            version->kernel = nullptr;
            version->count_again();
        }
    lock.unlock();
    for (const std::string &name : names)
        log(2, text({name, " is freed, because device memory is short"}));
}

} // namespace rivulet

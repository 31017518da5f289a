// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/build.h"

#include <algorithm>
#include <exception>
#include <string>
#include <thread>

#include "base/environment.h"
#include "base/thread.h"
#include "hal/protocol/sanitizer.h"
#include "host-runtime/compile/cache.h"
#include "host-runtime/compile/compiler.h"
#include "host-runtime/device/limits.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/object/entry.h"
#include "host-runtime/object/log.h"
#include "host-runtime/object/task.h"
#include "host-runtime/program/debug_files.h"
#include "host-runtime/program/instruction_table.h"
#include "host-runtime/program/launch.h"
#include "host-runtime/program/signature.h"

namespace rivulet {
namespace {

/// The differences between the three ways to create a program.
constexpr struct Way {
    rvl_frame_kind kind;
    const char *function;
    cl_program_binary_type object_type; // of results that are not executables
    cl_int failure;
    cl_int bad_options;
} ways[] = {
    {RVL_FRAME_BUILD, "clBuildProgram", CL_PROGRAM_BINARY_TYPE_NONE, CL_BUILD_PROGRAM_FAILURE,
     CL_INVALID_BUILD_OPTIONS},
    {RVL_FRAME_COMPILE, "clCompileProgram", CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
     CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS},
    {RVL_FRAME_LINK, "clLinkProgram", CL_PROGRAM_BINARY_TYPE_LIBRARY, CL_LINK_PROGRAM_FAILURE,
     CL_INVALID_LINKER_OPTIONS},
};

const Way &way_of(rvl_frame_kind kind) {
    for (const Way &way : ways)
        if (way.kind == kind)
            return way;
    return ways[0];
}

bool is_elf(const std::vector<std::byte> &file) {
    return !file.empty() && file[0] == std::byte{0x7f}; // bitcode starts with 'B'
}

/// Converts the compiler's output to a binary; errors go to the build log.
std::expected<Binary, std::string> binary_of(CompileResult &result, const Way &way,
                                             const InstructionSet &device) {
    if (way.object_type != CL_PROGRAM_BINARY_TYPE_NONE && !is_elf(result.output))
        return Binary{way.object_type, nullptr, std::move(result.output)};
    auto image = KernelImage::read(std::move(result.output), device);
    if (!image)
        return std::unexpected(std::move(image.error()));
    return Binary{CL_PROGRAM_BINARY_TYPE_EXECUTABLE, std::move(*image), {}};
}

/// The ISA name passed to the compiler. For kernels in the host's own instructions, it is this
/// library's architecture, which differs from the compiler's under an emulator.
std::string_view compilers_name(std::string_view isa) {
#if defined(__x86_64__)
    return isa == "host" ? "x86_64" : isa;
#elif defined(__aarch64__)
    return isa == "host" ? "aarch64" : isa;
#else
    return isa;
#endif
}

/// cl_khr_initialize_memory: the context's properties as rivulet-cc options.
std::string initialisation(const Context &context) {
    std::string words;
    const auto &properties = context.properties();
    for (size_t i = 0; i + 1 < properties.size(); i += 2) {
        if (properties[i] != CL_CONTEXT_MEMORY_INITIALIZE_KHR)
            continue;
        if (properties[i + 1] & CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR)
            words += " -rvl-initialize-local";
        if (properties[i + 1] & CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR)
            words += " -rvl-initialize-private";
    }
    return words;
}

/// RIVULET_SANITIZE: not for kernels in the host's own instructions, which can't report anything.
std::string_view sanitizing(const InstructionSet &device) {
    static const bool wanted = environment_number(Variable::sanitize).value_or(0) != 0;
    return wanted && device.isa != "host" ? " -rv-sanitize=address" : "";
}

/// Kernels twice, where there may be buffers that need other code.
std::string_view for_large_buffers(const Device &device) {
    return offers_large_buffers(device) ? " -rvl-large-buffers" : "";
}

/// Warns about each kernel that doesn't fit on the device with even a single work-item; the
/// program's other kernels are usable.
std::string kernels_without_room(const KernelImage &image, const Device &device) {
    std::string warnings;
    for (const ImageKernel &kernel : image.kernels()) {
        const rvl_kernel_note &note = kernel.note;
        if (max_group_size(device, note, note.local_bytes) != 0)
            continue;
        std::string where =
            Compiler::get().symbolize(image.file(), note.entry); // "kernel at x.cl:3"
        where.erase(0, where.find(" at ") == where.npos ? where.size() : where.find(" at ") + 4);
        const PhysicalDevice &limits = device.physical_device();
        warnings +=
            text({where, where.empty() ? "" : ": ", "warning: kernel '", kernel.name,
                  "' cannot be launched on this device: it needs ", note.local_bytes,
                  " bytes of local memory, of which there are ", limits.local_memory_bytes(),
                  ", and ", note.stack_bytes, " of private memory, where a hart has ",
                  limits.hart_memory_bytes(), " for both\n"});
    }
    return warnings;
}

} // namespace

cl_int BuildTask::run(BuildTask task, Notify notify, void *user_data) {
    if (!notify)
        return task.run_all();
    auto shared = std::make_shared<BuildTask>(std::move(task));
    auto told = callback([program = shared->program, notify, user_data] {
        notify(handle_of<cl_program>(program.get()), user_data);
    });
    const auto work = [shared = std::move(shared), told = told.release()] {
        if (const cl_int code = shared->run_all(); code != CL_SUCCESS)
            (void)guarded([&] { shared->report(code); });
        run_later(Worker::callbacks, *told);
    };
    try {
        const ThreadDefaults defaults;
        std::thread(work).detach();
    } catch (const std::exception &) { // no more threads: builds synchronously
        work();
    }
    return CL_SUCCESS;
}

/// Reports a build that failed after the call that started it.
void BuildTask::report(cl_int code) const {
    program->context().report(
        text({way_of(kind).function, ": ", failure_text(code, program->first_error())}));
}

cl_int BuildTask::run_all() {
    cl_int code = CL_SUCCESS;
    for (const Target &target : targets) {
        const cl_int own = guarded([&] {
            Outcome outcome = run_one(target);
            program->end_build(std::move(outcome.state));
            require(outcome.code == CL_SUCCESS, outcome.code, "see the build log");
        });
        program->abandon_build(*target.device);
        if (code == CL_SUCCESS)
            code = own;
    }
    return code;
}

BuildTask::Outcome BuildTask::run_one(const Target &target) {
    Outcome outcome{CL_SUCCESS, {target.device, CL_BUILD_ERROR, options, {}, {}, nullptr}};
    DeviceProgram &state = outcome.state;
    included.reset();
    outcome.code = guarded([&] {
        if (kind == RVL_FRAME_BUILD && !program->is_compiled()) {
            state.binary = program->state(*target.device).binary;
            if (!sanitizing(instruction_set(*target.device)).empty())
                rebuild_sanitized(target, state);
            if (offers_large_buffers(*target.device))
                rebuild_for_large_buffers(target, state);
        } else {
            const bool is_link = kind == RVL_FRAME_LINK;
            const Recipe recipe{options, is_link ? std::string() : program->source(),
                                program->specialized()};
            if (const cl_int code = compile(target, recipe, state); code != CL_SUCCESS)
                fail(code, "see the build log");
        }
        if (state.binary.executable)
            place_image(target, state);
        state.status = CL_BUILD_SUCCESS;
    });
    if (outcome.code == CL_MEM_OBJECT_ALLOCATION_FAILURE) {
        state.log += "The device has no memory for the kernel image.\n";
        outcome.code = CL_OUT_OF_RESOURCES;
    }
    return outcome;
}

void BuildTask::place_image(const Target &target, DeviceProgram &state) const {
    ContextDevice &context_device = program->context().context_device(*target.device);
    const bool is_signed =
        (context_device.instance().hello().flags & RVL_HELLO_SIGNED_KERNELS) != 0;
    KernelSignature signature;
    const char *problem = is_signed ? find_signature(*state.binary.executable, signature) : nullptr;
    const bool is_from_binary = kind == RVL_FRAME_BUILD && !program->is_compiled();
    const cl_int refusal = is_from_binary ? CL_INVALID_BINARY : way_of(kind).failure;
    if (problem != nullptr) {
        state.log += problem;
        fail(refusal, problem);
    }
    state.log += kernels_without_room(*state.binary.executable, *target.device);
    std::shared_ptr<KernelVersions> versions;
    if (auto source = source_of_versions(target, state))
        versions = KernelVersions::of(program->context_ref(), *target.device,
                                      state.binary.executable, std::move(*source));
    try {
        state.loaded = std::make_shared<LoadedKernelImage>(
            state.binary.executable, context_device,
            std::span<const std::byte>(signature).first(is_signed ? signature.size() : 0),
            std::move(versions));
    } catch (const Failure &failure) {
        if (failure.code != CL_INVALID_BINARY)
            throw;
        state.log += "The device refuses the kernels: they are not signed with its board's key, or "
                     "were altered since.\n";
        fail(refusal, "see the build log");
    }
    initialise(target, state);
}

/// Runs the constructors of the program's variables.
void BuildTask::initialise(const Target &target, DeviceProgram &state) const {
    const ImageKernel *initialiser = state.binary.executable->initialiser();
    if (!initialiser)
        return;
    KernelSnapshot launch;
    launch.take(state.loaded, *initialiser);
    launch.local_bytes = initialiser->note.local_bytes;
    launch.arguments.resize(initialiser->note.argument_bytes);
    const auto queue = make<Queue>(program->context_ref(), Ref<Device>(target.device), 0,
                                   std::vector<cl_queue_properties>());
    Batch batch(*queue);
    const WaitList waits;
    const Ref<Event> event(batch.add(CL_COMMAND_NDRANGE_KERNEL, waits,
                                     launch_work(*queue, std::move(launch), NDRange{})));
    batch.submit(nullptr);
    queue->finish();
    if (event->status() < 0) {
        state.log += "A constructor of the program's variables failed on the device.\n";
        fail(way_of(kind).failure, "a constructor of the program's variables failed");
    }
}

/// Nothing if it isn't known.
std::optional<KernelVersions::Source>
BuildTask::source_of_versions(const Target &target, const DeviceProgram &state) const {
    KernelVersions::Source source;
    source.recipe = state.binary.recipe;
    if (kind == RVL_FRAME_LINK) {
        source.recipe = std::make_shared<const Recipe>(options);
        source.objects = std::make_shared<const Objects>(target.objects);
    } else if (!source.recipe) {
        return std::nullopt;
    } else if (included && includes_files(source.recipe->source, {})) {
        source.folder = files.folder();
        source.included = *included;
    }
    source.options = all_options(target, *source.recipe);
    source.isa = compilers_name(target.device->isa());
    source.core = target.device->core();
    source.instructions = instruction_table(*target.device);
    source.device = instruction_set(*target.device);
    return source;
}

/// Those of the application and ours.
std::string BuildTask::all_options(const Target &target, const Recipe &recipe) const {
    std::string all = recipe.options + initialisation(program->context());
    all += sanitizing(instruction_set(*target.device));
    all += for_large_buffers(*target.device);
    return all;
}

/// RIVULET_SANITIZE for a program from a binary, for example from a cache filled without it.
void BuildTask::rebuild_sanitized(const Target &target, DeviceProgram &state) {
    const auto &kernels = state.binary.executable->kernels();
    if (std::ranges::any_of(kernels, [](const ImageKernel &kernel) {
            return kernel.note.flags & RVL_KERNEL_SANITIZED;
        }))
        return;
    std::string why = "the binary does not hold the source that it was built from";
    if (state.binary.recipe && !Compiler::get().is_available()) {
        why = Compiler::get().absence();
    } else if (state.binary.recipe) {
        DeviceProgram rebuilt = state;
        const Recipe recipe = *state.binary.recipe;
        if (compile(target, recipe, rebuilt) == CL_SUCCESS) {
            state = std::move(rebuilt);
            return;
        }
        why = "building it again from its source failed: " + rebuilt.log;
    }
    const std::string message =
        text({"RIVULET_SANITIZE has no effect on a program from a binary: ", why});
    state.log += "warning: " + message + "\n";
    if (&target != &targets.front())
        return; // only once per program
    log_fault(message);
    program->context().tell(message);
}

/// Of a program from a binary, say one that was made on a device with less memory. Without source
/// it stays as it is, and launches with large buffers fail.
void BuildTask::rebuild_for_large_buffers(const Target &target, DeviceProgram &state) {
    if (!state.binary.recipe || !Compiler::get().is_available() ||
        std::ranges::all_of(state.binary.executable->kernels(), [](const ImageKernel &kernel) {
            return kernel.note.flags & RVL_KERNEL_LARGE_BUFFERS;
        }))
        return;
    DeviceProgram rebuilt = state;
    const Recipe recipe = *state.binary.recipe;
    if (compile(target, recipe, rebuilt) == CL_SUCCESS)
        state = std::move(rebuilt);
}

cl_int BuildTask::compile(const Target &target, const Recipe &recipe, DeviceProgram &state) {
    const Way &way = way_of(kind);
    const InstructionSet device = instruction_set(*target.device);
    CompileRequest request;
    request.kind = kind;
    request.isa = compilers_name(target.device->isa());
    request.instructions = instruction_table(*target.device);
    request.vlen = target.device->vlen();
    request.core = target.device->core();
    request.headers = headers;
    request.objects = target.objects;
    request.files = &files;
    const std::string source = debug_files::keep_source(recipe.source);
    request.source = source;
    const std::string all_options = this->all_options(target, recipe);
    request.options = all_options;
    request.spirv = recipe.spirv;
    Compiler &compiler = Compiler::get();
    files.forget();
    CompileResult result = compiler.run(request);
    state.log = result.text;
    if (result.status != RVL_COMPILE_OK) {
        state.log += files.advice();
        return result.status == RVL_COMPILE_BAD_OPTIONS ? way.bad_options : way.failure;
    }
    auto binary = binary_of(result, way, device);
    if (!binary) { // an intact but unusable cache file
        files.forget();
        result = compiler.run_again(request);
        binary = binary_of(result, way, device);
    }
    if (!binary) {
        state.log += binary.error() + "\n";
        return way.failure;
    }
    state.binary = std::move(*binary);
    included = files.contents();
    if (kind == RVL_FRAME_BUILD)
        state.binary.recipe = std::make_shared<const Recipe>(recipe);
    return CL_SUCCESS;
}

} // namespace rivulet

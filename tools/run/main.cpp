// SPDX-License-Identifier: Apache-2.0
//
// rivulet-run, the subcommand `rivulet run`: one kernel of one file, with arguments from the
// command line, on the first OpenCL device. Start reading at `run`.
#include <algorithm>
#include <cstdio>
#include <new>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/build_version.h"
#include "host-runtime/include/CL/cl_ext_rivulet.h"
#include "tools/command_line/documents.h"
#include "tools/command_line/program.h"
#include "tools/run/argument.h"

namespace rivulet::run {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *footer = R"(Arguments, in the kernel's order:
  7  -1.5  0xff  1,2,3,4  scalars and vectors
  zeros:N  iota:N         a buffer of N elements of the argument's type: zeros; 0, 1, 2, …
  random:N[:SEED]         any integers; floating-point numbers from -1 to 1
  fill:N:VALUE
  FILE.npy  FILE          a buffer with a NumPy array, or with a file's bytes
  FILE.png  empty:WxH     an image2d_t (RGBA, 8 bits)
  local:N                 local memory of N elements

rivulet run saxpy.cl saxpy 2.0 iota:1024 random:1024 --print 2 --save 2=sums.npy)";

struct Options {
    std::string file, kernel, build_options;
    std::vector<std::string> arguments, save, expect;
    std::vector<size_t> global, local;
    std::vector<cl_uint> print;
    unsigned repeat = 1;
    double tolerance = 0;
    bool json = false;
};

struct Run {
    double microseconds = 0;
    cl_ulong instructions = 0; // 0: the device doesn't count them
};

cl::Device first_device() {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    for (const cl::Platform &platform : platforms) {
        std::vector<cl::Device> devices;
        if (platform.getDevices(CL_DEVICE_TYPE_ALL, &devices) == CL_SUCCESS && !devices.empty())
            return devices[0];
    }
    throw std::runtime_error("no platform has a device");
}

cl::Program make_program(const Options &options, const cl::Context &context,
                         const cl::Device &device) {
    const auto content = read_file(options.file);
    const std::string_view text(reinterpret_cast<const char *>(content.data()), content.size());
    if (options.file.ends_with(".cl")) {
        cl::Program program(context, std::string(text));
        try {
            program.build(device, ("-cl-kernel-arg-info " + options.build_options).c_str());
        } catch (const cl::BuildError &error) {
            throw std::runtime_error(options.file + " does not build:\n" +
                                     error.getBuildLog().at(0).second);
        }
        return program;
    }
    const auto *bytes = reinterpret_cast<const unsigned char *>(content.data());
    try {
        cl::Program program(context, {device}, {{bytes, bytes + content.size()}});
        program.build(device, options.build_options.c_str());
        return program;
    } catch (const cl::BuildError &error) { // a binary that was read, but can't be used here
        const auto log = error.getBuildLog();
        throw std::runtime_error(options.file + " can't be used (OpenCL error " +
                                 std::to_string(error.err()) +
                                 "): " + (log.empty() ? "" : log[0].second));
    } catch (const cl::Error &error) {
        throw std::runtime_error(
            options.file + " is neither OpenCL C, whose files end in .cl, nor a program for " +
            device.getInfo<CL_DEVICE_NAME>() + " (OpenCL error " + std::to_string(error.err()) +
            ")");
    }
}

cl::Kernel make_kernel(const Options &options, const cl::Program &program) {
    try {
        return {program, options.kernel.c_str()};
    } catch (const cl::Error &error) {
        if (error.err() != CL_INVALID_KERNEL_NAME)
            throw;
        throw std::runtime_error(options.file + " has no kernel " + options.kernel +
                                 "; there are: " + program.getInfo<CL_PROGRAM_KERNEL_NAMES>());
    }
}

/// "2=FILE" as argument number and file.
std::pair<cl_uint, std::string> assignment(const std::string &text, size_t arguments) {
    const size_t equals = text.find('=');
    char *end = nullptr;
    const unsigned long index = std::strtoul(text.c_str(), &end, 10);
    if (equals == text.npos || end != text.c_str() + equals || equals == 0 || index >= arguments)
        throw std::runtime_error("\"" + text +
                                 "\" is not ARGUMENT=FILE with an argument from 0 to " +
                                 std::to_string(arguments - 1));
    return {static_cast<cl_uint>(index), text.substr(equals + 1)};
}

cl::NDRange range(const std::vector<size_t> &sizes) {
    switch (sizes.size()) {
    case 0:
        return cl::NullRange;
    case 1:
        return {sizes[0]};
    case 2:
        return {sizes[0], sizes[1]};
    default:
        return {sizes[0], sizes[1], sizes[2]};
    }
}

std::vector<size_t> global_size(const Options &options, const std::vector<Argument> &arguments) {
    if (!options.global.empty())
        return options.global;
    for (const Argument &argument : arguments)
        if (const auto extent = argument.extent(); !extent.empty())
            return extent;
    throw std::runtime_error("without a buffer or an image the size of the NDRange is not known: "
                             "give --global");
}

Run launch(const cl::CommandQueue &queue, const cl::Kernel &kernel, const cl::NDRange &global,
           const cl::NDRange &local) {
    cl::Event event;
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
    event.wait();
    Run run;
    run.microseconds = static_cast<double>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                                           event.getProfilingInfo<CL_PROFILING_COMMAND_START>()) /
                       1000;
    cl_ulong instructions = 0;
    if (clGetEventProfilingInfo(event(), CL_PROFILING_COMMAND_INSTRUCTIONS_RIVULET,
                                sizeof instructions, &instructions, nullptr) == CL_SUCCESS)
        run.instructions = instructions;
    return run;
}

/// The difference that is larger than the tolerance, if there is one; "" otherwise.
std::string compare(const Array &got, const Array &expected, double tolerance) {
    if (got.bytes.size() != expected.bytes.size())
        return std::to_string(got.count()) + " elements, " + std::to_string(expected.count()) +
               " expected";
    size_t different = 0;
    std::string first;
    for (size_t i = 0; i < got.number_of_components(); ++i) {
        const auto a = got.component(i);
        const auto b = expected.component(i);
        if (distance(got.element, a, b) <= tolerance)
            continue;
        if (different++ == 0)
            first = "number " + std::to_string(i) + " is " + to_text(got.element, a) + ", " +
                    to_text(got.element, b) + " expected";
    }
    return different == 0 ? "" : std::to_string(different) + " numbers differ; " + first;
}

Json numbers(const Array &array) {
    constexpr size_t most = 64;
    Json values = Json::array();
    for (size_t i = 0; i < std::min(array.number_of_components(), most); ++i)
        values.push_back(to_text(array.element, array.component(i)));
    return values;
}

Json run(const Options &options) {
    const cl::Device device = first_device();
    const cl::Context context(device);
    const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
    const cl::Program program = make_program(options, context, device);
    cl::Kernel kernel = make_kernel(options, program);

    const auto wanted = kernel.getInfo<CL_KERNEL_NUM_ARGS>();
    if (wanted != options.arguments.size())
        throw std::runtime_error(options.kernel + " takes " + std::to_string(wanted) +
                                 " arguments, " + std::to_string(options.arguments.size()) +
                                 " are given");
    std::vector<std::pair<cl_uint, std::string>> save, expect; // an argument may be there twice
    for (const std::string &text : options.save)
        save.push_back(assignment(text, wanted));
    for (const std::string &text : options.expect)
        expect.push_back(assignment(text, wanted));
    for (const cl_uint index : options.print)
        if (index >= wanted)
            throw std::runtime_error("there is no argument " + std::to_string(index));
    std::vector<Argument> arguments;
    for (cl_uint i = 0; i < wanted; ++i)
        arguments.emplace_back(queue, kernel, i, options.arguments[i]);
    const auto global = global_size(options, arguments);

    Json result = {{"device", device.getInfo<CL_DEVICE_NAME>()},
                   {"kernel", options.kernel},
                   {"global", global},
                   {"runs", Json::array()}};
    for (unsigned i = 0; i < options.repeat; ++i) {
        if (i != 0) // each run finds what the first one found
            for (const Argument &argument : arguments)
                argument.restore(queue);
        const Run run = launch(queue, kernel, range(global), range(options.local));
        Json entry = {{"microseconds", run.microseconds}};
        if (run.instructions != 0)
            entry["instructions"] = run.instructions;
        result["runs"].push_back(entry);
    }
    for (const cl_uint index : options.print)
        result["arguments"][arguments[index].name()] = numbers(arguments[index].contents(queue));
    for (const auto &[index, path] : save)
        arguments[index].save(queue, path);
    for (const auto &[index, path] : expect) {
        const Array got = arguments[index].contents(queue);
        const auto difference = compare(got, load_array(path, got.element), options.tolerance);
        if (!difference.empty())
            result["differences"][arguments[index].name()] = difference;
    }
    return result;
}

void print(const Json &result) {
    std::string global;
    for (const auto &extent : result["global"])
        global += (global.empty() ? "" : " x ") + extent.dump();
    std::printf("%s on %s, %s work-items\n", result["kernel"].get<std::string>().c_str(),
                result["device"].get<std::string>().c_str(), global.c_str());
    for (const Json &entry : result["runs"]) {
        std::printf("%12.1f us", entry["microseconds"].get<double>());
        if (entry.contains("instructions"))
            std::printf("%14llu instructions",
                        static_cast<unsigned long long>(entry["instructions"].get<uint64_t>()));
        std::printf("\n");
    }
    if (result.contains("arguments"))
        for (const auto &[name, values] : result["arguments"].items()) {
            std::printf("%s:", name.c_str());
            for (const Json &value : values)
                std::printf(" %s", value.get<std::string>().c_str());
            std::printf("\n");
        }
    if (result.contains("differences"))
        for (const auto &[name, difference] : result["differences"].items())
            std::printf("%s: %s\n", name.c_str(), difference.get<std::string>().c_str());
}

int run_command(int argc, char **argv) try {
    Options options;
    CLI::App app("Runs one kernel of a file on the first OpenCL device", "rivulet run");
    app.footer(footer);
    app.set_version_flag("--version", std::string("rivulet ") + rivulet::build_version());
    app.add_option("file", options.file, "OpenCL C source (*.cl) or a program binary")
        ->type_name("FILE")
        ->required();
    app.add_option("kernel", options.kernel, "name of the kernel")->required();
    app.add_option("arguments", options.arguments, "kernel arguments, see below");
    app.add_option("-g,--global", options.global,
                   "global size, up to three numbers (default: size of the first buffer or image)")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::PositiveNumber);
    app.add_option("-l,--local", options.local, "local size")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::PositiveNumber);
    app.add_option("-O,--options", options.build_options, "build options");
    app.add_option("-r,--repeat", options.repeat,
                   "number of runs, each with the same initial contents")
        ->check(CLI::Range(1u, 1000000u));
    app.add_option("-p,--print", options.print,
                   "print the first 64 numbers of this buffer afterwards")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("-s,--save", options.save, "save a buffer: ARGUMENT=FILE.npy, .png or raw bytes")
        ->type_name("ARGUMENT=FILE")
        ->allow_extra_args(false);
    app.add_option("-e,--expect", options.expect,
                   "ARGUMENT=FILE: fail unless the buffer equals the file")
        ->type_name("ARGUMENT=FILE")
        ->allow_extra_args(false);
    app.add_option("-t,--tolerance", options.tolerance,
                   "permitted distance from the expected value: in representable numbers for "
                   "floats, absolute for integers")
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--json", options.json, "print JSON");
    app.positionals_at_end(false);
    if (const auto status = command_line::answer(app, RIVULET_VERSION, argc, argv))
        return *status;
    const auto check = [&] {
        if (options.global.size() > 3 || options.local.size() > 3)
            throw CLI::ValidationError("--global", "at most three dimensions");
        if (!options.local.empty() && options.local.size() != options.global.size())
            throw CLI::ValidationError("--local", "as many dimensions as --global, which it needs");
    };
    if (const auto status = command_line::parse(app, argc, argv, check))
        return *status;
    const Json result = run(options);
    if (options.json)
        command_line::print(result);
    else
        print(result);
    return result.contains("differences") ? 1 : 0;
} catch (const cl::Error &error) {
    std::fprintf(stderr, "rivulet run: %s: OpenCL error %d\n", error.what(), error.err());
    return 1;
} catch (const std::bad_alloc &) {
    std::fprintf(stderr, "rivulet run: there is not enough memory for arguments of this size\n");
    return 1;
} catch (const std::exception &error) {
    std::fprintf(stderr, "rivulet run: %s\n", error.what());
    return 1;
}

} // namespace
} // namespace rivulet::run

int main(int argc, char **argv) {
    return rivulet::command_line::finish("rivulet run", rivulet::run::run_command(argc, argv));
}

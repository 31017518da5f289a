// SPDX-License-Identifier: Apache-2.0
//
// One kernel argument, from the command line to clSetKernelArg.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 300
#include <CL/opencl.hpp>

#include <optional>

#include "tools/run/array.h"
#include "tools/run/picture.h"

namespace rivulet::run {

class Argument {
public:
    /// Parses `text` as argument `index` of the kernel, which determines the type, and writes the
    /// contents to the device. Throws std::runtime_error with a message that describes valid
    /// arguments.
    Argument(const cl::CommandQueue &queue, cl::Kernel &kernel, cl_uint index,
             const std::string &text);

    [[nodiscard]] const std::string &name() const { return name_; }
    /// Number of elements of a buffer or pixels of an image: a guess for the global size.
    [[nodiscard]] std::vector<size_t> extent() const;
    /// Restores the contents as before the first run.
    void restore(const cl::CommandQueue &queue) const;
    /// Reads a buffer. Throws if the argument is not one.
    [[nodiscard]] Array contents(const cl::CommandQueue &queue) const;
    void save(const cl::CommandQueue &queue, const std::string &path) const;

private:
    void set(const cl::CommandQueue &queue, cl::Kernel &kernel, cl_uint index,
             std::string_view type, const std::string &text);
    void set_scalar(cl::Kernel &kernel, cl_uint index, const Element &element,
                    const std::string &text);
    void make_image(const cl::CommandQueue &queue, const std::string &text);

    std::string name_; // "out (float4*)"
    std::optional<Array> array_;
    std::optional<Picture> picture_;
    cl::Buffer buffer_;
    cl::Image2D image_;
};

} // namespace rivulet::run

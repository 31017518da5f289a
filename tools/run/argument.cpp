// SPDX-License-Identifier: Apache-2.0
#include "tools/run/argument.h"

#include <charconv>
#include <filesystem>
#include <stdexcept>

namespace rivulet::run {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(separator, at), text.size());
        parts.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

size_t number(const std::string &text) {
    size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::runtime_error("\"" + text + "\" is no number");
    return value;
}

Array array_of(const Element &element, size_t count) {
    size_t bytes = 0;
    if (count == 0 || __builtin_mul_overflow(count, element.bytes(), &bytes))
        throw std::runtime_error(std::to_string(count) + " elements is not a valid buffer size");
    return {element, std::vector<std::byte>(bytes)};
}

/// The text before the first colon is the kind of contents, the text after it their parameters.
Array make_array(const Element &element, const std::string &text) {
    const auto words = split(text, ':');
    const std::string &kind = words[0];
    if (kind == "zeros" && words.size() == 2)
        return array_of(element, number(words[1]));
    if (kind == "iota" && words.size() == 2) {
        Array array = array_of(element, number(words[1]));
        for (size_t i = 0; i < array.number_of_components(); ++i)
            store(element, static_cast<double>(i), array.component(i));
        return array;
    }
    if (kind == "random" && (words.size() == 2 || words.size() == 3)) {
        Array array = array_of(element, number(words[1]));
        std::mt19937_64 random(words.size() == 3 ? number(words[2]) : 1);
        for (size_t i = 0; i < array.number_of_components(); ++i)
            store_random(element, random, array.component(i));
        return array;
    }
    if (kind == "fill" && words.size() == 3) {
        Array array = array_of(element, number(words[1]));
        for (size_t i = 0; i < array.number_of_components(); ++i)
            if (!parse(element, words[2], array.component(i)))
                throw std::runtime_error("\"" + words[2] + "\" is not a value of this type");
        return array;
    }
    if (!std::filesystem::exists(text))
        throw std::runtime_error("there is no such file; a buffer is zeros:N, iota:N, "
                                 "random:N[:SEED], fill:N:VALUE, FILE.npy or another file");
    Array array = load_array(text, element);
    if (array.bytes.empty())
        throw std::runtime_error(text + " is empty");
    return array;
}

cl::Context context_of(const cl::CommandQueue &queue) { return queue.getInfo<CL_QUEUE_CONTEXT>(); }

} // namespace

Argument::Argument(const cl::CommandQueue &queue, cl::Kernel &kernel, cl_uint index,
                   const std::string &text) {
    const auto without_end = [](std::string value) { return value.substr(0, value.find('\0')); };
    cl_uint ignored = 0;
    if (clGetKernelArgInfo(kernel(), index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof ignored,
                           &ignored, nullptr) == CL_KERNEL_ARG_INFO_NOT_AVAILABLE)
        throw std::runtime_error(
            "the program lacks the types of its kernels' arguments; compile it "
            "with -cl-kernel-arg-info");
    const auto type = without_end(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(index));
    name_ = without_end(kernel.getArgInfo<CL_KERNEL_ARG_NAME>(index)) + " (" + type + ")";
    try {
        set(queue, kernel, index, type, text);
    } catch (const std::runtime_error &error) {
        throw std::runtime_error("argument " + std::to_string(index) + ", " + name_ +
                                 ", cannot be \"" + text + "\": " + error.what());
    }
}

void Argument::set(const cl::CommandQueue &queue, cl::Kernel &kernel, cl_uint index,
                   std::string_view type, const std::string &text) {
    if (type == "image2d_t") {
        make_image(queue, text);
        kernel.setArg(index, image_);
        return;
    }
    const bool is_pointer = type.ends_with('*');
    if (is_pointer)
        type.remove_suffix(1);
    const auto element = Element::named(type);
    if (!element)
        throw std::runtime_error("arguments of this type can't be given on the command line");
    if (!is_pointer) {
        set_scalar(kernel, index, *element, text);
    } else if (kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(index) ==
               CL_KERNEL_ARG_ADDRESS_LOCAL) {
        if (!text.starts_with("local:"))
            throw std::runtime_error("it is local memory: give local:N, N elements");
        kernel.setArg(index, cl::Local(array_of(*element, number(text.substr(6))).bytes.size()));
    } else {
        array_ = make_array(*element, text);
        buffer_ = cl::Buffer(context_of(queue), CL_MEM_READ_WRITE, array_->bytes.size());
        restore(queue);
        kernel.setArg(index, buffer_);
    }
}

void Argument::set_scalar(cl::Kernel &kernel, cl_uint index, const Element &element,
                          const std::string &text) {
    const auto words = split(text, ',');
    if (words.size() != element.components)
        throw std::runtime_error("it takes " + std::to_string(element.components) +
                                 " numbers, separated by commas");
    Array value{element, std::vector<std::byte>(element.bytes())};
    for (size_t i = 0; i < words.size(); ++i)
        if (!parse(element, words[i], value.component(i)))
            throw std::runtime_error("\"" + words[i] + "\" is not a value of this type");
    kernel.setArg(index, value.bytes.size(), value.bytes.data());
}

void Argument::make_image(const cl::CommandQueue &queue, const std::string &text) {
    if (const auto words = split(text, ':'); words.size() == 2 && words[0] == "empty") {
        const auto extents = split(words[1], 'x');
        if (extents.size() != 2)
            throw std::runtime_error("an empty image is empty:WIDTHxHEIGHT");
        picture_ = Picture{number(extents[0]), number(extents[1]), {}};
        size_t bytes = 0;
        if (__builtin_mul_overflow(picture_->width, picture_->height, &bytes) ||
            __builtin_mul_overflow(bytes, size_t{4}, &bytes))
            throw std::runtime_error("it is too large");
        picture_->rgba.resize(bytes);
    } else if (text.ends_with(".png")) {
        picture_ = load_picture(text);
    } else {
        throw std::runtime_error("an image is FILE.png or empty:WIDTHxHEIGHT");
    }
    image_ =
        cl::Image2D(context_of(queue), CL_MEM_READ_WRITE, cl::ImageFormat(CL_RGBA, CL_UNORM_INT8),
                    picture_->width, picture_->height);
    restore(queue);
}

std::vector<size_t> Argument::extent() const {
    if (picture_)
        return {picture_->width, picture_->height};
    if (array_)
        return {array_->count()};
    return {};
}

void Argument::restore(const cl::CommandQueue &queue) const {
    if (array_)
        queue.enqueueWriteBuffer(buffer_, CL_TRUE, 0, array_->bytes.size(), array_->bytes.data());
    if (picture_)
        queue.enqueueWriteImage(image_, CL_TRUE, {0, 0, 0}, {picture_->width, picture_->height, 1},
                                0, 0, picture_->rgba.data());
}

Array Argument::contents(const cl::CommandQueue &queue) const {
    if (!array_)
        throw std::runtime_error(name_ + " is no buffer");
    Array array = *array_;
    queue.enqueueReadBuffer(buffer_, CL_TRUE, 0, array.bytes.size(), array.bytes.data());
    return array;
}

void Argument::save(const cl::CommandQueue &queue, const std::string &path) const {
    if (!picture_)
        return save_array(path, contents(queue));
    if (!path.ends_with(".png"))
        throw std::runtime_error(name_ + " is an image, which is saved as FILE.png, not as " +
                                 path);
    Picture picture = *picture_;
    queue.enqueueReadImage(image_, CL_TRUE, {0, 0, 0}, {picture.width, picture.height, 1}, 0, 0,
                           picture.rgba.data());
    save_picture(path, picture);
}

} // namespace rivulet::run

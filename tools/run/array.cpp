// SPDX-License-Identifier: Apache-2.0
#include "tools/run/array.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "tools/command_line/output_file.h"

namespace rivulet::run {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr size_t npy_alignment = 64;

/// "<f4": NumPy's name of a component type.
std::string descriptor(const Element &element) {
    const char kind = element.kind == Element::Kind::floating         ? 'f'
                      : element.kind == Element::Kind::signed_integer ? 'i'
                                                                      : 'u';
    return std::string(element.component_bytes == 1 ? "|" : "<") + kind +
           std::to_string(element.component_bytes);
}

/// The text after "'key':" in the header's Python dictionary.
std::string_view value_of(std::string_view header, std::string_view key) {
    const auto at = header.find(key);
    if (at == header.npos)
        return {};
    auto rest = header.substr(at + key.size());
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == ':' || rest[0] == '\''))
        rest.remove_prefix(1);
    return rest;
}

std::vector<size_t> shape_of(std::string_view text) {
    std::vector<size_t> shape;
    const auto close = text.find(')');
    if (!text.starts_with('(') || close == text.npos)
        throw std::runtime_error("its header has no shape");
    for (const char *at = text.data() + 1, *end = text.data() + close; at < end;) {
        size_t extent = 0;
        const auto [next, error] = std::from_chars(at, end, extent);
        const bool is_separator = next == at && (*at == ',' || *at == ' ');
        if (error != std::errc() && !is_separator)
            throw std::runtime_error("its shape has an extent that is none");
        if (!is_separator)
            shape.push_back(extent);
        at = is_separator ? at + 1 : next;
    }
    return shape;
}

Array parse_npy(std::span<const std::byte> file, const Element &element) {
    const std::string_view text(reinterpret_cast<const char *>(file.data()), file.size());
    constexpr size_t fixed = 12; // magic, version, length of the header
    if (!text.starts_with(npy_magic) || text.size() < fixed)
        throw std::runtime_error("it is no .npy file");
    const bool long_header = text[npy_magic.size()] > 1;
    uint32_t length = 0;
    std::memcpy(&length, text.data() + 8, long_header ? 4 : 2);
    const size_t start = long_header ? 12 : 10;
    if (length > text.size() - start)
        throw std::runtime_error("it is cut short");
    const auto header = text.substr(start, length);
    if (!value_of(header, "'descr'").starts_with(descriptor(element) + "'"))
        throw std::runtime_error("its type is not " + descriptor(element) +
                                 ", as the kernel's argument has it");
    if (!value_of(header, "'fortran_order'").starts_with("False"))
        throw std::runtime_error("it is in Fortran order; save it with order='C'");
    size_t components = 1;
    const auto shape = shape_of(value_of(header, "'shape'"));
    for (const size_t extent : shape)
        if (__builtin_mul_overflow(components, extent, &components))
            throw std::runtime_error("its shape is too large");
    const auto data = file.subspan(start + length);
    if (components > data.size() / element.component_bytes)
        throw std::runtime_error("it is cut short");
    if (components % element.components != 0)
        throw std::runtime_error("it has " + std::to_string(components) +
                                 " numbers, no whole vectors of " +
                                 std::to_string(element.components));
    Array array{element, std::vector<std::byte>(components / element.components * element.bytes())};
    for (size_t i = 0; i < components; ++i)
        std::memcpy(array.component(i).data(), data.data() + i * element.component_bytes,
                    element.component_bytes);
    return array;
}

} // namespace

std::span<std::byte> Array::component(size_t which) {
    return std::span(bytes).subspan(which / element.components * element.bytes() +
                                        which % element.components * element.component_bytes,
                                    element.component_bytes);
}
std::span<const std::byte> Array::component(size_t which) const {
    return const_cast<Array *>(this)->component(which);
}

std::vector<std::byte> read_file(const std::string &path) try {
    std::ifstream file(path, std::ios::binary);
    if (!file.is_open())
        throw std::ios_base::failure("open");
    std::vector<char> content((std::istreambuf_iterator<char>(file)), {});
    const auto bytes = std::as_bytes(std::span(content));
    return {bytes.begin(), bytes.end()};
} catch (const std::ios_base::failure &) { // of a read, by its buffer: that of a folder, for one
    throw std::runtime_error("cannot read " + path + ": " + std::strerror(errno));
}

Array load_array(const std::string &path, const Element &element) try {
    const auto content = read_file(path);
    if (path.ends_with(".npy"))
        return parse_npy(content, element);
    if (content.size() % element.bytes() != 0)
        throw std::runtime_error("it has " + std::to_string(content.size()) +
                                 " bytes, no whole elements of " + std::to_string(element.bytes()));
    return {element, content};
} catch (const std::runtime_error &error) {
    const std::string_view what = error.what();
    throw std::runtime_error(what.starts_with("cannot") ? std::string(what)
                                                        : path + ": " + std::string(what));
}

void save_array(const std::string &path, const Array &array) {
    if (!path.ends_with(".npy"))
        return command_line::write_output(path, array.bytes);
    std::string shape = std::to_string(array.count()) + ",";
    if (array.element.components > 1)
        shape += " " + std::to_string(array.element.components);
    std::string header = "{'descr': '" + descriptor(array.element) +
                         "', 'fortran_order': False, 'shape': (" + shape + "), }";
    constexpr size_t start = 10; // magic, version 1.0, 16 bits of length
    header.append(npy_alignment - 1 - (start + header.size()) % npy_alignment, ' ');
    header += '\n';
    std::string file(npy_magic);
    file += {'\1', '\0', static_cast<char>(header.size() & 0xff),
             static_cast<char>(header.size() >> 8)};
    file += header;
    for (size_t i = 0; i < array.number_of_components(); ++i)
        file.append(reinterpret_cast<const char *>(array.component(i).data()),
                    array.element.component_bytes);
    command_line::write_output(path, std::as_bytes(std::span(file)));
}

} // namespace rivulet::run

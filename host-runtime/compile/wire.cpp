// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/compile/wire.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>
#include <sys/socket.h>

#include "base/file_descriptor.h"
#include "host-runtime/compile/caller_files.h"

namespace rivulet {
namespace {

constexpr uint64_t largest_frame = uint64_t{1} << 30;
constexpr uint64_t piece_bytes = uint64_t{1} << 20; // of a frame, received at a time

constexpr uint64_t padding_of(uint64_t bytes) { return -bytes & 7; }

class Encoder {
public:
    explicit Encoder(rvl_frame_kind kind) {
        frame_.kind = kind;
        bytes_.resize(sizeof frame_);
    }

    void field(rvl_field_tag tag, uint32_t extra, const void *data, size_t size) {
        const rvl_field field{static_cast<uint32_t>(tag), extra, size};
        append(&field, sizeof field);
        append(data, size);
        bytes_.resize(bytes_.size() + padding_of(size));
    }
    void field(rvl_field_tag tag, std::string_view text) {
        field(tag, 0, text.data(), text.size());
    }
    void field(rvl_field_tag tag, std::span<const std::byte> data) {
        field(tag, 0, data.data(), data.size());
    }

    std::vector<std::byte> finish() {
        frame_.bytes = bytes_.size() - sizeof frame_;
        std::memcpy(bytes_.data(), &frame_, sizeof frame_);
        return std::move(bytes_);
    }

private:
    void append(const void *data, size_t size) {
        const auto *begin = static_cast<const std::byte *>(data);
        bytes_.insert(bytes_.end(), begin, begin + size);
    }

    rvl_frame frame_{RVL_COMPILE_MAGIC, RVL_COMPILE_VERSION, 0, 0, 0};
    std::vector<std::byte> bytes_;
};

std::unexpected<WireError> refuse(const char *reason, bool is_gone = false) {
    return std::unexpected(WireError{reason, is_gone});
}

std::expected<void, WireError> receive_all(int fd, void *to, size_t size) {
    auto *at = static_cast<std::byte *>(to);
    while (size != 0) {
        const ssize_t count = recv(fd, at, size, 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            return refuse("it did not answer in time");
        if (count <= 0)
            return refuse("it ended without an answer", true);
        at += count;
        size -= static_cast<size_t>(count);
    }
    return {};
}

/// Allocates memory for data received, not for the announced length.
std::expected<std::vector<std::byte>, WireError> receive_bytes(int fd, uint64_t size) {
    std::vector<std::byte> bytes;
    while (bytes.size() < size) {
        const size_t before = bytes.size();
        bytes.resize(before + std::min(size - before, piece_bytes));
        if (auto received = receive_all(fd, bytes.data() + before, bytes.size() - before);
            !received)
            return std::unexpected(received.error());
    }
    return bytes;
}

/// Copies a frame's fields to the result; false if their sizes are inconsistent.
bool take_fields(std::span<const std::byte> fields, CompileResult &result) {
    while (!fields.empty()) {
        rvl_field field;
        if (fields.size() < sizeof field)
            return false;
        std::memcpy(&field, fields.data(), sizeof field);
        fields = fields.subspan(sizeof field);
        if (field.bytes > fields.size() || padding_of(field.bytes) > fields.size() - field.bytes)
            return false;
        const auto contents = fields.first(field.bytes);
        fields = fields.subspan(field.bytes + padding_of(field.bytes));
        switch (field.tag) {
        case RVL_FIELD_TEXT:
            result.text.append(reinterpret_cast<const char *>(contents.data()), contents.size());
            break;
        case RVL_FIELD_STATUS:
            result.status = field.extra <= RVL_COMPILE_BAD_TARGET
                                ? static_cast<rvl_compile_status>(field.extra)
                                : RVL_COMPILE_FAILED; // added by a newer minor version
            break;
        case RVL_FIELD_IMAGE:
        case RVL_FIELD_OBJECT:
            result.output.assign(contents.begin(), contents.end());
            break;
        default: // added by a newer minor version
            break;
        }
    }
    return true;
}

/// Opens the file named by an OPEN frame and sends the descriptor. Returns false if it names none.
bool answer_open(int fd, std::span<const std::byte> fields, CallerFiles *files) {
    rvl_field field;
    if (fields.size() < sizeof field)
        return false;
    std::memcpy(&field, fields.data(), sizeof field);
    fields = fields.subspan(sizeof field);
    if (field.tag != RVL_FIELD_PATH || field.bytes > fields.size())
        return false;
    const std::string path(reinterpret_cast<const char *>(fields.data()), field.bytes);
    errno = EACCES;
    const auto file = files ? files->open(path, field.extra != 0) : FileDescriptor();
    const rvl_opened opened{
        {RVL_COMPILE_MAGIC, RVL_COMPILE_VERSION, RVL_FRAME_OPENED, 0, sizeof(uint64_t)},
        file ? 0 : static_cast<uint32_t>(errno),
        0};
    // If it does not arrive, the server is gone, which is noticed at the next frame.
    (void)send_message(fd, std::as_bytes(std::span(&opened, 1)), file.get(), MSG_NOSIGNAL);
    return true;
}

} // namespace

std::vector<std::byte> encode(const CompileRequest &request, const CompileLimits &limits) {
    Encoder frame(request.kind);
    frame.field(RVL_FIELD_ISA, request.vlen, request.isa.data(), request.isa.size());
    if (!request.core.empty())
        frame.field(RVL_FIELD_CORE, request.core);
    frame.field(RVL_FIELD_LIMITS, limits.seconds, &limits.memory_bytes, sizeof limits.memory_bytes);
    if (request.files)
        frame.field(RVL_FIELD_FOLDER, request.files->folder());
    frame.field(RVL_FIELD_OPTIONS, request.options);
    if (!request.source.empty() || request.spirv.empty())
        frame.field(RVL_FIELD_SOURCE, request.source);
    for (const CompileRequest::Header &header : request.headers)
        frame.field(RVL_FIELD_HEADER, header.name + '\0' + header.text);
    if (!request.instructions.text.empty())
        frame.field(RVL_FIELD_INSTRUCTIONS,
                    request.instructions.name + '\0' + request.instructions.text);
    for (const auto &object : request.objects)
        frame.field(RVL_FIELD_OBJECT, object);
    if (!request.spirv.empty())
        frame.field(RVL_FIELD_SPIRV, request.spirv);
    if (request.kind == RVL_FRAME_SYMBOLIZE) {
        frame.field(RVL_FIELD_IMAGE, request.image);
        frame.field(RVL_FIELD_ADDRESS, 0, &request.address, sizeof request.address);
    }
    return frame.finish();
}

bool send_all(int fd, const std::vector<std::byte> &bytes) {
    size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t count = send(fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (count > 0)
            sent += static_cast<size_t>(count);
        else if (errno != EINTR)
            return false;
    }
    return true;
}

std::expected<CompileResult, WireError> receive_result(int fd, CallerFiles *files) {
    CompileResult result;
    for (;;) {
        rvl_frame frame;
        if (auto received = receive_all(fd, &frame, sizeof frame); !received)
            return std::unexpected(received.error());
        if (frame.magic != RVL_COMPILE_MAGIC)
            return refuse("it does not use this runtime's protocol");
        if (RVL_VERSION_MAJOR(frame.version) != RVL_VERSION_MAJOR(RVL_COMPILE_VERSION))
            return refuse("its version differs from this runtime's: install both from the same "
                          "release");
        if (frame.bytes > largest_frame)
            return refuse("its answer is damaged");
        const auto fields = receive_bytes(fd, frame.bytes);
        if (!fields)
            return std::unexpected(fields.error());
        if (frame.kind == RVL_FRAME_OPEN) {
            if (!answer_open(fd, *fields, files))
                return refuse("it requests a file in an unknown way");
            continue;
        }
        if (!take_fields(*fields, result))
            return refuse("its answer is damaged");
        if (frame.kind == RVL_FRAME_RESULT)
            return result;
    }
}

} // namespace rivulet

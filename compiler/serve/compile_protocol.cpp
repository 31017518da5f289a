// SPDX-License-Identifier: Apache-2.0
#include "compiler/serve/compile_protocol.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/socket.h>

#include <llvm/Support/FormatVariadic.h>

#include "compiler/serve/fd_passing.h"

namespace rivulet::compiler {
namespace {

// More than any program needs; so a wild length does not become an allocation.
constexpr uint64_t most_bytes = uint64_t{1} << 30;

bool read_all(int socket, void *to, size_t bytes) {
    for (auto *at = static_cast<char *>(to); bytes > 0;) {
        ssize_t count = recv(socket, at, bytes, 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        at += count;
        bytes -= static_cast<size_t>(count);
    }
    return true;
}

// Allocates memory for data received, not for the announced length.
bool read_text(int socket, size_t bytes, std::string &text) {
    constexpr size_t most_at_once = 1 << 20;
    while (text.size() < bytes) {
        const size_t before = text.size(), count = std::min(bytes - before, most_at_once);
        text.resize(before + count);
        if (!read_all(socket, text.data() + before, count))
            return false;
    }
    return true;
}

std::expected<rvl_frame, std::string> read_frame(int socket) {
    rvl_frame frame;
    if (!read_all(socket, &frame, sizeof frame))
        return std::unexpected("the request ends within its first bytes");
    if (frame.magic != RVL_COMPILE_MAGIC)
        return std::unexpected("the request is no frame of rivulet-cc's protocol");
    if (RVL_VERSION_MAJOR(frame.version) != RVL_VERSION_MAJOR(RVL_COMPILE_VERSION))
        return std::unexpected(
            llvm::formatv("the client speaks version {}.{} of the protocol, rivulet-cc {}.{}",
                          RVL_VERSION_MAJOR(frame.version), RVL_VERSION_MINOR(frame.version),
                          RVL_VERSION_MAJOR(RVL_COMPILE_VERSION),
                          RVL_VERSION_MINOR(RVL_COMPILE_VERSION))
                .str());
    if (frame.kind > RVL_FRAME_RESULT)
        return std::unexpected(
            llvm::formatv("rivulet-cc does not know requests of kind {}", frame.kind).str());
    if (frame.bytes > most_bytes)
        return std::unexpected(
            llvm::formatv("the request has {} bytes, at most {} are taken", frame.bytes, most_bytes)
                .str());
    return frame;
}

uint64_t word(std::string_view bytes) {
    uint64_t value = 0;
    memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
    return value;
}

void take(Request &request, const rvl_field &field, std::string_view bytes) {
    switch (field.tag) {
    case RVL_FIELD_SOURCE:
        request.job.source.text = bytes;
        break;
    case RVL_FIELD_OPTIONS:
        // Some clients count the NUL at the end, too.
        request.job.options = bytes.substr(0, bytes.find('\0'));
        break;
    case RVL_FIELD_HEADER:
    case RVL_FIELD_INSTRUCTIONS: {
        auto end = std::min(bytes.find('\0'), bytes.size());
        const std::string name(bytes.substr(0, end));
        const std::string text(bytes.substr(std::min(end + 1, bytes.size())));
        if (field.tag == RVL_FIELD_HEADER)
            request.job.source.headers.push_back({name, text});
        else
            request.job.source.instructions = {name, text};
        break;
    }
    case RVL_FIELD_OBJECT:
        request.job.objects.emplace_back(bytes);
        break;
    case RVL_FIELD_ISA:
        request.job.isa = bytes.substr(0, bytes.find('\0'));
        request.job.vlen = field.extra;
        break;
    case RVL_FIELD_CORE:
        request.job.core = bytes.substr(0, bytes.find('\0'));
        break;
    case RVL_FIELD_IMAGE:
        request.image = bytes;
        break;
    case RVL_FIELD_ADDRESS:
        request.address = word(bytes);
        break;
    case RVL_FIELD_LIMITS:
        request.seconds = field.extra;
        request.memory_bytes = word(bytes);
        break;
    case RVL_FIELD_SPIRV:
        request.job.spirv = bytes;
        break;
    case RVL_FIELD_FOLDER:
        request.folder = bytes.substr(0, bytes.find('\0'));
        break;
    default: // a newer minor version's
        break;
    }
}

void put(std::string &to, uint32_t tag, uint32_t extra, std::string_view bytes) {
    const rvl_field field = {tag, extra, bytes.size()};
    to.append(reinterpret_cast<const char *>(&field), sizeof field).append(bytes);
    to.resize(llvm::alignTo(to.size(), 8));
}

void set_header(std::string &frame, rvl_frame_kind kind) {
    const rvl_frame header = {RVL_COMPILE_MAGIC, RVL_COMPILE_VERSION, kind, 0,
                              frame.size() - sizeof(rvl_frame)};
    memcpy(frame.data(), &header, sizeof header);
}

} // namespace

std::expected<Request, std::string> read_request(int socket, void (*set_limits)(const Request &)) {
    auto frame = read_frame(socket);
    if (!frame)
        return std::unexpected(frame.error());
    Request request;
    request.kind = static_cast<rvl_frame_kind>(frame->kind);
    request.job.source.name = "program.cl";
    for (uint64_t rest = frame->bytes; rest > 0;) {
        rvl_field field;
        if (rest < sizeof field)
            return std::unexpected("a field of the request is cut off");
        if (!read_all(socket, &field, sizeof field))
            return std::unexpected("the request ends before its last field");
        rest -= sizeof field;
        if (field.bytes > rest)
            return std::unexpected("a field of the request is longer than the request");
        std::string bytes;
        const uint64_t padded = std::min<uint64_t>(llvm::alignTo(field.bytes, 8), rest);
        if (!read_text(socket, padded, bytes))
            return std::unexpected("the request ends before its last field");
        rest -= padded;
        take(request, field, std::string_view(bytes).substr(0, field.bytes));
        if (field.tag == RVL_FIELD_LIMITS)
            set_limits(request);
    }
    return request;
}

llvm::ErrorOr<int> ask_to_open(int socket, std::string_view path, bool to_read) {
    std::string frame(sizeof(rvl_frame), '\0');
    put(frame, RVL_FIELD_PATH, to_read, path);
    set_header(frame, RVL_FRAME_OPEN);
    rvl_opened opened = {};
    int descriptor = -1;
    if (!write_all(socket, frame) || !receive_with_descriptor(socket, opened, descriptor) ||
        opened.frame.kind != RVL_FRAME_OPENED)
        return std::make_error_code(std::errc::connection_aborted);
    if (opened.error != 0)
        return std::error_code(static_cast<int>(opened.error), std::generic_category());
    if (descriptor < 0) // this process may have no more
        return std::make_error_code(std::errc::too_many_files_open);
    return descriptor;
}

std::string encode(const Answer &answer) {
    std::string frame(sizeof(rvl_frame), '\0');
    put(frame, RVL_FIELD_STATUS, answer.status, {});
    if (!answer.text.empty())
        put(frame, RVL_FIELD_TEXT, 0, answer.text);
    if (!answer.bytes.empty())
        put(frame, answer.tag, 0, answer.bytes);
    set_header(frame, RVL_FRAME_RESULT);
    return frame;
}

bool write_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t count = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes.remove_prefix(static_cast<size_t>(count));
    }
    return true;
}

} // namespace rivulet::compiler

// SPDX-License-Identifier: Apache-2.0
#include "compiler/serve/client_files.h"

#include <unistd.h>

#include <llvm/Support/MemoryBuffer.h>

#include "compiler/serve/compile_protocol.h"

namespace rivulet::compiler {
namespace {

class OpenFile : public llvm::vfs::File {
public:
    OpenFile(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
    ~OpenFile() override { close(); }

    llvm::ErrorOr<llvm::vfs::Status> status() override {
        llvm::sys::fs::file_status status;
        if (const std::error_code error = llvm::sys::fs::status(descriptor_, status))
            return error;
        return llvm::vfs::Status::copyWithNewName(status, name_);
    }
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
    getBuffer(const llvm::Twine &name, int64_t bytes, bool needs_nul, bool is_volatile) override {
        return llvm::MemoryBuffer::getOpenFile(descriptor_, name, static_cast<uint64_t>(bytes),
                                               needs_nul, is_volatile);
    }
    std::error_code close() override {
        if (descriptor_ >= 0)
            ::close(std::exchange(descriptor_, -1));
        return {};
    }

private:
    void setPath(const llvm::Twine &path) override { name_ = path.str(); }

    int descriptor_;
    std::string name_;
};

class ClientFiles : public llvm::vfs::FileSystem {
public:
    ClientFiles(int socket, std::string folder) : socket_(socket), folder_(std::move(folder)) {}

    llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
        auto descriptor = ask_to_open(socket_, path.str(), false);
        if (!descriptor)
            return descriptor.getError();
        return OpenFile(*descriptor, path.str()).status();
    }
    llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
    openFileForRead(const llvm::Twine &path) override {
        auto descriptor = ask_to_open(socket_, path.str(), true);
        if (!descriptor)
            return descriptor.getError();
        return std::make_unique<OpenFile>(*descriptor, path.str());
    }
    // Only used for module maps, which OpenCL C does not have.
    llvm::vfs::directory_iterator dir_begin(const llvm::Twine &, std::error_code &error) override {
        error = std::make_error_code(std::errc::not_supported);
        return {};
    }
    llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override { return folder_; }
    // The client's own is what its paths start from.
    std::error_code setCurrentWorkingDirectory(const llvm::Twine &) override { return {}; }

private:
    const int socket_;
    const std::string folder_;
};

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> client_files(int socket, std::string folder) {
    return llvm::makeIntrusiveRefCnt<ClientFiles>(socket, folder.empty() ? "/" : std::move(folder));
}

} // namespace rivulet::compiler

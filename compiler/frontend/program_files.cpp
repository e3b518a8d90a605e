// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/program_files.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <new>

#include "cache/digest.h"

namespace weft::compiler {
namespace {

namespace fs = llvm::sys::fs;
using llvm::vfs::File;
using llvm::vfs::Status;

/// A text in memory, opened.
class TextFile : public File {
 public:
  TextFile(Status status, std::string_view contents)
      : status_(std::move(status)), contents_(contents) {}

  llvm::ErrorOr<Status> status() override { return status_; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t,
                                                               bool, bool) override {
    auto copy = llvm::MemoryBuffer::getMemBufferCopy({contents_.data(), contents_.size()}, name);
    // Not an error of the file: that would be reported as one of the source.
    if (!copy) throw std::bad_alloc();
    return copy;
  }
  std::error_code close() override { return {}; }

 private:
  Status status_;
  std::string_view contents_;
};

/// A file of the disk that reports what was read.
class DiskFile : public File {
 public:
  DiskFile(std::unique_ptr<File> file, std::string path, FileUses& uses)
      : file_(std::move(file)), path_(std::move(path)), uses_(uses) {}

  llvm::ErrorOr<Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name,
                                                               int64_t size, bool terminator,
                                                               bool) override {
    // Volatile: read rather than mapped, so that a file truncated meanwhile cannot fault.
    auto buffer = file_->getBuffer(name, size, terminator, /*IsVolatile=*/true);
    if (buffer) {
      const llvm::StringRef text = (*buffer)->getBuffer();
      uses_.read[path_] = Digest::of({text.data(), text.size()}).hex();
    }
    return buffer;
  }
  std::error_code close() override { return file_->close(); }

 private:
  std::unique_ptr<File> file_;
  std::string path_;
  FileUses& uses_;
};

Status virtualStatus(const llvm::Twine& name, fs::UniqueID id, uint64_t size, fs::file_type type) {
  return Status(name, id, {}, 0, 0, size, type, fs::all_read);
}

}  // namespace

ProgramFiles::ProgramFiles(std::string_view source, std::span<const EmbeddedHeader> headers)
    : disk_(llvm::vfs::createPhysicalFileSystem().release()) {
  for (std::string_view folder : {kHeaderFolder, kOwnFolder}) {
    folders_.emplace(folder, llvm::vfs::getNextVirtualUniqueID());
  }
  addText(std::string(kSourceName), source);
  for (const EmbeddedHeader& header : headers) {
    llvm::SmallString<128> path(
        llvm::StringRef(header.includeName.data(), header.includeName.size()));
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    const std::string name = std::string(kHeaderFolder) + "/" + std::string(path);
    // Of several headers with one name the first counts (clCompileProgram).
    if (!texts_.contains(name)) addText(name, header.source);
  }
}

void ProgramFiles::addOwnHeader(std::string_view name, std::string_view text) {
  addText(std::string(kOwnFolder) + "/" + std::string(name), text);
}

void ProgramFiles::addText(std::string path, std::string_view contents) {
  // Clang asks for the folder of a file before it asks for the file.
  for (llvm::StringRef folder = llvm::sys::path::parent_path(path); !folder.empty();
       folder = llvm::sys::path::parent_path(folder)) {
    folders_.try_emplace(folder.str(), llvm::vfs::getNextVirtualUniqueID());
  }
  texts_.insert_or_assign(std::move(path), Text{contents, llvm::vfs::getNextVirtualUniqueID()});
}

const ProgramFiles::Text* ProgramFiles::findText(llvm::StringRef path) const {
  llvm::SmallString<128> clean(path);
  llvm::sys::path::remove_dots(clean, /*remove_dot_dot=*/true);
  if (auto found = texts_.find(std::string(clean)); found != texts_.end()) return &found->second;
  // An #include "x" of the program itself looks beside it, which is the working directory: the
  // headers of the call come first there too.
  if (llvm::sys::path::is_absolute(clean)) return nullptr;
  auto found = texts_.find(std::string(kHeaderFolder) + "/" + std::string(clean));
  return found != texts_.end() ? &found->second : nullptr;
}

std::string ProgramFiles::absolute(llvm::StringRef path) const {
  llvm::SmallString<256> result(path);
  (void)disk_->makeAbsolute(result);
  // ".." stays: it may follow a symbolic link.
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/false);
  return std::string(result);
}

llvm::ErrorOr<Status> ProgramFiles::status(const llvm::Twine& path) {
  const std::string name = path.str();
  if (const Text* text = findText(name)) {
    return virtualStatus(name, text->id, text->contents.size(), fs::file_type::regular_file);
  }
  llvm::SmallString<128> clean(name);
  llvm::sys::path::remove_dots(clean, /*remove_dot_dot=*/true);
  if (auto folder = folders_.find(std::string(clean)); folder != folders_.end()) {
    return virtualStatus(name, folder->second, 0, fs::file_type::directory_file);
  }
  auto found = disk_->status(name);
  if (!found) {
    uses_.missing.insert(absolute(name));
  } else if (found->isRegularFile() && found->getSize() > kMaxFileBytes) {
    return std::make_error_code(std::errc::file_too_large);
  } else if (!found->isRegularFile() && !found->isDirectory()) {
    return std::make_error_code(std::errc::no_such_file_or_directory);
  }
  return found;
}

llvm::ErrorOr<std::unique_ptr<File>> ProgramFiles::openFileForRead(const llvm::Twine& path) {
  const std::string name = path.str();
  auto found = status(name);
  if (!found) return found.getError();
  if (!found->isRegularFile()) return std::make_error_code(std::errc::is_a_directory);
  if (const Text* text = findText(name)) {
    return std::make_unique<TextFile>(std::move(*found), text->contents);
  }
  auto file = disk_->openFileForRead(name);
  if (!file) return file.getError();
  return std::make_unique<DiskFile>(std::move(*file), absolute(name), uses_);
}

llvm::vfs::directory_iterator ProgramFiles::dir_begin(const llvm::Twine&, std::error_code& error) {
  error = std::make_error_code(std::errc::operation_not_permitted);
  return {};
}

llvm::ErrorOr<std::string> ProgramFiles::getCurrentWorkingDirectory() const {
  return disk_->getCurrentWorkingDirectory();
}

std::error_code ProgramFiles::setCurrentWorkingDirectory(const llvm::Twine&) {
  return std::make_error_code(std::errc::operation_not_permitted);
}

}  // namespace weft::compiler

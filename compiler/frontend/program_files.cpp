// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/program_files.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <sys/stat.h>
#include <unistd.h>

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

Status virtualStatus(const llvm::Twine& name, fs::UniqueID id, uint64_t size, fs::file_type type) {
  return Status(name, id, {}, 0, 0, size, type, fs::all_read);
}

}  // namespace

/// A file of the disk that reports what was read.
class ProgramFiles::DiskFile : public File {
 public:
  DiskFile(std::unique_ptr<File> file, std::string path, fs::UniqueID id, ProgramFiles& files)
      : file_(std::move(file)), path_(std::move(path)), id_(id), files_(files) {}

  llvm::ErrorOr<Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name,
                                                               int64_t size, bool terminator,
                                                               bool) override {
    // Volatile: read rather than mapped, so that a file truncated meanwhile cannot fault.
    auto buffer = file_->getBuffer(name, size, terminator, /*IsVolatile=*/true);
    if (buffer) {
      const llvm::StringRef text = (*buffer)->getBuffer();
      const std::string digest = Digest::of({text.data(), text.size()}).hex();
      files_.note(path_, {FileUses::Kind::File, digest});
      files_.digests_[id_] = digest;
    }
    return buffer;
  }
  std::error_code close() override { return file_->close(); }

 private:
  std::unique_ptr<File> file_;
  std::string path_;
  fs::UniqueID id_;
  ProgramFiles& files_;
};

ProgramFiles::ProgramFiles(std::string_view source, std::span<const EmbeddedHeader> headers,
                           std::span<const std::string> folders)
    : disk_(llvm::vfs::createPhysicalFileSystem().release()) {
  searched_.insert(absolute("."));
  for (const std::string& folder : folders) searched_.insert(absolute(folder));
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
  const std::string place = absolute(name);
  if (!found) {
    note(place, {FileUses::Kind::Missing, {}});
  } else if (found->isDirectory()) {
    if (!searched_.contains(place)) note(place, {FileUses::Kind::Folder, {}});
  } else if (!found->isRegularFile() || found->getSize() > kMaxFileBytes) {
    note(place, {FileUses::Kind::Other, {}});
    return std::make_error_code(found->isRegularFile() ? std::errc::file_too_large
                                                       : std::errc::no_such_file_or_directory);
  } else {
    note(place, {kindOfFile(place), {}});
    ids_.insert_or_assign(place, found->getUniqueID());
  }
  return found;
}

void ProgramFiles::note(const std::string& path, FileUses::Seen seen) {
  auto [entry, isNew] = seen_.try_emplace(path, seen);
  FileUses::Seen& known = entry->second;
  if (isNew || known == seen) return;
  if (known.kind != seen.kind)
    known = {FileUses::Kind::Changed, {}};
  else if (known.digest.empty())
    known.digest = std::move(seen.digest);
  else if (!seen.digest.empty())
    known = {FileUses::Kind::Changed, {}};
}

FileUses ProgramFiles::uses() const {
  FileUses uses{seen_};
  for (const auto& [path, id] : ids_) {
    FileUses::Seen& seen = uses.seen.at(path);
    const auto read = digests_.find(id);
    if (seen.kind == FileUses::Kind::File && read != digests_.end() && seen.digest.empty())
      seen.digest = read->second;
  }
  return uses;
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
  return std::make_unique<DiskFile>(std::move(*file), absolute(name), found->getUniqueID(), *this);
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

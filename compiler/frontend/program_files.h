// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "cache/file_uses.h"
#include "weft/compiler/compiler.h"

namespace weft::compiler {

/// The files that one build sees: the source, headers given to clCompileProgram, our own
/// headers, and the disk behind them.
///
/// Only regular files of bounded size are opened, so an #include of a device or a pipe cannot
/// hang a build. Ownership: borrows the texts. Threads: one build's thread.
class ProgramFiles : public llvm::vfs::FileSystem {
 public:
  static constexpr std::string_view kSourceName = "<source>";
  /// Folder that headers of clCompileProgram appear in; searched before any -I.
  static constexpr std::string_view kHeaderFolder = "<headers>";
  /// Folder of the headers that are included before every program.
  static constexpr std::string_view kOwnFolder = "<weft>";

  /// `folders`: those that are searched for headers. That one is there decides nothing by itself.
  ProgramFiles(std::string_view source, std::span<const EmbeddedHeader> headers,
               std::span<const std::string> folders);
  /// Adds a text under "<weft>/name".
  void addOwnHeader(std::string_view name, std::string_view text);
  /// What the build saw of the disk so far.
  FileUses uses() const;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine& dir, std::error_code& error) override;
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override;
  std::error_code setCurrentWorkingDirectory(const llvm::Twine& path) override;

 private:
  struct Text {
    std::string_view contents;
    llvm::sys::fs::UniqueID id;
  };

  class DiskFile;
  void note(const std::string& path, FileUses::Seen seen);
  void addText(std::string path, std::string_view contents);
  const Text* findText(llvm::StringRef path) const;
  std::string absolute(llvm::StringRef path) const;

  std::map<std::string, Text> texts_;
  std::map<std::string, llvm::sys::fs::UniqueID> folders_;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk_;
  std::set<std::string> searched_;  ///< folders
  std::map<std::string, FileUses::Seen> seen_;
  // Clang reads a file once, by one of its names; the others stand for the same contents.
  std::map<std::string, llvm::sys::fs::UniqueID> ids_;
  std::map<llvm::sys::fs::UniqueID, std::string> digests_;
};

}  // namespace weft::compiler

// The files of a model of another toolkit: those of one directory, or one file and what is next to
// it.  No file outside of the directory is ever read, whatever names the files contain.
//
// Test: tests/unit/interchange/model_files_test.cpp.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/mapped_file.hpp"

namespace awend::interchange {

class ModelFiles {
 public:
  /// A directory, or a file of it.  Throws Error if there is none of this name.
  explicit ModelFiles(const std::string& path);
  /// Files in memory, by name.
  explicit ModelFiles(std::map<std::string, std::string> contents);

  /// The names of the regular files, sorted; those of compressed files (.gz, .zst) without this
  /// ending, unless there is such a file.
  const std::vector<std::string>& names() const { return names_; }
  /// The file that was named, if it was not a directory.
  const std::optional<std::string>& named() const { return named_; }
  bool has(std::string_view name) const;
  /// For messages.
  std::string path_of(std::string_view name) const;

  /// The bytes of a file; a compressed one is read as a whole, if it has at most
  /// base::kMaxModelBytes.  Throws Error naming it if it cannot be read, or is a pointer of Git
  /// LFS.
  std::span<const std::byte> bytes(const std::string& name);
  std::string_view text(const std::string& name);

  /// What the user must hear of a file, once.
  void warn(std::string warning) { warnings_.insert(std::move(warning)); }
  std::vector<std::string> warnings() const { return {warnings_.begin(), warnings_.end()}; }
  /// Releases the resident pages of all files.
  void forget() const;

  /// The paths of all files on disk whose bytes were requested.
  std::vector<std::string> paths_read() const;

 private:
  void add_compressed();

  std::string directory_;
  std::vector<std::string> names_;
  std::optional<std::string> named_;
  std::map<std::string, base::MappedFile, std::less<>> open_;
  std::map<std::string, std::string, std::less<>> contents_;
  std::map<std::string, std::string, std::less<>> compressed_;  // name -> with its ending
  std::set<std::string> warnings_;
};

/// As base::with_name(), for calls whose errors may name the file themselves.
template <class Call>
auto with_name_once(std::string_view name, const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const base::Error& error) {
    if (std::string_view(error.what()).starts_with(base::concat(name, ":"))) throw;
    base::fail_with_name(name, error);
  }
}

}  // namespace awend::interchange

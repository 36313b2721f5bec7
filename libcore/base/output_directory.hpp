// A directory of output files that appears with all of its files, or not at all.
//
// Test: tests/unit/base/output_directory_test.cpp, tests/faults/calls.sh.
#pragma once

#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/temporary_names.hpp"

namespace awend::base {

/// Files are written to a temporary directory.  commit() renames it if the directory is new; the
/// files of a directory that exists are replaced one after the other, and restored if one of them
/// cannot be.  Without commit(), the temporary directory is removed.
class OutputDirectory {
 public:
  /// Creates missing parents.  Files with one of the names `own` that are not written, such as
  /// those of an earlier output that readers would prefer, are removed by commit().  Throws Error
  /// naming the directory if it cannot be written.
  explicit OutputDirectory(const std::string& path, std::span<const std::string_view> own = {});
  OutputDirectory(const OutputDirectory&) = delete;
  OutputDirectory& operator=(const OutputDirectory&) = delete;
  ~OutputDirectory();

  void write(const std::string& name, std::string_view bytes);
  /// Calls write(path), which must create the file `path`.
  void write_by(const std::string& name, const std::function<void(const std::string&)>& write);
  /// Gives the files their names.  Must be the last call.
  void commit();

 private:
  std::string target_of(const std::string& name) const;
  void add_files_to_remove();
  void replace_files();

  std::string target_;
  std::span<const std::string_view> own_;
  std::string temporary_;
  bool exists_;
  std::deque<TemporaryName> remembered_;
  std::vector<std::string> names_;  // of files that are written, then of those to remove
  std::size_t written_ = 0;
  std::vector<bool> is_new_;  // of the files that got their names
};

}  // namespace awend::base

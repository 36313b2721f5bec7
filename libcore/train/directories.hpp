// Directories of a run.  Those that it created are removed at the end if they are empty, so that a
// run that fails early leaves nothing.  Test: tests/cli/train_corpus.sh.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace awend::train {

class Directories {
 public:
  Directories() = default;
  Directories(const Directories&) = delete;
  Directories& operator=(const Directories&) = delete;
  ~Directories();

  /// Throws Error naming the directory if it does not exist and cannot be created.
  void create(const std::string& directory);
  /// Also throws Error if it is not writable, before hours of work would be lost.
  void create_writable(const std::string& directory);

 private:
  void create_with_parents(const std::filesystem::path& directory);

  std::vector<std::filesystem::path> created_;  // a directory before those in it
};

}  // namespace awend::train

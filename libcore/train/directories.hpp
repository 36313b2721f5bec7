// Directories that a run needs.  Those that it had to create are removed with it if they are still
// empty: a run that fails before it has something to keep leaves nothing.  Test:
// tests/cli/train_corpus.sh.
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
  /// The same if it cannot be written, which is better known before hours of work than after.
  void create_writable(const std::string& directory);

 private:
  void create_with_parents(const std::filesystem::path& directory);

  std::vector<std::filesystem::path> created_;  // a directory before those in it
};

}  // namespace awend::train

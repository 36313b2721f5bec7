// Folders that a run needs.  Those that it had to make go with it, if they are still empty: a run
// that fails before it has something to keep leaves nothing.  Test: tests/cli/train_corpus.sh.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace awend::train {

class Folders {
 public:
  Folders() = default;
  Folders(const Folders&) = delete;
  Folders& operator=(const Folders&) = delete;
  ~Folders();

  /// Throws Error naming the folder if it is not there and cannot be made.  What a run that was
  /// killed has left there of files it was writing goes.
  void make(const std::string& folder);
  /// The same if it cannot be written, which is better known before hours of work than after.
  void make_writable(const std::string& folder);

 private:
  void make_with_parents(const std::filesystem::path& folder);

  std::vector<std::filesystem::path> made_;  // a folder before those in it
};

}  // namespace awend::train

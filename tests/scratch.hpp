// A directory for the files of a test, removed with the object.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace awend::tests {

class Scratch {
 public:
  Scratch() {
    auto pattern = (std::filesystem::temp_directory_path() / "awend-test-XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
      throw std::runtime_error("cannot make a directory for the test");
    directory_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string folder() const { return directory_.string(); }
  std::string path(std::string_view name) const { return (directory_ / name).string(); }

  /// Writes a file and returns its path.  A new file, because ext4 writes one that is truncated to
  /// the disk when it is closed.
  std::string write(std::string_view name, std::string_view bytes) const {
    std::filesystem::remove(path(name));
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  static std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path directory_;
};

/// The message of the exception that `action` throws, or "" if it throws none.
template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace awend::tests

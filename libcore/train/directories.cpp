#include "train/directories.hpp"

#include <unistd.h>

#include <cerrno>

#include "base/error.hpp"

namespace awend::train {

namespace fs = std::filesystem;

Directories::~Directories() {
  std::error_code ignored;  // one that is not empty is kept
  for (; !created_.empty(); created_.pop_back()) fs::remove(created_.back(), ignored);
}

void Directories::create(const std::string& directory) {
  create_with_parents(directory);
  if (!fs::is_directory(directory)) base::fail_errno(directory, ENOTDIR);
}

void Directories::create_writable(const std::string& directory) {
  create(directory);
  if (::access(directory.c_str(), W_OK) != 0) base::fail_errno(directory, errno);
}

void Directories::create_with_parents(const fs::path& directory) {
  std::error_code error;
  if (directory.empty() || fs::exists(directory, error)) return;
  if (!error) create_with_parents(directory.parent_path());
  if (!error && fs::create_directory(directory, error)) created_.push_back(directory);
  if (error) base::fail(directory.string(), ": ", error.message());
}

}  // namespace awend::train

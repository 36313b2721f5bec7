#include "train/folders.hpp"

#include <unistd.h>

#include <cerrno>

#include "base/files.hpp"
#include "base/leftovers.hpp"

namespace awend::train {

namespace fs = std::filesystem;

Folders::~Folders() {
  std::error_code ignored;  // one that is not empty stays
  for (; !made_.empty(); made_.pop_back()) fs::remove(made_.back(), ignored);
}

void Folders::make(const std::string& folder) {
  make_with_parents(folder);
  if (!fs::is_directory(folder)) base::fail_errno(folder, ENOTDIR);
  base::remove_leftovers(folder);
}

void Folders::make_writable(const std::string& folder) {
  make(folder);
  if (::access(folder.c_str(), W_OK) != 0) base::fail_errno(folder, errno);
}

void Folders::make_with_parents(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::exists(folder, error)) return;
  if (!error) make_with_parents(folder.parent_path());
  if (!error && fs::create_directory(folder, error)) made_.push_back(folder);
  if (error) base::fail(folder.string(), ": ", error.message());
}

}  // namespace awend::train

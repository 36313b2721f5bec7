#include "interchange/model_files.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "store/strided_array.hpp"

namespace awend::interchange {
namespace {

namespace fs = std::filesystem;

// A directory with more files is not that of a model.
constexpr std::size_t kMaxFiles = 1'000'000;

}  // namespace

ModelFiles::ModelFiles(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) base::fail_errno(path, ENOENT);
  fs::path directory = path;
  if (!fs::is_directory(status)) {
    named_ = fs::path(path).filename().string();
    directory = fs::path(path).parent_path();
  }
  directory_ = directory.string();
  if (directory.empty()) directory = ".";
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    std::error_code ignored;
    if (entry.is_regular_file(ignored)) names_.push_back(entry.path().filename().string());
    if (names_.size() > kMaxFiles) base::fail(directory_, ": more than ", kMaxFiles, " files");
  }
  if (error) base::fail(directory_, ": cannot be read");
  std::ranges::sort(names_);
  if (named_ && !has(*named_)) base::fail(path, ": not a regular file");
}

ModelFiles::ModelFiles(std::map<std::string, std::string> contents) {
  for (auto& [name, content] : contents) {
    names_.push_back(name);
    contents_.emplace(name, std::move(content));
  }
}

bool ModelFiles::has(std::string_view name) const {
  return std::ranges::find(names_, name) != names_.end();
}

std::string ModelFiles::path_of(std::string_view name) const {
  if (name.empty()) return directory_;
  return directory_.empty() ? std::string(name) : (fs::path(directory_) / name).string();
}

std::span<const std::byte> ModelFiles::bytes(const std::string& name) {
  if (!has(name)) base::fail(path_of(name), ": no such file");
  if (const auto found = contents_.find(name); found != contents_.end())
    return std::as_bytes(std::span(found->second));
  const auto found = open_.try_emplace(name, path_of(name)).first;
  const auto bytes = found->second.bytes();
  with_name(path_of(name), [&] { store::refuse_lfs_pointer(bytes); });
  return bytes;
}

std::string_view ModelFiles::text(const std::string& name) {
  const auto content = bytes(name);
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

void ModelFiles::forget() const {
  for (const auto& [name, file] : open_) base::forget_mapped(file.bytes());
}

std::vector<std::string> ModelFiles::paths_read() const {
  std::vector<std::string> paths;
  for (const auto& [name, file] : open_) paths.push_back(path_of(name));
  return paths;
}

}  // namespace awend::interchange

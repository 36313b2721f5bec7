#include "interchange/model_files.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/error.hpp"
#include "base/files.hpp"
#include "store/strided_array.hpp"

namespace awend::interchange {
namespace {

namespace fs = std::filesystem;

// A directory with more files is not that of a model.
constexpr std::size_t kMaxFiles = 1'000'000;

constexpr std::string_view kCompressedEnds[] = {".gz", ".zst"};
// A small file must not exhaust memory.
constexpr std::uint64_t kMaxRatio = 100;

/// The name without the ending of a compressed file; empty if it has none.
std::string_view without_ending(std::string_view name) {
  for (const auto end : kCompressedEnds) {
    if (name.ends_with(end)) return name.substr(0, name.size() - end.size());
  }
  return {};
}

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
  add_compressed();
}

void ModelFiles::add_compressed() {
  for (const auto& name : names_) {
    const std::string plain(without_ending(name));
    if (!plain.empty() && !has(plain)) compressed_.try_emplace(plain, name);
  }
  for (const auto& [plain, name] : compressed_) {
    std::erase(names_, name);
    names_.push_back(plain);
    if (named_ == name) named_ = plain;
  }
  std::ranges::sort(names_);
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
  const auto compressed = compressed_.find(name);
  const std::string file(compressed == compressed_.end() ? name : compressed->second);
  return directory_.empty() ? file : (fs::path(directory_) / file).string();
}

std::span<const std::byte> ModelFiles::bytes(const std::string& name) {
  if (!has(name)) base::fail(path_of(name), ": no such file");
  if (const auto found = contents_.find(name); found != contents_.end())
    return std::as_bytes(std::span(found->second));
  if (compressed_.contains(name)) {
    const auto path = path_of(name);
    const auto most = std::min(kMaxRatio * fs::file_size(path), base::kMaxModelBytes);
    return std::as_bytes(
        std::span(contents_.emplace(name, base::read_file(path, most)).first->second));
  }
  const auto found = open_.try_emplace(name, path_of(name)).first;
  const auto bytes = found->second.bytes();
  with_name_once(path_of(name), [&] { store::refuse_lfs_pointer(bytes); });
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
  for (const auto& [name, file] : compressed_) {
    if (contents_.contains(name)) paths.push_back(path_of(name));
  }
  return paths;
}

}  // namespace awend::interchange

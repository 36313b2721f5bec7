// A cache file, which saves work in later runs.
//
// A header with the size and checksum of the payload detects truncated, damaged and foreign files,
// which are ignored.  Nothing here is an error: a directory that cannot be written, a deleted file
// or two concurrent writers cost time, but never change a result. Test:
// tests/unit/vulkan/cache_file_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace awend::vulkan {

/// $XDG_CACHE_HOME/awend, or ~/.cache/awend; empty if neither is an absolute path, or if
/// AWEND_PIPELINE_CACHE is 0.
std::string cache_directory();

class CacheFile {
 public:
  /// A larger file is ignored, and removed by the next write.
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;

  /// No file if `path` is empty.  The first write creates the directory.
  explicit CacheFile(std::string path) : path_(std::move(path)) {}

  /// The payload that was last written, or nullopt.
  std::optional<std::string> read() const;
  /// Replaces the file.  Returns false if that fails.
  bool write(std::string_view payload) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace awend::vulkan

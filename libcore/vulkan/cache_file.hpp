// A file that saves work for later runs, and that nobody misses.
//
// It is valid whole or not at all: a header with the payload's size and checksum makes truncated,
// damaged and foreign files the same as none.  Nothing here is an error: a folder that cannot be
// written, a file deleted meanwhile, two processes that write at once cost time, never an answer.
// Test: tests/unit/vulkan/cache_file_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace awend::vulkan {

/// $XDG_CACHE_HOME/awend, or ~/.cache/awend; empty where neither is an absolute path, or where
/// AWEND_PIPELINE_CACHE is 0.
std::string cache_folder();

class CacheFile {
 public:
  /// Beyond that a file is ignored, and removed by the next write.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

  /// No file if `path` is empty.  The folder is made by the first write.
  explicit CacheFile(std::string path) : path_(std::move(path)) {}

  /// What was written last, or nothing.
  std::optional<std::string> read() const;
  /// Replaces the file; false if that could not be done.
  bool write(std::string_view payload) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace awend::vulkan

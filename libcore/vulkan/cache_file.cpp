#include "vulkan/cache_file.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/files.hpp"

namespace awend::vulkan {
namespace {

/// Written as it lies in memory: the file serves the machine that wrote it.
struct Header {
  char magic[8];
  std::uint64_t version;
  std::uint64_t size_bytes;
  std::uint64_t checksum;
};
constexpr std::string_view kMagic = "awendpc\n";
constexpr std::uint64_t kVersion = 1;

/// FNV-1a.
std::uint64_t checksum_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

Header header_of(std::string_view payload) {
  Header header{{}, kVersion, payload.size(), checksum_of(payload)};
  kMagic.copy(header.magic, sizeof header.magic);
  return header;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string cache_folder() {
  if (environment("AWEND_PIPELINE_CACHE") == "0") return "";
  // A relative path is to be ignored, says the XDG Base Directory Specification.
  const std::string cache = environment("XDG_CACHE_HOME");
  if (cache.starts_with('/')) return cache + "/awend";
  const std::string home = environment("HOME");
  return home.starts_with('/') ? home + "/.cache/awend" : "";
}

std::optional<std::string> CacheFile::read() const {
  std::error_code error;
  // A pipe in the file's place would be waited for.
  if (path_.empty() || !std::filesystem::is_regular_file(path_, error)) return std::nullopt;
  const auto size_bytes = std::filesystem::file_size(path_, error);
  if (error || size_bytes < sizeof(Header) || size_bytes > kMostBytes) return std::nullopt;
  std::string bytes;
  try {
    bytes = base::read_file(path_, kMostBytes);
  } catch (const base::Error&) {
    return std::nullopt;
  }
  if (bytes.size() < sizeof(Header)) return std::nullopt;
  Header found;
  std::memcpy(&found, bytes.data(), sizeof found);
  bytes.erase(0, sizeof found);
  const Header expected = header_of(bytes);
  if (std::memcmp(&found, &expected, sizeof found) != 0) return std::nullopt;
  return bytes;
}

bool CacheFile::write(std::string_view payload) const {
  if (path_.empty()) return false;
  std::error_code ignored;
  if (payload.size() > kMostBytes - sizeof(Header)) {
    std::filesystem::remove(path_, ignored);
    return false;
  }
  const auto folder = std::filesystem::path(path_).parent_path();
  std::filesystem::create_directories(folder.parent_path(), ignored);
  ::mkdir(folder.c_str(), 0700);  // what the driver is fed with is the user's own business
  try {
    const Header header = header_of(payload);
    base::OutputFile file(path_);
    file.write({reinterpret_cast<const char*>(&header), sizeof header});
    file.write(payload);
    file.commit();
    return true;
  } catch (const base::Error&) {
    return false;
  }
}

}  // namespace awend::vulkan

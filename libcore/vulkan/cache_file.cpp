#include "vulkan/cache_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/files.hpp"

namespace awend::vulkan {
namespace {

/// Written in native byte order: the file is for the same machine.
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

/// Whether no user but those of its group can have written there: drivers trust the contents.
bool is_own(const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && status.st_uid == ::geteuid() &&
         (status.st_mode & S_IWOTH) == 0;
}

}  // namespace

std::string cache_directory() {
  if (environment("AWEND_PIPELINE_CACHE") == "0") return "";
  // The XDG Base Directory Specification requires to ignore relative paths.
  const std::string cache = environment("XDG_CACHE_HOME");
  if (cache.starts_with('/')) return cache + "/awend";
  const std::string home = environment("HOME");
  return home.starts_with('/') ? home + "/.cache/awend" : "";
}

std::optional<std::string> CacheFile::read() const {
  std::error_code error;
  if (!is_own(path_) || !is_own(std::filesystem::path(path_).parent_path())) return std::nullopt;
  // Reading a pipe would block.
  if (path_.empty() || !std::filesystem::is_regular_file(path_, error)) return std::nullopt;
  const auto size_bytes = std::filesystem::file_size(path_, error);
  if (error || size_bytes < sizeof(Header) || size_bytes > kMaxBytes) return std::nullopt;
  std::string bytes;
  try {
    bytes = base::read_file(path_, kMaxBytes);
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
  if (payload.size() > kMaxBytes - sizeof(Header)) {
    std::filesystem::remove(path_, ignored);
    return false;
  }
  const auto directory = std::filesystem::path(path_).parent_path();
  std::filesystem::create_directories(directory.parent_path(), ignored);
  ::mkdir(directory.c_str(), 0700);
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

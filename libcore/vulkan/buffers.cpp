#include "vulkan/buffers.hpp"

#include <bit>
#include <cstdlib>
#include <string>

#include "base/error.hpp"

namespace awend::vulkan {
namespace {

/// {22, 3} for "Mesa 22.3.6 (…"; {0, 0} if there is no version.
std::pair<int, int> mesa_version(std::string_view info) {
  constexpr std::string_view kName = "Mesa ";
  if (!info.starts_with(kName)) return {0, 0};
  const std::string numbers(info.substr(kName.size()));
  char* end = nullptr;
  const long major = std::strtol(numbers.c_str(), &end, 10);
  const long minor = *end == '.' ? std::strtol(end + 1, nullptr, 10) : 0;
  return {static_cast<int>(major), static_cast<int>(minor)};
}

constexpr std::uint64_t kBeyondView = 256;  // sets bit 8 if bits 8 to 15 are zero

}  // namespace

shaders::Buffers fastest_buffers(const BufferTraits& traits) {
  const bool binds_enough = traits.storage_buffers >= kMostStorageBuffers;
  if (!binds_enough && traits.has_addresses) return shaders::Buffers::kAddress;
  if (traits.driver != VK_DRIVER_ID_MESA_LLVMPIPE) return shaders::Buffers::kStorage;
  if (mesa_version(traits.driver_info) < std::pair(23, 1)) return shaders::Buffers::kTexel;
  return traits.has_addresses && !traits.validated ? shaders::Buffers::kAddress
                                                   : shaders::Buffers::kStorage;
}

shaders::Buffers requested_buffers(shaders::Buffers fastest, const BufferTraits& traits) {
  const char* requested = std::getenv("AWEND_BUFFERS");
  if (requested == nullptr || *requested == '\0') return fastest;
  const std::string_view word = requested;
  if (word == "storage") return shaders::Buffers::kStorage;
  if (word == "texel") return shaders::Buffers::kTexel;
  if (word == "address" && traits.has_addresses) return shaders::Buffers::kAddress;
  if (word == "address") base::fail("AWEND_BUFFERS is address, but the device has no addresses");
  base::fail("AWEND_BUFFERS must be storage, texel or address, got ", word);
}

std::uint64_t texel_buffer_bytes(std::uint64_t size_bytes) {
  const std::uint64_t bytes = size_bytes + kBeyondView;
  return std::has_single_bit(bytes) ? bytes + kBeyondView : bytes;
}

std::uint64_t texel_view_bytes(std::uint64_t size_bytes) {
  return (size_bytes >> 8 & 0xff) == 0 ? size_bytes + kBeyondView : size_bytes;
}

}  // namespace awend::vulkan

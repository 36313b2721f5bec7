#include "vulkan/buffers.hpp"

#include <cstdlib>
#include <string>
#include <utility>

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

// Versions of Mesa, for lavapipe.  26.1.6 executes loads of a loop that no lane is in anymore if
// all lanes have the same address, and then crashes; of a storage buffer, it checks the index.
constexpr std::pair kFasterSince(23, 1);
constexpr std::pair kReliableUntil(25, 0);  // the last one that was tested before

}  // namespace

shaders::Buffers fastest_buffers(const BufferTraits& traits) {
  const bool binds_enough = traits.storage_buffers >= kMaxStorageBuffers;
  if (!binds_enough && traits.has_addresses) return shaders::Buffers::kAddress;
  const auto mesa = mesa_version(traits.driver_info);
  const bool is_faster =
      traits.driver == VK_DRIVER_ID_MESA_LLVMPIPE && mesa >= kFasterSince && mesa <= kReliableUntil;
  return is_faster && traits.has_addresses && !traits.validated ? shaders::Buffers::kAddress
                                                                : shaders::Buffers::kStorage;
}

shaders::Buffers requested_buffers(shaders::Buffers fastest, const BufferTraits& traits) {
  const char* requested = std::getenv("AWEND_BUFFERS");
  if (requested == nullptr || *requested == '\0') return fastest;
  const std::string_view word = requested;
  if (word == "storage") return shaders::Buffers::kStorage;
  if (word == "address" && traits.has_addresses) return shaders::Buffers::kAddress;
  if (word == "address") base::fail("AWEND_BUFFERS is address, but the device has no addresses");
  base::fail("AWEND_BUFFERS must be storage or address, got ", word);
}

}  // namespace awend::vulkan

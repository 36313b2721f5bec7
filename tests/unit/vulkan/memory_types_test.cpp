// The choice of memory types, from tables that drivers report.
#include "vulkan/memory_types.hpp"

#include "tests/catch.hpp"

namespace awend::vulkan {
namespace {

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
constexpr VkMemoryPropertyFlags kMapped = kVisible | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
constexpr VkMemoryPropertyFlags kAmd = VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;
constexpr VkMemoryPropertyFlags kAmdUncached = VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD;

using Types = std::vector<std::uint32_t>;

VkPhysicalDeviceMemoryProperties table(const std::vector<VkMemoryPropertyFlags>& types) {
  VkPhysicalDeviceMemoryProperties memory{};
  for (const auto flags : types) memory.memoryTypes[memory.memoryTypeCount++] = {flags, 0};
  return memory;
}

Types choice(const VkPhysicalDeviceMemoryProperties& memory, MemoryKind kind,
             DeviceType device = DeviceType::kDiscreteGpu) {
  return memory_types(memory, {kind, ~0u, device});
}

TEST_CASE("each kind of memory has its types, best first", "[memory]") {
  // A discrete GPU with a window into its memory.
  const auto memory = table({kLocal, kMapped, kMapped | kCached, kLocal | kMapped});
  CHECK(choice(memory, MemoryKind::kDevice) == Types{0, 3, 1, 2});
  CHECK(choice(memory, MemoryKind::kUpload) == Types{3, 1, 2});
  CHECK(choice(memory, MemoryKind::kDownload) == Types{2, 1, 3});
  CHECK(is_device_local(memory, 3));
  CHECK_FALSE(is_device_local(memory, 1));
}

TEST_CASE("only allowed types are chosen", "[memory]") {
  const auto memory = table({kLocal, kMapped, kLocal | kMapped});
  CHECK(memory_types(memory, {MemoryKind::kDevice, 0b110, DeviceType::kDiscreteGpu}) ==
        Types{2, 1});
  CHECK(memory_types(memory, {MemoryKind::kUpload, 0b001, DeviceType::kDiscreteGpu}).empty());
}

TEST_CASE("types that need a feature or serve another purpose are left out", "[memory]") {
  constexpr VkMemoryPropertyFlags kRemote = 0x100;  // VK_MEMORY_PROPERTY_RDMA_CAPABLE_BIT_NV
  const auto memory = table({kLocal | kAmd, kLocal | kMapped | kAmd | kAmdUncached,
                             kLocal | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT,
                             VK_MEMORY_PROPERTY_PROTECTED_BIT, kLocal | kRemote, kLocal, kMapped});
  CHECK(choice(memory, MemoryKind::kDevice) == Types{5, 6});
  CHECK(choice(memory, MemoryKind::kUpload) == Types{6});
  CHECK(choice(memory, MemoryKind::kDownload) == Types{6});
}

TEST_CASE("the host accesses all memory of a CPU", "[memory]") {
  const auto memory = table({kLocal, kMapped | kCached, kLocal | kMapped | kCached});
  for (const auto kind : {MemoryKind::kDevice, MemoryKind::kUpload, MemoryKind::kDownload})
    CHECK(choice(memory, kind, DeviceType::kCpu) == Types{2, 1});
}

}  // namespace
}  // namespace awend::vulkan

// What a device must have, from tables of properties in this file.
#include "vulkan/requirements.hpp"

#include <algorithm>

#include "shaders/embedded.hpp"
#include "tests/catch.hpp"
#include "vulkan/spirv.hpp"

namespace awend::vulkan {
namespace {

VkQueueFamilyProperties family(VkQueueFlags flags) {
  VkQueueFamilyProperties properties{};
  properties.queueFlags = flags;
  properties.queueCount = 1;
  return properties;
}

/// Fills in a device that has everything.
void complete(Properties& properties) {
  auto& limits = properties.core.properties.limits;
  properties.core.properties.apiVersion = VK_API_VERSION_1_3;
  limits.maxPerStageDescriptorStorageBuffers = 64;
  limits.maxDescriptorSetStorageBuffers = 64;
  limits.maxPerStageResources = 128;
  limits.maxPushConstantsSize = 128;
  properties.v11.subgroupSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
  properties.v11.subgroupSupportedOperations =
      VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
  properties.v11.subgroupSize = 32;
  properties.v13.minSubgroupSize = properties.v13.maxSubgroupSize = 32;
  properties.features13.synchronization2 = VK_TRUE;
  properties.features13.maintenance4 = VK_TRUE;
  properties.features13.subgroupSizeControl = VK_TRUE;
  properties.features13.computeFullSubgroups = VK_TRUE;
  properties.queue_families = {family(VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)};
  properties.memory.memoryHeapCount = 1;
  properties.memory.memoryHeaps[0] = {std::uint64_t{4} << 30, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
}

std::vector<std::string> missing(const Properties& properties) {
  DeviceInfo info;
  check_requirements(properties, info);
  return info.missing;
}

using Names = std::vector<std::string>;

TEST_CASE("a device that lacks something is not usable", "[device]") {
  Properties properties;
  complete(properties);
  CHECK(missing(properties).empty());
  SECTION("an old version, of which nothing else is known") {
    properties.core.properties.apiVersion = VK_API_VERSION_1_1;
    properties.features13 = {};
    CHECK(missing(properties) == Names{"Vulkan 1.3"});
  }
  SECTION("no queue for compute") {
    properties.queue_families = {family(VK_QUEUE_GRAPHICS_BIT), family(VK_QUEUE_TRANSFER_BIT)};
    CHECK(missing(properties) == Names{"a queue for compute"});
    properties.queue_families.clear();
    CHECK(missing(properties) == Names{"a queue for compute"});
  }
  SECTION("too little memory") {
    properties.memory.memoryHeaps[0].size = std::uint64_t{32} << 20;
    CHECK(missing(properties) == Names{"64 MiB of memory (it has 32)"});
    properties.memory.memoryHeaps[0].flags = 0;  // memory of the machine
    CHECK(missing(properties) == Names{"64 MiB of memory (it has 0)"});
    properties.memory.memoryHeaps[0].size = std::uint64_t{4} << 30;
    CHECK(missing(properties) == Names{"64 MiB of memory (it has 0)"});
    properties.core.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    CHECK(missing(properties).empty());
  }
  SECTION("too few storage buffers") {
    properties.core.properties.limits.maxPerStageDescriptorStorageBuffers = 14;
    CHECK(missing(properties) == Names{"15 storage buffers in a kernel (it has 14)"});
    properties.core.properties.limits.maxPerStageDescriptorStorageBuffers = 64;
    properties.core.properties.limits.maxPerStageResources = 8;
    CHECK(missing(properties) == Names{"15 storage buffers in a kernel (it has 8)"});
  }
  SECTION("several features") {
    properties.features13.synchronization2 = VK_FALSE;
    properties.v11.subgroupSize = 2;
    CHECK(missing(properties) == Names{"synchronization2", "subgroups of at least 4 lanes"});
  }
  SECTION("a subgroup size that varies, unless pipelines can require one") {
    properties.v13.minSubgroupSize = 8;
    CHECK(missing(properties) == Names{"a fixed subgroup size"});
    properties.v13.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
    CHECK(missing(properties).empty());
  }
  SECTION("subgroups that are too small, although the usual ones are not") {
    properties.v13.minSubgroupSize = 1;
    properties.v13.maxSubgroupSize = 2;
    properties.v13.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
    CHECK(missing(properties) == Names{"subgroups of at least 4 lanes"});
  }
}

TEST_CASE("addresses replace storage buffers of which a kernel can bind too few", "[buffers]") {
  Properties properties;
  complete(properties);
  auto& limits = properties.core.properties.limits;
  limits.maxPerStageDescriptorStorageBuffers = 4;
  properties.features12.bufferDeviceAddress = VK_TRUE;
  properties.features.features.shaderInt64 = VK_TRUE;
  CHECK_FALSE(missing(properties).empty());  // 128 bytes of push constants do not hold them
  limits.maxPushConstantsSize = 256;
  CHECK(missing(properties).empty());
  CHECK(fastest_buffers(buffer_traits(properties)) == shaders::Buffers::kAddress);
  limits.maxPerStageDescriptorStorageBuffers = 64;
  CHECK(fastest_buffers(buffer_traits(properties)) == shaders::Buffers::kStorage);
  limits.maxPerStageDescriptorStorageBuffers = 1;
  CHECK_FALSE(missing(properties).empty());
}

TEST_CASE("the required number of storage buffers is that of the kernels", "[buffers]") {
  const auto max_buffers = [](shaders::Buffers buffers) {
    std::size_t largest = 0;
    for (const auto& kernel : shaders::embedded_kernels()) {
      largest = std::max(largest, reflect(kernel.words(buffers), kernel.name).bindings.size());
    }
    return largest;
  };
  CHECK(max_buffers(shaders::Buffers::kStorage) == kMaxStorageBuffers);
  CHECK(max_buffers(shaders::Buffers::kAddress) == kStorageBuffersBesideAddresses);
  for (const auto& kernel : shaders::matrix_kernels())
    CHECK(reflect(kernel.float16, kernel.name).bindings.size() <= kMaxStorageBuffers);
}

TEST_CASE("a queue without graphics is preferred", "[device]") {
  constexpr VkQueueFlags kGraphics = VK_QUEUE_GRAPHICS_BIT, kCompute = VK_QUEUE_COMPUTE_BIT,
                         kTransfer = VK_QUEUE_TRANSFER_BIT;
  const auto choice = [](const std::vector<VkQueueFamilyProperties>& families) {
    return compute_family(families);
  };
  // NVIDIA, AMD and Intel.
  CHECK(choice({family(kGraphics | kCompute | kTransfer), family(kTransfer),
                family(kCompute | kTransfer)}) == 2);
  CHECK(choice({family(kGraphics | kCompute), family(kCompute)}) == 1);
  CHECK(choice({family(kGraphics | kCompute)}) == 0);
  CHECK(choice({family(kTransfer), family(kGraphics | kCompute), family(kGraphics | kCompute)}) ==
        1);
  auto empty = family(kCompute);
  empty.queueCount = 0;
  CHECK(choice({empty, family(kGraphics | kCompute)}) == 1);
  CHECK_FALSE(choice({family(kGraphics), family(kTransfer)}));
  CHECK_FALSE(choice({}));
}

}  // namespace
}  // namespace awend::vulkan

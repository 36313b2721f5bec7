// The cache of pipelines of a device: written if there are new ones, replaced if it is of another
// device, merged with that of another writer.
#include "nn/gpu.hpp"
#include "tests/kernels/bench.hpp"
#include "tests/scratch.hpp"
#include "vulkan/first_dispatch.hpp"

namespace awend::tests {
namespace {

using vulkan::CacheFile;
using vulkan::PipelineCache;

struct Stage {
  Scratch scratch;
  VkPhysicalDeviceProperties properties = [] {
    // The engine comes first, because the first instance loads the functions.
    const VkPhysicalDevice device = engine().gpu().device.physical();
    VkPhysicalDeviceProperties asked{};
    vkGetPhysicalDeviceProperties(device, &asked);
    return asked;
  }();
  CacheFile file{scratch.path(vulkan::pipeline_cache_name(properties))};

  bool holds_this_devices() const {
    const auto data = file.read();
    return data && vulkan::is_pipeline_cache_of(properties, *data);
  }
};

const vulkan::KernelKey kKey{"residual", {8, 0, 0, 0, 0}};

}  // namespace

TEST_CASE("a pipeline cache is written once, and read again", "[vulkan]") {
  const Stage stage;
  {
    PipelineCache cache(engine().gpu().device, stage.scratch.folder());
    const vulkan::Kernel kernel(engine().gpu().device, kKey.name, kKey.constants, cache.get());
    cache.save();
  }
  REQUIRE(stage.holds_this_devices());
  const auto written = std::filesystem::last_write_time(stage.file.path());
  PipelineCache again(engine().gpu().device, stage.scratch.folder());
  again.save();
  REQUIRE(std::filesystem::last_write_time(stage.file.path()) == written);
}

TEST_CASE("a driver that does not return its pipelines is no error", "[vulkan]") {
  const Stage stage;
  PipelineCache cache(engine().gpu().device, stage.scratch.folder());
  const auto real = vkGetPipelineCacheData;
  vkGetPipelineCacheData = [](VkDevice, VkPipelineCache, std::size_t*, void*) {
    return VK_INCOMPLETE;
  };
  const auto message = message_of([&] { cache.save(); });
  vkGetPipelineCacheData = real;
  REQUIRE(message.empty());
  REQUIRE_FALSE(stage.holds_this_devices());
  cache.save();
  REQUIRE(stage.holds_this_devices());
}

TEST_CASE("invalid caches and those of other devices are replaced", "[vulkan]") {
  const Stage stage;
  stage.scratch.write(vulkan::pipeline_cache_name(stage.properties), "garbage");
  PipelineCache(engine().gpu().device, stage.scratch.folder()).save();
  REQUIRE(stage.holds_this_devices());

  auto data = stage.file.read().value();
  data[offsetof(VkPipelineCacheHeaderVersionOne, vendorID)] ^= 1;
  REQUIRE(stage.file.write(data));
  REQUIRE_FALSE(stage.holds_this_devices());
  PipelineCache(engine().gpu().device, stage.scratch.folder()).save();
  REQUIRE(stage.holds_this_devices());
}

TEST_CASE("pipelines that another process has written meanwhile are merged", "[vulkan]") {
  const Stage stage;
  PipelineCache first(engine().gpu().device, stage.scratch.folder());
  PipelineCache(engine().gpu().device, stage.scratch.folder()).save();
  const auto data = stage.file.read().value();
  REQUIRE(stage.file.write(data + std::string(64, '\0')));
  const vulkan::Kernel kernel(engine().gpu().device, kKey.name, kKey.constants, first.get());
  first.save();
  REQUIRE(stage.holds_this_devices());
}

TEST_CASE("pipelines are created without a directory, or if it is deleted", "[vulkan]") {
  const Stage stage;
  const std::vector<std::string> folders = {"", "/dev/null/cache", stage.scratch.folder()};
  for (const std::string& folder : folders) {
    PipelineCache cache(engine().gpu().device, folder);
    if (folder == stage.scratch.folder()) std::filesystem::remove_all(folder);
    const vulkan::Kernel kernel(engine().gpu().device, kKey.name, kKey.constants, cache.get());
    REQUIRE(kernel.pipeline() != VK_NULL_HANDLE);
    cache.save();
  }
}

TEST_CASE("kernels are prepared once", "[vulkan]") {
  vulkan::KernelCache kernels(engine().gpu().device);
  kernels.prepare({kKey, kKey, {"residual", {16, 0, 0, 0, 0}}});
  const auto* made = &kernels.get(kKey.name, kKey.constants);
  kernels.prepare({kKey});
  REQUIRE(&kernels.get(kKey.name, kKey.constants) == made);
  REQUIRE(message_of([&] { kernels.prepare({{"nosuch", {}}}); }) == "no kernel is named 'nosuch'");
}

TEST_CASE("a dispatch of zero workgroups does nothing", "[vulkan]") {
  const vulkan::Kernel kernel(engine().gpu().device, kKey.name, kKey.constants);
  const vulkan::Kernel* const kernels[] = {&kernel};
  REQUIRE_NOTHROW(vulkan::compile_by_dispatch(engine().gpu().device, {&kKey, 1}, kernels));
}

}  // namespace awend::tests

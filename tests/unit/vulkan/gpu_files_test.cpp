// Names of device files, without looking at those of this machine.
#include "vulkan/gpu_files.hpp"

#include <vector>

#include "tests/catch.hpp"

namespace awend::vulkan {

TEST_CASE("the device files of GPUs are known by their names") {
  const auto has = [](std::vector<std::string> names) { return has_gpu_file(names); };
  CHECK_FALSE(has({}));
  CHECK_FALSE(has({"null", "tty1", "cpu", "kvm", "fuse"}));
  for (const char* name : {"renderD128", "card0", "nvidia0", "nvidiactl", "dxg", "mali0",
                           "kgsl-3d0", "nvhost-gpu", "nvgpu"}) {
    CAPTURE(name);
    CHECK(has({"null", name}));
  }
}

}  // namespace awend::vulkan

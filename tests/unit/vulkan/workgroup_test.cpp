// Workgroups of embedded kernels, without a device.
#include "vulkan/workgroup.hpp"

#include "shaders/embedded.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "vulkan/spirv.hpp"

namespace awend::vulkan {
namespace {

std::span<const std::uint32_t> words_of(std::string_view name) {
  for (const auto& kernel : shaders::embedded_kernels()) {
    if (kernel.name == name) return kernel.words(shaders::Buffers::kStorage);
  }
  for (const auto& kernel : shaders::matrix_kernels()) {
    if (kernel.name == name) return kernel.float16;
  }
  return {};
}

TEST_CASE("a workgroup of a kernel without shared memory is a subgroup", "[spirv]") {
  for (const auto& kernel : shaders::embedded_kernels()) {
    CAPTURE(kernel.name);
    for (const auto buffers : {shaders::Buffers::kStorage, shaders::Buffers::kAddress}) {
      const auto words = kernel.words(buffers);
      if (reflect(words, kernel.name).uses_shared_memory) continue;
      const std::uint32_t lanes[] = {32};
      const Workgroup workgroup = workgroup_of(words, lanes, kernel.name);
      CHECK(workgroup.threads == 32);
      CHECK(workgroup.shared_bytes == 0);
    }
  }
}

TEST_CASE("tiles in shared memory follow from the constants", "[spirv]") {
  // Threads, rows, columns, depth, rows and columns of a thread; lines are padded by 4 floats.
  const std::uint32_t values[] = {32, 256, 128, 128, 16, 8, 8};
  const auto workgroup = workgroup_of(words_of("matmul_nn_shared"), values, "matmul_nn_shared");
  CHECK(workgroup.threads == 256);
  CHECK(workgroup.shared_bytes == 2 * 16 * (128 + 4) * 4);
  const std::uint32_t small[] = {32, 64, 32, 64, 16, 4, 4};
  const auto other = workgroup_of(words_of("matmul_nn_shared"), small, "matmul_nn_shared");
  CHECK(other.threads == 64);
  CHECK(other.shared_bytes == 16 * (32 + 4 + 64 + 4) * 4);
}

TEST_CASE("kernels for matrix units have a workgroup and shared memory", "[spirv]") {
  REQUIRE_FALSE(shaders::matrix_kernels().empty());
  for (const auto& kernel : shaders::matrix_kernels()) {
    CAPTURE(kernel.name);
    const std::uint32_t values[] = {32, 128};
    const auto workgroup = workgroup_of(kernel.float16, values, kernel.name);
    CHECK(workgroup.threads == 128);
    CHECK(workgroup.shared_bytes >= 1024);
    CHECK(workgroup.shared_bytes <= 65536);
  }
}

TEST_CASE("a kernel that exceeds a limit is refused", "[spirv]") {
  Limits limits{};
  limits.workgroup_threads = 128;
  limits.shared_bytes = 16384;
  limits.storage_buffers = 4;
  const auto refusal = [&](const KernelSize& size) {
    return tests::message_of([&] { check_size(limits, size, "k"); });
  };
  check_size(limits, {{.threads = 128, .shared_bytes = 16384}, 4}, "k");
  CHECK(refusal({{.threads = 256, .shared_bytes = 0}, 4}) ==
        "kernel k needs 256 threads in a workgroup, more than this device allows "
        "(maxComputeWorkGroupInvocations: 128)");
  CHECK(refusal({{.threads = 128, .shared_bytes = 16896}, 4}) ==
        "kernel k needs 16896 bytes of shared memory, more than this device has "
        "(maxComputeSharedMemorySize: 16384)");
  CHECK(refusal({{.threads = 8, .shared_bytes = 0}, 13}) ==
        "kernel k needs 13 storage buffers, more than this device binds "
        "(maxPerStageDescriptorStorageBuffers: 4)");
}

}  // namespace
}  // namespace awend::vulkan

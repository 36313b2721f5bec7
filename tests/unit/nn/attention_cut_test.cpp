// Workgroups of attention on matrix units, on different devices.
#include <algorithm>

#include "nn/attention/matrix.hpp"
#include "shaders/embedded.hpp"
#include "tests/catch.hpp"
#include "vulkan/workgroup.hpp"

namespace awend::nn {
namespace {

constexpr const char* kKernel = "attention_matrix";

std::uint32_t shared_bytes(const MatrixAttentionCut& cut, const AttentionShape& shape,
                           std::uint32_t lanes, AttentionDirection direction) {
  const auto& kernels = shaders::matrix_kernels();
  const auto kernel = std::ranges::find(kernels, kKernel, [](const auto& k) { return k.name; });
  REQUIRE(kernel != kernels.end());
  const std::uint32_t constants[] = {lanes,
                                     cut.threads,
                                     cut.rows,
                                     cut.rows,
                                     cut.fragment.rows,
                                     cut.fragment.columns,
                                     cut.fragment.depth,
                                     static_cast<std::uint32_t>(direction),
                                     shape.heads,
                                     shape.d_k,
                                     shape.d_v};
  return vulkan::workgroup_of(kernel->float16, constants, kKernel).shared_bytes;
}

}  // namespace

TEST_CASE("attention on matrix units: a fragment of each subgroup fits in shared memory") {
  const vulkan::MatrixElement kFp16 = vulkan::MatrixElement::kFloat16;
  std::size_t cuts = 0;
  for (const std::uint32_t lanes : {8U, 16U, 32U, 64U}) {
    for (const vulkan::MatrixShape& fragment :
         {vulkan::MatrixShape{kFp16, 16, 16, 16}, {kFp16, 8, 16, 16}, {kFp16, 8, 8, 16}}) {
      for (const std::uint32_t kibibytes : {16U, 32U, 64U, 128U}) {
        vulkan::Limits limits{};
        limits.subgroup_size = lanes;
        limits.workgroup_threads = 1024;
        limits.shared_bytes = kibibytes << 10;
        limits.matrix_shapes = {fragment};
        for (const std::uint32_t d_v : {16U, 64U}) {
          const AttentionShape shape{2, 32, d_v, 0};
          const auto cut = matrix_attention_cut(limits, Element::kFloat16, shape);
          if (!cut) continue;
          ++cuts;
          for (const auto direction : {AttentionDirection::kForward, AttentionDirection::kQuery,
                                       AttentionDirection::kKey}) {
            CAPTURE(lanes, fragment.rows, fragment.columns, kibibytes, d_v, cut->rows);
            const auto bytes = shared_bytes(*cut, shape, lanes, direction);
            CHECK(bytes <= limits.shared_bytes);
            CHECK(bytes >= cut->threads / lanes * fragment.rows * fragment.columns * 4);
          }
        }
      }
    }
  }
  CHECK(cuts >= 60);
}

}  // namespace awend::nn

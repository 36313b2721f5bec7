#include "nn/attention/shared.hpp"

#include <algorithm>

#include "nn/matmul/tiles.hpp"
#include "shaders/op_attention_shared.h"

namespace awend::nn {
namespace {

// More rows read each row of the other side less often, but need more shared memory and registers.
// A thread has them on hardware of 32 lanes (see matmul/tiles.cpp).
constexpr std::uint32_t kManyRows = 32;
constexpr std::uint32_t kFewRows = 16;
constexpr std::uint32_t kMaxSums = 64;  // of a thread, in the kernel that has the most

/// Bytes of shared memory, in the layout of the shader, of the kernel that needs the most.
std::uint32_t shared_bytes(std::uint32_t rows, const AttentionShape& shape) {
  constexpr std::uint32_t kBlockRows = ATTENTION_SHARED_OTHER_ROWS;
  const std::uint32_t stride = std::max(shape.d_k / 4 | 1, shape.d_v / 4 | 1);
  const std::uint32_t weights = kBlockRows * (rows / 2 + 2);
  const std::uint32_t maxima = rows * 8;
  constexpr std::uint32_t kTileEnds = 16;
  return 16 * (rows + kBlockRows) * stride + 8 * weights + 4 * (maxima + kTileEnds);
}

}  // namespace

std::optional<std::uint32_t> shared_attention_rows(const vulkan::Limits& limits,
                                                   const AttentionShape& shape) {
  constexpr std::uint32_t kThreads = ATTENTION_SHARED_THREADS;
  if (kThreads % limits.subgroup_size != 0 || kThreads > limits.workgroup_threads)
    return std::nullopt;
  const bool many =
      limits.hardware_lanes == 32 && kManyRows * (shape.d_k + shape.d_v) / kThreads <= kMaxSums;
  if (many && shared_bytes(kManyRows, shape) <= limits.shared_bytes) return kManyRows;
  if (shared_bytes(kFewRows, shape) <= limits.shared_bytes) return kFewRows;
  return std::nullopt;
}

std::optional<std::uint32_t> shared_attention_rows(const Engine& engine,
                                                   const AttentionShape& shape) {
  if (engine.on_processor() || matmul_path(engine.limits()) != MatmulPath::kShared)
    return std::nullopt;
  return shared_attention_rows(engine.limits(), shape);
}

std::uint32_t max_shared_attention_keys(const AttentionShape& shape) {
  // Iterations for each block in the kernel that has the most: two products, two weighted sums, and
  // five copies.
  constexpr std::uint32_t kKeys = ATTENTION_SHARED_OTHER_ROWS;
  const std::uint64_t width = std::max(shape.d_k, shape.d_v);
  const std::uint64_t rounds = 2 + 2 * (width / 4) + 2 * kKeys + 5 * (width / 8 + 1);
  return static_cast<std::uint32_t>(kMaxIterations / rounds * kKeys);
}

AttentionKernels shared_attention_kernels(std::uint32_t rows) {
  return {.launch = [rows](Program& program, const AttentionPart& part) {
    const AttentionSharedConstants constants{.threads = ATTENTION_SHARED_THREADS,
                                             .own = rows,
                                             .heads = part.shape.heads,
                                             .d_k = part.shape.d_k,
                                             .d_v = part.shape.d_v,
                                             .drops = part.dropout.drops};
    switch (part.direction) {
      case AttentionDirection::kForward:
        return program.launch(forward_launch<AttentionSharedLaunch>(part, constants, rows));
      case AttentionDirection::kQuery:
        return program.launch(query_launch<AttentionSharedQueryLaunch>(part, constants, rows));
      case AttentionDirection::kKey:
        return program.launch(key_launch<AttentionSharedKeyLaunch>(part, constants, rows));
    }
  }};
}

}  // namespace awend::nn

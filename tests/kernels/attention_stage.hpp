// One attention on a device, and its gradients, compared with the reference.
#pragma once

#include "nn/attention/shared.hpp"
#include "tests/kernels/bench.hpp"
#include "tests/reference/attention.hpp"

namespace awend::tests {

inline std::vector<std::uint32_t> words_of(const std::vector<reference::RowRange>& ranges) {
  std::vector<std::uint32_t> words;
  for (const auto& range : ranges) {
    words.push_back(static_cast<std::uint32_t>(range.begin));
    words.push_back(static_cast<std::uint32_t>(range.end));
  }
  return words;
}

/// The query rows that attend to each key row.
inline std::vector<reference::RowRange> queries_of(const std::vector<reference::RowRange>& keys,
                                                   std::size_t key_rows) {
  std::vector<reference::RowRange> queries(key_rows);
  for (std::size_t query = 0; query < keys.size(); ++query) {
    for (auto key = keys[query].begin; key < keys[query].end; ++key) {
      if (queries[key].begin == queries[key].end) queries[key].begin = query;
      queries[key].end = query + 1;
    }
  }
  return queries;
}

struct AttentionCase {
  std::vector<reference::RowRange> keys;
  std::size_t key_rows;
  std::uint32_t heads, d_k, d_v;
  double dropout;
  nn::Element precision = nn::Element::kFloat32;
  double tolerance = kFp32Tolerance;
  /// Rows of a workgroup of the kernels with shared memory; default: the kernels for the device.
  std::optional<std::uint32_t> shared_rows = std::nullopt;
};

/// The operands of an attention on a device, and the gradients of its inputs.
class AttentionStage {
 public:
  explicit AttentionStage(const AttentionCase& c)
      : case_(c),
        q_(noise(query_rows(), c.heads * c.d_k, 1)),
        k_(noise(c.key_rows, c.heads * c.d_k, 2)),
        v_(noise(c.key_rows, c.heads * c.d_v, 3)),
        dy_(noise(query_rows(), c.heads * c.d_v, 4)),
        queries_(bench.program.count(static_cast<std::uint32_t>(query_rows() + 5))) {
    bench.allocate(c.precision);
    const auto keys = bench.program.count(static_cast<std::uint32_t>(c.key_rows + 2));
    bench.set_rows(queries_, query_rows());
    bench.set_rows(keys, c.key_rows);
    inputs_ = {bench.given(queries_, q_), bench.given(keys, k_), bench.given(keys, v_)};
    ranges_ = {
        .keys_of_query = bench.given_words(queries_, 2, words_of(c.keys)),
        .queries_of_key = bench.given_words(keys, 2, words_of(queries_of(c.keys, c.key_rows)))};
  }

  std::size_t query_rows() const { return case_.keys.size(); }
  const nn::Count& queries() const { return queries_; }
  const nn::AttentionRanges& ranges() const { return ranges_; }

  /// The attention, by the kernels of the case.
  nn::Tensor attention() {
    const nn::Projections projections{inputs_[0], inputs_[1], inputs_[2]};
    const nn::AttentionShape shape{case_.heads, case_.d_k, case_.d_v, case_.dropout};
    if (!case_.shared_rows) return nn::attention(bench.graph, projections, ranges_, shape);
    return nn::attention_by(nn::shared_attention_kernels(*case_.shared_rows), bench.graph,
                            projections, ranges_, shape);
  }

  /// Runs forward and backward passes with a gradient of the output `y`.
  void run(const nn::Tensor& y) {
    bench.seed_gradient(y, dy_);
    bench.graph.derive_backward();
    for (const auto& input : inputs_) gradients_.push_back(bench.observe_gradient(input));
    bench.run();
  }

  /// The same attention of the reference, with operands of this precision.
  reference::Attention oracle(nn::Element precision) {
    const auto& scalars = bench.scalars();
    return {.q = rounded(q_, precision),
            .k = rounded(k_, precision),
            .v = rounded(v_, precision),
            .keys = case_.keys,
            .heads = case_.heads,
            .dropout = {.probability = case_.dropout,
                        .seed = scalars.seed_low | std::uint64_t{scalars.seed_high} << 32,
                        .dropout_id = 1,
                        .step = scalars.step}};
  }
  reference::AttentionGradient expected_gradient() {
    return reference::attention_backward(oracle(case_.precision), rounded(dy_, case_.precision));
  }
  void require_gradient(const reference::AttentionGradient& expected) const {
    require_close(bench.read(gradients_[0], query_rows()), expected.dq, case_.tolerance);
    require_close(bench.read(gradients_[1], case_.key_rows), expected.dk, case_.tolerance);
    require_close(bench.read(gradients_[2], case_.key_rows), expected.dv, case_.tolerance);
  }

  Bench bench;

 private:
  const AttentionCase case_;
  const Matrix q_, k_, v_, dy_;
  const nn::Count queries_;
  std::vector<nn::Tensor> inputs_, gradients_;
  nn::AttentionRanges ranges_;
};

inline void check_attention(const AttentionCase& c) {
  AttentionStage stage(c);
  CAPTURE(stage.query_rows(), c.key_rows, c.heads, c.d_k, c.d_v, c.dropout,
          nn::name_of(c.precision));
  const auto y = stage.attention();
  const auto output = stage.bench.observe(y);
  stage.run(y);
  require_close(stage.bench.read(output, stage.query_rows()),
                reference::attention(stage.oracle(c.precision)).y, c.tolerance);
  stage.require_gradient(stage.expected_gradient());
}

}  // namespace awend::tests

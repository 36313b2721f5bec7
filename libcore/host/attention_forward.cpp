// Attention over packed sentences on the CPU; the formulas are in shaders/op_attention.comp.
//
// The scores of a few rows are small products with the packed rows of the other side.
// Test: tests/unit/host/attention_test.cpp, tests/kernels/attention_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>
#include <cmath>

#include "host/attention_groups.hpp"
#include "host/relative_bias.hpp"
#include "host/rows.hpp"
#include "shaders/op_attention.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/attention_forward.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/math-inl.h"
#include "host/philox-inl.h"
#include "host/small_product-inl.h"
#include "host/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

constexpr float kLowest = -1e30F;  // instead of −∞, so that no difference is NaN

/// One head of a group of queries, its packed keys, its values, and the weights of one tile.
template <class Arguments>
class Forward {
 public:
  Forward(const Arguments& attention, const RowGroup& group, std::size_t head, float* scratch)
      : t_(attention),
        group_(group),
        head_(head),
        dropout_(dropout_of(attention), head),
        is_small_(group.rows() <= kTileRows),
        keys_(row_stride(group.other_rows())),
        width_(padded(attention.d_v)),
        packed_k_(scratch),
        biases_(attention, group, head, packed_k_ + keys_ * t_.d_k),
        weights_(packed_k_ + keys_ * t_.d_k + GroupBiases<Arguments>::floats(keys_)),
        sums_(weights_ + kMaxTileRows * weights_stride()) {
    if (!is_small_) pack_transposed(packed_from(t_.k, t_.d_k), packed_k_, keys_);
    const PackedFrom values = packed_from(t_.v, t_.d_v);
    if (is_small_ && width_ == t_.d_v) {
      v_ = values.values;
      v_stride_ = values.stride;
      return;
    }
    float* const packed = sums_ + kMaxTileRows * width_;
    pack_rows(values, packed, width_);
    v_ = packed;
    v_stride_ = width_;
  }

  void run() {
    for (std::size_t row = group_.first; row < group_.end;) {
      const std::size_t rows = rows_of_tile(group_.end - row);
      attend(row, rows);
      row += rows;
    }
  }

 private:
  /// The place of this head in row `row` of a matrix with `width` columns for each head.
  std::size_t at(std::size_t row, std::size_t width) const {
    return (row * t_.heads + head_) * width;
  }
  /// The rows of the keys of the group.
  PackedFrom packed_from(const float* values, std::size_t width) const {
    return {values + at(group_.begin_other, width), t_.heads * width, group_.other_rows(), width};
  }
  /// The last block of a row of weights may begin anywhere.
  std::size_t weights_stride() const { return keys_ + kBlockRows; }

  /// The first key of a row and the end of its keys, counted from the group's first one.
  std::size_t begin_of(std::size_t row) const {
    return t_.key_ranges[2 * row] - group_.begin_other;
  }
  std::size_t end_of(std::size_t row) const {
    return std::max(t_.key_ranges[2 * row], t_.key_ranges[2 * row + 1]) - group_.begin_other;
  }

  void attend(std::size_t first, std::size_t rows) {
    std::size_t begin = keys_, end = 0;
    for (std::size_t row = first; row < first + rows; ++row) {
      begin = std::min(begin, begin_of(row));
      end = std::max(end, end_of(row));
    }
    begin = begin / kBlockRows * kBlockRows;
    multiply_keys(first, rows, begin, end);
    HWY_ALIGN float maxima[kBlockRows] = {};
    HWY_ALIGN float sums[kBlockRows] = {};
    HWY_ALIGN float inverses[kBlockRows];
    for (std::size_t i = 0; i < rows; ++i) {
      float* const scores = weights_ + i * weights_stride();
      std::fill(scores + begin, scores + begin_of(first + i), 0.0F);
      maxima[i] = scale(first + i, scores, end);
      sums[i] = exponentiate(first + i, scores, end, maxima[i]);
    }
    finish(first, rows, {maxima, sums, inverses});
    multiply_small(rows, {.a = weights_ + begin,
                          .a_stride = weights_stride(),
                          .b = v_ + begin * v_stride_,
                          .b_stride = v_stride_,
                          .c = sums_,
                          .c_stride = width_,
                          .inner = end - begin,
                          .columns = width_});
    for (std::size_t i = 0; i < rows; ++i) {
      float* const y = t_.y + at(first + i, t_.d_v);
      const float* const sum = sums_ + i * width_;
      for_vectors(t_.d_v, [&](auto d, std::size_t j) HWY_ATTR {
        hn::StoreU(hn::Mul(hn::LoadU(d, sum + j), hn::Set(d, inverses[i])), d, y + j);
      });
    }
  }

  /// Computes the products of rows with keys from `begin` on, a multiple of kBlockRows.
  HWY_INLINE void multiply_keys(std::size_t first, std::size_t rows, std::size_t begin,
                                std::size_t end) {
    const float* const q = t_.q + at(first, t_.d_k);
    const std::size_t stride = t_.heads * t_.d_k;
    if (is_small_) {
      PackedFrom keys = packed_from(t_.k, t_.d_k);
      keys.values += begin * keys.stride;
      keys.rows = end - begin;
      multiply_transposed(rows, {q, stride, keys, weights_ + begin, weights_stride()});
      return;
    }
    multiply_small(rows, {.a = q,
                          .a_stride = stride,
                          .b = packed_k_ + begin,
                          .b_stride = keys_,
                          .c = weights_ + begin,
                          .c_stride = weights_stride(),
                          .inner = t_.d_k,
                          .columns = padded(end - begin)});
  }

  /// The part of a vector of a row's scores, from its first key on, that has keys of the row.
  HWY_INLINE hn::Mask<Floats> is_key(std::size_t row, std::size_t i) const {
    const std::size_t keys = end_of(row), n = hn::Lanes(Floats());
    return hn::FirstN(Floats(), std::min(n, keys - std::min(i, keys)));
  }

  /// Divides scores by √d_k and adds their biases; those after the keys of the row become the
  /// lowest.  Returns the maximum.  Blocks begin at the first key of the row, so that the bytes do
  /// not depend on the group.
  HWY_INLINE float scale(std::size_t row, float* scores, std::size_t end) {
    const Floats d;
    const auto root = hn::Set(d, 1.0F / std::sqrt(static_cast<float>(t_.d_k)));
    auto best = hn::Set(d, kLowest);
    for (std::size_t i = begin_of(row); i < end; i += hn::Lanes(d)) {
      auto value = hn::Mul(hn::LoadU(d, scores + i), root);
      if constexpr (kHasBias<Arguments>) value = hn::Add(value, hn::LoadU(d, biases_.of(row, i)));
      const auto score = hn::IfThenElse(is_key(row, i), value, hn::Set(d, kLowest));
      hn::StoreU(score, d, scores + i);
      best = hn::Max(best, score);
    }
    return hn::GetLane(hn::MaxOfLanes(d, best));
  }

  /// Scores become exponentials, with dropout, and 0 after the keys of the row.  Returns their sum
  /// without dropout.
  HWY_INLINE float exponentiate(std::size_t row, float* scores, std::size_t end, float maximum) {
    SixteenSums sums;
    for (std::size_t block = begin_of(row); block < end; block += kBlockRows) {
      sums.add([&](Floats d, std::size_t i) HWY_ATTR {
        const std::size_t key = block + i;
        const auto difference = hn::Sub(hn::LoadU(d, scores + key), hn::Set(d, maximum));
        const auto power = hn::IfThenElseZero(is_key(row, key), exponential(d, difference));
        hn::StoreU(dropout_.drops() ? hn::Mul(power, factors(row, key)) : power, d, scores + key);
        return power;
      });
    }
    return sums.total();
  }

  /// Numbers of the rows of a tile, whole vectors.
  struct TileSums {
    const float* maxima;
    const float* sums;
    float* inverses;
  };

  /// Stores log_sum_exp and the reciprocals of the sums, which are 0 for rows without keys.
  HWY_INLINE void finish(std::size_t first, std::size_t rows, const TileSums& tile) {
    const Floats d;
    HWY_ALIGN float logs[kBlockRows];
    for (std::size_t i = 0; i < rows; i += hn::Lanes(d)) {
      const auto maximum = hn::Load(d, tile.maxima + i), sum = hn::Load(d, tile.sums + i);
      const auto has_keys = hn::Gt(sum, hn::Zero(d));
      hn::Store(hn::IfThenElseZero(has_keys, hn::Div(hn::Set(d, 1.0F), sum)), d, tile.inverses + i);
      // −1 / sum is −∞ without keys, and NaN for NaN.
      const auto log = hn::IfThenElse(has_keys, hn::Log(d, sum), hn::Div(hn::Set(d, -1.0F), sum));
      hn::Store(hn::Add(maximum, log), d, logs + i);
    }
    for (std::size_t i = 0; i < rows; ++i) t_.log_sum_exp[at(first + i, 1)] = logs[i];
  }

  HWY_INLINE FloatVector factors(std::size_t row, std::size_t key) const {
    return dropout_.factors<true>(t_.rows_count.first() + row,
                                  t_.other_rows_count.first() + group_.begin_other + key);
  }

  const Arguments& t_;
  const RowGroup& group_;
  const std::size_t head_;
  const WeightDropout dropout_;
  const bool is_small_;      // keys and values are read too seldom for a copy
  const std::size_t keys_;   // row_stride()
  const std::size_t width_;  // of values, padded
  float* const packed_k_;    // (d_k, keys_)
  const GroupBiases<Arguments> biases_;
  float* const weights_;  // (kMaxTileRows, weights_stride())
  float* const sums_;     // (kMaxTileRows, width_)
  const float* v_;        // (keys, width_), packed or in place
  std::size_t v_stride_;
};

void attend(const Attention& attention, const RowGroup& group, std::size_t head, float* scratch) {
  Forward(attention, group, head, scratch).run();
}

void attend_biased(const AttentionBiased& attention, const RowGroup& group, std::size_t head,
                   float* scratch) {
  Forward(attention, group, head, scratch).run();
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(attend);
HWY_EXPORT(attend_biased);

namespace {

/// Calls body(group, head, scratch) for all groups of queries.
template <class Arguments, class Body>
void for_queries(ThreadPool& pool, const Arguments& attention, const Body& body) {
  const std::size_t heads = attention.heads, d_k = attention.d_k, d_v = attention.d_v;
  const auto groups = groups_of(attention.key_ranges, attention.rows_count.rows());
  const AttentionWork work{
      .heads = heads,
      .width = d_k + d_v,
      .scratch = d_k + padded(d_v) + kMaxTileRows + GroupBiases<Arguments>::kScratch,
      .extra = kMaxTileRows * (padded(d_v) + kBlockRows) + GroupBiases<Arguments>::kExtra};
  for_groups(pool, groups, work, body);
}

}  // namespace

void attention(ThreadPool& pool, const Attention& attention) {
  for_queries(pool, attention, [&](const RowGroup& group, std::size_t head, float* scratch) {
    HWY_DYNAMIC_DISPATCH(attend)(attention, group, head, scratch);
  });
}

void attention_biased(ThreadPool& pool, const AttentionBiased& attention) {
  for_queries(pool, attention, [&](const RowGroup& group, std::size_t head, float* scratch) {
    HWY_DYNAMIC_DISPATCH(attend_biased)(attention, group, head, scratch);
  });
}

}  // namespace awend::host
#endif

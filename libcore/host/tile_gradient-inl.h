// Weights and score gradients of attention in tiles, for its gradients; included once for each
// instruction set, after Highway's headers.
#if defined(AWEND_HOST_TILE_GRADIENT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef AWEND_HOST_TILE_GRADIENT_INL
#undef AWEND_HOST_TILE_GRADIENT_INL
#else
#define AWEND_HOST_TILE_GRADIENT_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "host/attention_groups.hpp"
#include "host/math-inl.h"
#include "host/philox-inl.h"
#include "host/relative_bias.hpp"
#include "host/small_product-inl.h"
#include "shaders/op_attention_backward.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {

/// A matrix with `width` columns for each head.
struct HeadMatrix {
  const float* values;
  std::size_t width;
};

/// One side of the scores: queries with dy, or keys with values.
struct Side {
  HeadMatrix k;
  HeadMatrix v;
};

/// One head of a group of rows, its packed other rows, and the weights of one tile.  The rows are
/// queries and the other rows keys, or the other way round.  Arguments are those of
/// attention_backward_query() or attention_backward_key(), of the same with biases, or of
/// attention_bias().
template <class Arguments>
class TileGradient {
  static constexpr bool kRowsAreQueries = host::kRowsAreQueries<Arguments>;
  // The gradient of a score itself, and not of the product q · k.
  static constexpr bool kOfScores = requires(const Arguments& in) { in.sums; };

 public:
  TileGradient(const Arguments& in, const RowGroup& group, std::size_t head, float* scratch)
      : in_(in),
        group_(group),
        head_(head),
        dropout_(dropout_of(in), head),
        other_rows_(row_stride(group.other_rows())),
        k_width_(padded(in.d_k)),
        v_width_(padded(in.d_v)),
        own_(kRowsAreQueries ? queries() : keys()),
        k_columns_(scratch),
        v_columns_(k_columns_ + other_rows_ * in.d_k),
        k_rows_(v_columns_ + other_rows_ * in.d_v),
        v_rows_(k_rows_ + other_rows_ * k_width_),
        weights_(v_rows_ + other_rows_ * v_width_),
        score_gradients_(weights_ + kMaxTileRows * other_rows_),
        log_sums_(score_gradients_ + kMaxTileRows * other_rows_),
        deltas_(log_sums_ + other_rows_),
        biases_(in, group, head, deltas_ + other_rows_),
        sums_(deltas_ + other_rows_ + GroupBiases<Arguments>::floats(other_rows_)) {
    const Side other = kRowsAreQueries ? keys() : queries();
    pack_transposed(packed_from(other.k), k_columns_, other_rows_);
    pack_transposed(packed_from(other.v), v_columns_, other_rows_);
    pack_rows(packed_from(other.k), k_rows_, k_width_);
    if (!kRowsAreQueries) pack_rows(packed_from(other.v), v_rows_, v_width_);
  }

  /// The place of this head in row `row` of a matrix with `width` columns for each head.
  std::size_t at(std::size_t row, std::size_t width) const {
    return (row * in_.heads + head_) * width;
  }

  /// Copies log_sum_exp and the delta of each other row, if these are queries.
  void set_other_rows(const float* log_sums, const float* deltas) {
    for (std::size_t i = 0; i < other_rows_; ++i) {
      const bool exists = i < group_.other_rows();
      log_sums_[i] = exists ? log_sums[at(group_.begin_other + i, 1)] : 0;
      deltas_[i] = exists ? deltas[at(group_.begin_other + i, 1)] : 0;
    }
  }

  /// Some rows, and their other rows, counted from the first of the group.
  struct Tile {
    std::size_t first, rows;
    std::size_t begin;  // a multiple of kBlockRows
    std::size_t end;
  };

  /// Computes the weights and score gradients of a tile.  `deltas`, of its rows, only if these are
  /// queries.
  Tile score(std::size_t first, std::size_t rows, const float* deltas) {
    const Tile tile = tile_of(first, rows);
    const auto multiply = [&](const HeadMatrix& own, const float* columns, float* to) HWY_ATTR {
      multiply_small(rows, {.a = own.values + at(first, own.width),
                            .a_stride = in_.heads * own.width,
                            .b = columns + tile.begin,
                            .b_stride = other_rows_,
                            .c = to + tile.begin,
                            .c_stride = other_rows_,
                            .inner = own.width,
                            .columns = padded(tile.end - tile.begin)});
    };
    multiply(own_.k, k_columns_, weights_);
    multiply(own_.v, v_columns_, score_gradients_);
    for (std::size_t i = 0; i < rows; ++i) weigh(tile, i, kRowsAreQueries ? deltas[i] : 0);
    return tile;
  }

  /// The score gradients of row `i` of the tile by other row, counted from the first of the group.
  const float* score_gradients(std::size_t i) const { return score_gradients_ + i * other_rows_; }
  /// The first other row of a row and the end of its other rows, counted from the group's first
  /// one.
  std::size_t begin_of(std::size_t row) const { return in_.ranges[2 * row] - group_.begin_other; }
  std::size_t end_of(std::size_t row) const {
    return std::max(in_.ranges[2 * row], in_.ranges[2 * row + 1]) - group_.begin_other;
  }
  /// The position of the key minus that of the query, for a row and an other row of the group.
  std::ptrdiff_t distance(std::size_t row, std::size_t other) const {
    const auto own = static_cast<std::ptrdiff_t>(in_.rows_count.first() + row);
    const auto place = static_cast<std::ptrdiff_t>(in_.other_rows_count.first() +
                                                   group_.begin_other + other);
    return kRowsAreQueries ? place - own : own - place;
  }

  /// Stores Σ score gradients · k of the other rows in `out`, which has d_k columns for each head.
  void store_k(const Tile& tile, float* out) {
    store(tile, score_gradients_, k_rows_, {out, in_.d_k, k_width_});
  }
  /// Stores Σ weights · v of the other rows.
  void store_v(const Tile& tile, float* out) {
    store(tile, weights_, v_rows_, {out, in_.d_v, v_width_});
  }

 private:
  struct Result {
    float* values;
    std::size_t width, padded_width;
  };

  Side queries() const { return {{in_.q, in_.d_k}, {in_.dy, in_.d_v}}; }
  Side keys() const { return {{in_.k, in_.d_k}, {in_.v, in_.d_v}}; }

  /// The rows of the other side.
  PackedFrom packed_from(const HeadMatrix& matrix) const {
    return {matrix.values + at(group_.begin_other, matrix.width), in_.heads * matrix.width,
            group_.other_rows(), matrix.width};
  }

  Tile tile_of(std::size_t first, std::size_t rows) const {
    Tile tile{first, rows, other_rows_, 0};
    for (std::size_t row = first; row < first + rows; ++row) {
      tile.begin = std::min(tile.begin, begin_of(row));
      tile.end = std::max(tile.end, end_of(row));
    }
    tile.begin = tile.begin / kBlockRows * kBlockRows;
    return tile;
  }

  /// Scores of row `i` of the tile become weights with dropout, and products with v become score
  /// gradients.
  void weigh(const Tile& tile, std::size_t i, float delta) {
    const std::size_t row = tile.first + i;
    const Floats d;
    const std::size_t n = hn::Lanes(d);
    float* const weights = weights_ + i * other_rows_;
    float* const score_gradients = score_gradients_ + i * other_rows_;
    const auto root = hn::Set(d, 1.0F / std::sqrt(static_cast<float>(in_.d_k)));
    const auto log_sum = hn::Set(d, kRowsAreQueries ? in_.log_sum_exp[at(row, 1)] : 0);
    const std::size_t begin = begin_of(row), end = end_of(row);
    for (std::size_t j = tile.begin; j < padded(tile.end); j += n) {
      const auto before = hn::FirstN(d, std::min(n, begin - std::min(begin, j)));
      const auto up_to = hn::FirstN(d, std::min(n, end - std::min(end, j)));
      const auto is_other = hn::AndNot(before, up_to);
      const auto shift = kRowsAreQueries ? log_sum : hn::LoadU(d, log_sums_ + j);
      auto score = hn::MulSub(hn::LoadU(d, weights + j), root, shift);
      if constexpr (kHasBias<Arguments>) score = hn::Add(score, hn::LoadU(d, biases_.of(row, j)));
      const auto power = hn::IfThenElseZero(is_other, exponential(d, score));
      const auto factor = dropout_.drops() ? factors(row, j) : hn::Set(d, 1.0F);
      const auto mean = kRowsAreQueries ? hn::Set(d, delta) : hn::LoadU(d, deltas_ + j);
      const auto change = hn::MulSub(hn::LoadU(d, score_gradients + j), factor, mean);
      hn::StoreU(hn::Mul(power, factor), d, weights + j);
      const auto gradient =
          kOfScores ? hn::Mul(power, change) : hn::Mul(hn::Mul(power, change), root);
      hn::StoreU(hn::IfThenElseZero(is_other, gradient), d, score_gradients + j);
    }
  }

  HWY_INLINE FloatVector factors(std::size_t row, std::size_t j) const {
    const std::size_t own = in_.rows_count.first() + row;
    const std::size_t other = in_.other_rows_count.first() + group_.begin_other + j;
    return dropout_.factors<kRowsAreQueries>(kRowsAreQueries ? own : other,
                                             kRowsAreQueries ? other : own);
  }

  void store(const Tile& tile, const float* factors, const float* rows, const Result& out) {
    multiply_small(tile.rows, {.a = factors + tile.begin,
                               .a_stride = other_rows_,
                               .b = rows + tile.begin * out.padded_width,
                               .b_stride = out.padded_width,
                               .c = sums_,
                               .c_stride = out.padded_width,
                               .inner = tile.end - tile.begin,
                               .columns = out.padded_width});
    for (std::size_t i = 0; i < tile.rows; ++i) {
      std::copy_n(sums_ + i * out.padded_width, out.width,
                  out.values + at(tile.first + i, out.width));
    }
  }

  const Arguments& in_;
  const RowGroup& group_;
  const std::size_t head_;
  const WeightDropout dropout_;
  const std::size_t other_rows_;  // row_stride()
  const std::size_t k_width_;     // of the other rows, padded
  const std::size_t v_width_;
  const Side own_;
  float* const k_columns_;        // (d_k, other_rows_)
  float* const v_columns_;        // (d_v, other_rows_)
  float* const k_rows_;           // (other_rows_, k_width_)
  float* const v_rows_;           // (other_rows_, v_width_)
  float* const weights_;          // (kMaxTileRows, other_rows_)
  float* const score_gradients_;  // (kMaxTileRows, other_rows_)
  float* const log_sums_;         // (other_rows_), if these are queries
  float* const deltas_;           // (other_rows_), if these are queries
  const GroupBiases<Arguments> biases_;
  float* const sums_;             // (kMaxTileRows, k_width_ or v_width_)
};

}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// Weights and slopes of attention in tiles, for its gradients; included once for each instruction
// set, after Highway's headers.
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
#include <type_traits>

#include "host/attention_groups.hpp"
#include "host/math-inl.h"
#include "host/philox-inl.h"
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

/// One head of a group of rows, its packed partners, and the weights of one tile.  The rows are
/// queries and the partners keys, or the other way round.  Arguments are those of
/// attention_backward_query() or attention_backward_key().
template <class Arguments>
class TileGradient {
  static constexpr bool kRowsAreQueries = std::is_same_v<Arguments, AttentionBackwardQuery>;

 public:
  TileGradient(const Arguments& in, const RowGroup& group, std::size_t head, float* scratch)
      : in_(in),
        group_(group),
        head_(head),
        dropout_(dropout_of(in), head),
        partners_(row_stride(group.partners())),
        k_width_(padded(in.d_k)),
        v_width_(padded(in.d_v)),
        own_(kRowsAreQueries ? queries() : keys()),
        k_columns_(scratch),
        v_columns_(k_columns_ + partners_ * in.d_k),
        k_rows_(v_columns_ + partners_ * in.d_v),
        v_rows_(k_rows_ + partners_ * k_width_),
        weights_(v_rows_ + partners_ * v_width_),
        slopes_(weights_ + kMaxTileRows * partners_),
        log_sums_(slopes_ + kMaxTileRows * partners_),
        deltas_(log_sums_ + partners_),
        sums_(deltas_ + partners_) {
    const Side partner = kRowsAreQueries ? keys() : queries();
    pack_transposed(packed_from(partner.k), k_columns_, partners_);
    pack_transposed(packed_from(partner.v), v_columns_, partners_);
    pack_rows(packed_from(partner.k), k_rows_, k_width_);
    if (!kRowsAreQueries) pack_rows(packed_from(partner.v), v_rows_, v_width_);
  }

  /// The place of this head in row `row` of a matrix with `width` columns for each head.
  std::size_t at(std::size_t row, std::size_t width) const {
    return (row * in_.heads + head_) * width;
  }

  /// Copies log_sum_exp and the delta of each partner, if these are queries.
  void set_partners(const float* log_sums, const float* deltas) {
    for (std::size_t i = 0; i < partners_; ++i) {
      const bool exists = i < group_.partners();
      log_sums_[i] = exists ? log_sums[at(group_.begin_partner + i, 1)] : 0;
      deltas_[i] = exists ? deltas[at(group_.begin_partner + i, 1)] : 0;
    }
  }

  /// Some rows, and their partners, counted from the first of the group.
  struct Tile {
    std::size_t first, rows;
    std::size_t begin;  // a multiple of kPartners
    std::size_t end;
  };

  /// Computes the weights and slopes of a tile.  `deltas`, of its rows, only if these are queries.
  Tile score(std::size_t first, std::size_t rows, const float* deltas) {
    const Tile tile = tile_of(first, rows);
    const auto multiply = [&](const HeadMatrix& own, const float* columns, float* to) HWY_ATTR {
      multiply_small(rows, {.a = own.values + at(first, own.width),
                            .a_stride = in_.heads * own.width,
                            .b = columns + tile.begin,
                            .b_stride = partners_,
                            .c = to + tile.begin,
                            .c_stride = partners_,
                            .inner = own.width,
                            .columns = padded(tile.end - tile.begin)});
    };
    multiply(own_.k, k_columns_, weights_);
    multiply(own_.v, v_columns_, slopes_);
    for (std::size_t i = 0; i < rows; ++i) weigh(tile, i, kRowsAreQueries ? deltas[i] : 0);
    return tile;
  }

  /// Stores Σ slopes · k of the partners in `out`, which has d_k columns for each head.
  void store_k(const Tile& tile, float* out) {
    store(tile, slopes_, k_rows_, {out, in_.d_k, k_width_});
  }
  /// Stores Σ weights · v of the partners.
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

  /// The rows of the partners of the group.
  PackedFrom packed_from(const HeadMatrix& matrix) const {
    return {matrix.values + at(group_.begin_partner, matrix.width), in_.heads * matrix.width,
            group_.partners(), matrix.width};
  }

  /// The first partner of a row and the end of its partners, counted from the group's first one.
  std::size_t begin_of(std::size_t row) const { return in_.ranges[2 * row] - group_.begin_partner; }
  std::size_t end_of(std::size_t row) const {
    return std::max(in_.ranges[2 * row], in_.ranges[2 * row + 1]) - group_.begin_partner;
  }

  Tile tile_of(std::size_t first, std::size_t rows) const {
    Tile tile{first, rows, partners_, 0};
    for (std::size_t row = first; row < first + rows; ++row) {
      tile.begin = std::min(tile.begin, begin_of(row));
      tile.end = std::max(tile.end, end_of(row));
    }
    tile.begin = tile.begin / kPartners * kPartners;
    return tile;
  }

  /// Scores of row `i` of the tile become weights with dropout, and products with v become slopes.
  void weigh(const Tile& tile, std::size_t i, float delta) {
    const std::size_t row = tile.first + i;
    const Floats d;
    const std::size_t n = hn::Lanes(d);
    float* const weights = weights_ + i * partners_;
    float* const slopes = slopes_ + i * partners_;
    const auto root = hn::Set(d, 1.0F / std::sqrt(static_cast<float>(in_.d_k)));
    const auto log_sum = hn::Set(d, kRowsAreQueries ? in_.log_sum_exp[at(row, 1)] : 0);
    const std::size_t begin = begin_of(row), end = end_of(row);
    for (std::size_t j = tile.begin; j < padded(tile.end); j += n) {
      const auto before = hn::FirstN(d, std::min(n, begin - std::min(begin, j)));
      const auto up_to = hn::FirstN(d, std::min(n, end - std::min(end, j)));
      const auto is_partner = hn::AndNot(before, up_to);
      const auto shift = kRowsAreQueries ? log_sum : hn::LoadU(d, log_sums_ + j);
      const auto score = hn::MulSub(hn::LoadU(d, weights + j), root, shift);
      const auto power = hn::IfThenElseZero(is_partner, exponential(d, score));
      const auto factor = dropout_.drops() ? factors(row, j) : hn::Set(d, 1.0F);
      const auto mean = kRowsAreQueries ? hn::Set(d, delta) : hn::LoadU(d, deltas_ + j);
      const auto change = hn::MulSub(hn::LoadU(d, slopes + j), factor, mean);
      hn::StoreU(hn::Mul(power, factor), d, weights + j);
      const auto slope = hn::Mul(hn::Mul(power, change), root);
      hn::StoreU(hn::IfThenElseZero(is_partner, slope), d, slopes + j);
    }
  }

  HWY_INLINE FloatVector factors(std::size_t row, std::size_t j) const {
    const std::size_t own = in_.rows_count.first() + row;
    const std::size_t partner = in_.partners_count.first() + group_.begin_partner + j;
    return dropout_.factors<kRowsAreQueries>(kRowsAreQueries ? own : partner,
                                             kRowsAreQueries ? partner : own);
  }

  void store(const Tile& tile, const float* factors, const float* rows, const Result& out) {
    multiply_small(tile.rows, {.a = factors + tile.begin,
                               .a_stride = partners_,
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
  const std::size_t partners_;  // row_stride()
  const std::size_t k_width_;   // of partners, padded
  const std::size_t v_width_;
  const Side own_;
  float* const k_columns_;  // (d_k, partners_)
  float* const v_columns_;  // (d_v, partners_)
  float* const k_rows_;     // (partners_, k_width_)
  float* const v_rows_;     // (partners_, v_width_)
  float* const weights_;    // (kMaxTileRows, partners_)
  float* const slopes_;     // (kMaxTileRows, partners_)
  float* const log_sums_;   // (partners_), if these are queries
  float* const deltas_;     // (partners_), if these are queries
  float* const sums_;       // (kMaxTileRows, k_width_ or v_width_)
};

}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

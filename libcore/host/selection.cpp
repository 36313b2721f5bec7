// Distributions over a vocabulary on the CPU: the most probable tokens, samples, mixtures.
//
// Columns of logits from `vocabulary` on are padding.  The rules are those of
// shaders/op_top_k.comp, op_sample.comp and op_mixture.comp.
// Test: tests/unit/host/operations_test.cpp, tests/kernels/decoding_test.cpp, sampling_test.cpp,
// mixture_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "host/rows.hpp"
#include "shaders/op_mixture.h"
#include "shaders/op_sample.h"
#include "shaders/op_top_k.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/selection.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

constexpr float kLowest = -3e38F;

template <class Arguments>
std::span<const float> row_of(const Arguments& t, std::size_t row) {
  return {t.logits + row * t.columns, t.vocabulary};
}

/// The best entries so far, in order.
struct Best {
  std::uint32_t* ids;
  float* values;
  std::size_t k;

  /// Inserts an entry that is better than the last one; entries come with rising ids.
  void insert(float value, std::size_t id) const {
    std::size_t place = k - 1;
    for (; place > 0 && value > values[place - 1]; --place) {
      values[place] = values[place - 1];
      ids[place] = ids[place - 1];
    }
    values[place] = value;
    ids[place] = static_cast<std::uint32_t>(id);
  }
};

void find_best(std::span<const float> logits, const Best& best) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d);
  const float& last = best.values[best.k - 1];
  std::size_t i = 0;
  for (; i + n <= logits.size(); i += n) {
    const auto values = hn::LoadU(d, logits.data() + i);
    auto better = hn::Gt(values, hn::Set(d, last));
    for (auto first = hn::FindFirstTrue(d, better); first >= 0;
         first = hn::FindFirstTrue(d, better)) {
      const auto place = static_cast<std::size_t>(first);
      best.insert(logits[i + place], i + place);
      better = hn::AndNot(hn::FirstN(d, place + 1), hn::Gt(values, hn::Set(d, last)));
    }
  }
  for (; i < logits.size(); ++i) {
    if (logits[i] > last) best.insert(logits[i], i);
  }
}

void select(const TopK& top, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) {
    const auto logits = row_of(top, row);
    const Best best{top.ids + row * top.k, top.log_probabilities + row * top.k, top.k};
    std::fill_n(best.ids, top.k, NO_TOKEN);
    std::fill_n(best.values, top.k, kLowest);
    find_best(logits, best);
    const float maximum = best.values[0];
    const float log_sum = log_sum_exp(logits, maximum);
    const std::uint32_t forced = top.forced_id[row];
    if (forced != NO_TOKEN) {
      std::fill_n(best.ids, top.k, NO_TOKEN);
      std::fill_n(best.values, top.k, logits[forced]);
      best.ids[0] = forced;
    }
    for (std::size_t i = 0; i < top.k; ++i) best.values[i] = best.values[i] - maximum - log_sum;
  }
}

void mix_rows(const Mixture& t, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) {
    const auto logits = row_of(t, row);
    const float maximum = max_of(logits);
    const float log_sum = log_sum_exp(logits, maximum);
    float* const mixture = t.mixture + row * t.columns;
    for_vectors(t.columns, [&](auto d, std::size_t i) HWY_ATTR {
      const auto log_p = hn::Sub(hn::Sub(hn::LoadU(d, logits.data() + i), hn::Set(d, maximum)),
                                 hn::Set(d, log_sum));
      const auto weight = hn::Set(d, t.weight);
      auto mixed = t.linear != 0 ? hn::Add(weight, log_p) : hn::Mul(weight, log_p);
      if (t.first == 0) {
        const auto before = hn::LoadU(d, mixture + i);
        if (t.linear == 0) {
          mixed = hn::Add(before, mixed);
        } else {
          // ln(eᵃ + eᵇ) relative to the larger one, so that no probability underflows.  The
          // difference is NaN if either is, unlike the maximum.
          const auto smaller = exponential(d, hn::Neg(hn::Abs(hn::Sub(before, mixed))));
          const auto more = logarithm(d, hn::Add(hn::Set(d, 1.0F), smaller));
          mixed = hn::Add(hn::Max(before, mixed), more);
        }
      }
      hn::StoreU(mixed, d, mixture + i);
    });
  }
}

/// Weights of tokens in falling order of probability: exp((logit − maximum) / temperature).
void weigh(std::span<float> logits, float maximum, float inverse_temperature) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d);
  const auto weight = [&](auto vector) HWY_ATTR {
    return exponential(
        d, hn::Mul(hn::Sub(vector, hn::Set(d, maximum)), hn::Set(d, inverse_temperature)));
  };
  std::size_t i = 0;
  for (; i + n <= logits.size(); i += n)
    hn::StoreU(weight(hn::LoadU(d, logits.data() + i)), d, logits.data() + i);
  for (; i < logits.size(); ++i) logits[i] = hn::GetLane(weight(hn::Set(d, logits[i])));
}

/// Values become their logarithms.
void take_logarithms(std::span<float> values) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + n <= values.size(); i += n)
    hn::StoreU(logarithm(d, hn::LoadU(d, values.data() + i)), d, values.data() + i);
  for (; i < values.size(); ++i) values[i] = hn::GetLane(logarithm(d, hn::Set(d, values[i])));
}

float log_sum_of(std::span<const float> logits, float maximum) {
  return log_sum_exp(logits, maximum);
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(select);
HWY_EXPORT(mix_rows);
HWY_EXPORT(weigh);
HWY_EXPORT(take_logarithms);
HWY_EXPORT(log_sum_of);

namespace {

// exp() and log() of a float take about as long as reading this many.
constexpr std::size_t kFloatsOfExp = 8;

/// The tokens that may be sampled, in falling order of logit and rising order of id, if not all.
std::vector<std::uint32_t> candidates_of(const Sample& t, std::span<const float> logits,
                                         float maximum) {
  std::vector<std::uint32_t> ids(logits.size());
  std::iota(ids.begin(), ids.end(), 0U);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return logits[a] > logits[b] || (logits[a] == logits[b] && a < b);
  };
  const std::size_t kept = std::min(t.top_k, ids.size());
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(kept), ids.end(),
                    before);
  ids.resize(kept);
  if (t.top_p >= 1) return ids;
  std::vector<float> weights(kept);
  for (std::size_t i = 0; i < kept; ++i) weights[i] = logits[ids[i]];
  HWY_DYNAMIC_DISPATCH(weigh)(weights, maximum, t.inverse_temperature);
  const double target = double{t.top_p} * std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  std::size_t count = 0;
  while (count < kept && sum < target) sum += weights[count++];
  ids.resize(std::max<std::size_t>(count, 1));
  return ids;
}

/// Exponential random numbers of all tokens, precise for small values.
std::vector<float> exponentials(std::size_t count, base::PhiloxKey key) {
  std::vector<float> ones(count), values(count);
  for (std::size_t i = 0; i < count; i += 4) {
    const auto words = base::philox({static_cast<std::uint32_t>(i / 4), 0, 0, 0}, key);
    for (std::size_t c = 0; c < 4 && i + c < count; ++c) {
      const float v = (static_cast<float>(words[c]) + 0.5F) / 4294967296.0F;
      values[i + c] = v;
      ones[i + c] = std::max(1 - v, 1e-9F);
    }
  }
  HWY_DYNAMIC_DISPATCH(take_logarithms)(ones);
  for (std::size_t i = 0; i < count; ++i) {
    const float v = values[i];
    values[i] = v < 1.0F / 4096 ? v + 0.5F * v * v : -ones[i];
  }
  return values;
}

constexpr float kNever = -std::numeric_limits<float>::infinity();

/// The token with the largest z − ln E (Gumbel's trick), the lowest id of equal ones.
std::uint32_t sampled_token(const Sample& t, std::size_t row, std::span<const float> logits,
                            float maximum) {
  auto noise = exponentials(logits.size(), {t.keys[2 * row], t.keys[2 * row + 1]});
  HWY_DYNAMIC_DISPATCH(take_logarithms)(noise);
  std::uint32_t best = NO_TOKEN;
  float best_score = -3e38F;
  const auto consider = [&](std::uint32_t id) {
    const float score = (logits[id] - maximum) * t.inverse_temperature - noise[id];
    if (score < best_score || (score == best_score && id > best)) return;
    best = id;
    best_score = score;
  };
  if (t.top_k >= logits.size() && t.top_p >= 1) {
    for (std::uint32_t id = 0; id < logits.size(); ++id) consider(id);
  } else {
    for (const std::uint32_t id : candidates_of(t, logits, maximum)) consider(id);
  }
  return best;
}

void sample_row(const Sample& t, std::size_t row) {
  const std::span logits(t.logits + row * t.columns, t.vocabulary);
  const float maximum = *std::ranges::max_element(logits);
  const std::uint32_t forced = t.forced_id[row];
  if (maximum == kNever) {
    t.ids[row] = forced;
    t.log_probabilities[row] = kNever;
    return;
  }
  const std::uint32_t id = forced != NO_TOKEN ? forced : sampled_token(t, row, logits, maximum);
  t.ids[row] = id;
  t.log_probabilities[row] = logits[std::min<std::size_t>(id, logits.size() - 1)] - maximum -
                             HWY_DYNAMIC_DISPATCH(log_sum_of)(logits, maximum);
}

}  // namespace

void top_k(ThreadPool& pool, const TopK& top) {
  for_rows(pool, top.rows_count.rows(), kFloatsOfExp * top.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(select)(top, begin, end);
           });
}

void sample(ThreadPool& pool, const Sample& sample) {
  for_rows(pool, sample.rows_count.rows(), 4 * kFloatsOfExp * sample.columns,
           [&](std::size_t begin, std::size_t end) {
             for (std::size_t row = begin; row < end; ++row) sample_row(sample, row);
           });
}

void mixture(ThreadPool& pool, const Mixture& mixture) {
  for_rows(pool, mixture.rows_count.rows(), 2 * kFloatsOfExp * mixture.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(mix_rows)(mixture, begin, end);
           });
}

}  // namespace awend::host
#endif

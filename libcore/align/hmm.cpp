#include "align/hmm.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace awend::align {

Jumps::Jumps() {
  for (int distance = -kFarthest; distance <= kFarthest; ++distance)
    weights_[index(distance)] = static_cast<float>(std::exp(-0.3 * std::abs(distance - 1)) + 1e-3);
}

void Jumps::estimate(const Counts& counts) {
  double total = 0;
  for (const auto count : counts) total += static_cast<double>(count);
  if (total == 0) return;
  // No distance is impossible.
  for (std::size_t i = 0; i < counts.size(); ++i)
    weights_[i] = static_cast<float>(static_cast<double>(counts[i]) / total + 1e-5);
}

Repetitions::Repetitions(std::size_t source_words)
    : probabilities_(source_words, 0.1F), counts_(source_words) {}

void Repetitions::add(WordId source, double repeated, double all) {
  std::atomic_ref(counts_[source].repeated)
      .fetch_add(to_count(repeated), std::memory_order_relaxed);
  std::atomic_ref(counts_[source].all).fetch_add(to_count(all), std::memory_order_relaxed);
}

void Repetitions::estimate() {
  constexpr double kSmoothing = 5;  // counts of an average word
  double repeated = 0, all = 0;
  for (const auto& counts : counts_) {
    repeated += static_cast<double>(counts.repeated);
    all += static_cast<double>(counts.all);
  }
  const double mean = (repeated + 1) / (all + 10);
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const double own = static_cast<double>(counts_[i].repeated) / kCountUnit;
    const double total = static_cast<double>(counts_[i].all) / kCountUnit;
    probabilities_[i] =
        static_cast<float>(std::clamp((own + kSmoothing * mean) / (total + kSmoothing), 1e-4, 0.9));
    counts_[i] = {};
  }
}

void PairAligner::look_up(const Model& model, SentencePair pair) {
  source_ = pair.source.size();
  target_ = pair.target.size();
  const auto width = source_ + 1;
  places_.resize(target_ * width);
  lexical_.resize(target_ * width);
  links_.resize(target_ * width);
  for (const auto target : pair.target) {
    model.lexicon.prefetch(kNoWord, target);
    for (const auto source : pair.source) model.lexicon.prefetch(source, target);
  }
  for (std::size_t t = 0; t < target_; ++t) {
    auto* place = &places_[t * width];
    auto* probability = &lexical_[t * width];
    place[0] = model.lexicon.find(kNoWord, pair.target[t]);
    for (std::size_t s = 0; s < source_; ++s)
      place[s + 1] = model.lexicon.find(pair.source[s], pair.target[t]);
    for (std::size_t s = 0; s < width; ++s) probability[s] = model.lexicon.probability(place[s]);
  }
}

void PairAligner::compute(const Model& model, SentencePair pair, Positions positions) {
  look_up(model, pair);
  log_probability_ = 0;
  if (positions == Positions::kDiagonal) {
    diagonal(model);
  } else {
    markov(model, pair.source);
  }
}

void PairAligner::diagonal(const Model& model) {
  constexpr double kTension = 4;  // where fast_align begins
  jump_counts_.clear();
  step_counts_.clear();
  weights_.resize(source_);
  for (std::size_t t = 0; t < target_; ++t) {
    const auto* lexical = &lexical_[t * (source_ + 1)];
    auto* link = &links_[t * (source_ + 1)];
    const double place = (static_cast<double>(t) + 0.5) / static_cast<double>(target_);
    double sum = 0;
    for (std::size_t s = 0; s < source_; ++s) {
      const double distance = (static_cast<double>(s) + 0.5) / static_cast<double>(source_) - place;
      weights_[s] = static_cast<float>(std::exp(-kTension * std::abs(distance)));
      sum += weights_[s];
    }
    double total = link[0] = static_cast<float>(model.no_word) * lexical[0];
    for (std::size_t s = 0; s < source_; ++s)
      total += link[s + 1] =
          static_cast<float>((1 - model.no_word) / sum) * weights_[s] * lexical[s + 1];
    for (std::size_t s = 0; s <= source_; ++s) link[s] = static_cast<float>(link[s] / total);
    log_probability_ += std::log(total);
  }
}

// Positions are 0, before the first source word, and those of the source words from 1.  A target
// word that comes from no word keeps the position of the word before it, so that the backward
// probabilities are those of positions, whether linked or not.
void PairAligner::markov(const Model& model, std::span<const WordId> source) {
  const auto l = source_, width = l + 1;
  const auto no_word = static_cast<float>(model.no_word);
  // steps_[l + d]: the weight of a distance; weights_[i]: 1 over the sum of those that are possible
  // from a position.
  steps_.resize(2 * l + 1);
  for (std::size_t i = 0; i <= 2 * l; ++i)
    steps_[i] = model.jumps[static_cast<int>(i) - static_cast<int>(l)];
  weights_.resize(width);
  // A step to the same word has a probability of its own, in again_.
  steps_[l] = 0;
  again_.resize(width);
  for (std::size_t i = 0; i <= l; ++i) {
    float sum = 0;
    for (std::size_t j = 1; j <= l; ++j) sum += steps_[l + j - i];
    const float again = i == 0 ? 0 : sum == 0 ? 1 : model.repetitions[source[i - 1]];
    again_[i] = (1 - no_word) * again;
    weights_[i] = sum == 0 ? 0 : (1 - no_word) * (1 - again) / sum;
  }
  forward_.assign(target_ * width, 0);
  unlinked_.assign(target_ * width, 0);
  backward_.assign(target_ * width, 0);
  scales_.resize(target_);
  ahead_.resize(width);

  for (std::size_t t = 0; t < target_; ++t) {
    const auto* lexical = &lexical_[t * width];
    auto* linked = &forward_[t * width];
    auto* unlinked = &unlinked_[t * width];
    for (std::size_t i = 0; i <= l; ++i) {
      const float before = t == 0 ? (i == 0 ? 1.0F : 0.0F)
                                  : forward_[(t - 1) * width + i] + unlinked_[(t - 1) * width + i];
      if (before == 0) continue;
      unlinked[i] = before * no_word * lexical[0];
      const float weight = before * weights_[i];
      const auto* step = &steps_[l - i];
      for (std::size_t j = 1; j <= l; ++j) linked[j] += weight * step[j];
      linked[i] += before * again_[i];
    }
    float total = unlinked[0];
    for (std::size_t j = 1; j <= l; ++j) {
      linked[j] *= lexical[j];
      total += linked[j] + unlinked[j];
    }
    scales_[t] = 1 / std::max(total, 1e-30F);
    for (std::size_t j = 0; j <= l; ++j) {
      linked[j] *= scales_[t];
      unlinked[j] *= scales_[t];
    }
    log_probability_ -= std::log(static_cast<double>(scales_[t]));
  }

  jump_counts_.assign(2 * l + 1, 0);
  again_counts_.assign(width, 0);
  step_counts_.assign(width, 0);
  for (std::size_t i = 0; i <= l; ++i) backward_[(target_ - 1) * width + i] = 1;
  for (std::size_t t = target_; t-- > 0;) {
    const auto* after = &backward_[t * width];
    auto* link = &links_[t * width];
    float none = 0;
    for (std::size_t j = 0; j <= l; ++j) {
      link[j] = forward_[t * width + j] * after[j];
      none += unlinked_[t * width + j] * after[j];
    }
    link[0] = none;
    const auto* lexical = &lexical_[t * width];
    ahead_[0] = 0;
    for (std::size_t j = 1; j <= l; ++j) ahead_[j] = lexical[j] * after[j] * scales_[t];
    for (std::size_t i = 0; i <= l; ++i) {
      const float before = t == 0 ? (i == 0 ? 1.0F : 0.0F)
                                  : forward_[(t - 1) * width + i] + unlinked_[(t - 1) * width + i];
      const auto* step = &steps_[l - i];
      auto* count = &jump_counts_[l - i];
      const float weight = before * weights_[i];
      float sum = 0;
      for (std::size_t j = 1; j <= l; ++j) {
        const float value = step[j] * ahead_[j];
        sum += value;
        count[j] += weight * value;
      }
      const float again = again_[i] * ahead_[i];
      const float all = weights_[i] * sum + again;
      again_counts_[i] += before * again;
      step_counts_[i] += before * all;
      if (t > 0)
        backward_[(t - 1) * width + i] = all + no_word * lexical[0] * scales_[t] * after[i];
    }
  }
}

void PairAligner::add_counts(SentencePair pair, Lexicon& lexicon, Jumps::Counts& jumps,
                             Repetitions& repetitions) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (links_[i] > 1e-7F) lexicon.add(places_[i], links_[i]);
  }
  const auto l = static_cast<int>(source_);
  for (std::size_t i = 0; i < jump_counts_.size(); ++i)
    jumps[Jumps::index(static_cast<int>(i) - l)] += to_count(jump_counts_[i]);
  for (std::size_t i = 1; i < step_counts_.size(); ++i)
    repetitions.add(pair.source[i - 1], again_counts_[i], step_counts_[i]);
}

}  // namespace awend::align

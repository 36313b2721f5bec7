#include "align/lexicon.hpp"

#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace awend::align {

double exp_digamma(double x) {
  double below = 0;
  for (; x < 7; ++x) below += 1 / x;
  // ln x - 1/2x - 1/12x^2 + 1/120x^4 - 1/252x^6
  const double inverse = 1 / (x * x);
  const double series = inverse * (1.0 / 12 - inverse * (1.0 / 120 - inverse / 252));
  return x * std::exp(-0.5 / x - series - below);
}

Lexicon::Lexicon(std::span<const std::vector<LexiconEntry>> parts, std::size_t source_words)
    : source_words_(source_words) {
  for (const auto& part : parts) size_ += part.size();
  slots_.resize(std::bit_ceil(size_ + size_ / 2 + 1));
  if (slots_.size() >= kNone)
    base::fail("the lexicon has ", size_, " pairs of words, which are too many");
  mask_ = slots_.size() - 1;
  for (const auto& part : parts) {
    for (const auto& entry : part) {
      auto at = home(entry.source, entry.target);
      while (slots_[at].source != kFree) at = (at + 1) & mask_;
      slots_[at] = {.source = entry.source, .target = entry.target, .count = entry.count};
    }
  }
}

void Lexicon::estimate(double alpha, unsigned threads) {
  // Totals of integers: the same in any order.
  std::vector<std::uint64_t> totals(source_words_);
  std::vector<std::uint32_t> pairs(source_words_);
  for (const auto& slot : slots_) {
    if (slot.source == kFree) continue;
    totals[slot.source] += slot.count;
    ++pairs[slot.source];
  }
  base::run_on_threads(threads, [&](unsigned worker) {
    const auto begin = slots_.size() * worker / threads,
               end = slots_.size() * (worker + 1) / threads;
    for (auto& slot : std::span(slots_).subspan(begin, end - begin)) {
      if (slot.source == kFree) continue;
      const double count = static_cast<double>(slot.count) / kCountUnit;
      const double total = static_cast<double>(totals[slot.source]) / kCountUnit;
      double value = 0;
      if (alpha > 0) {
        value = exp_digamma(count + alpha) / exp_digamma(total + alpha * pairs[slot.source]);
      } else if (total > 0) {
        value = count / total;
      }
      slot.probability = std::max(static_cast<float>(value), kLeastProbability);
      slot.count = 0;
    }
  });
}

void Lexicon::prune() {
  constexpr float kImprobable = 2e-9F;
  auto old = std::move(slots_);
  std::erase_if(old, [](const Slot& slot) {
    return slot.source == kFree || (slot.source != kNoWord && slot.probability < kImprobable);
  });
  size_ = old.size();
  slots_ = std::vector<Slot>(std::bit_ceil(2 * size_ + 1));
  mask_ = slots_.size() - 1;
  for (const auto& slot : old) {
    auto at = home(slot.source, slot.target);
    while (slots_[at].source != kFree) at = (at + 1) & mask_;
    slots_[at] = slot;
  }
}

std::vector<LexiconEntry> Lexicon::counts() const {
  std::vector<LexiconEntry> entries;
  for (const auto& slot : slots_) {
    if (slot.source != kFree && slot.count > 0)
      entries.push_back({slot.source, slot.target, slot.count});
  }
  return entries;
}

}  // namespace awend::align

#include "decode/answer_span.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace awend::decode {
namespace {

constexpr std::size_t kEnds = 2;

/// ln Σ exp over all places of the first or the last token.
double log_sum(std::span<const float> logits, std::size_t end) {
  double maximum = logits[end], sum = 0;
  for (std::size_t i = end; i < logits.size(); i += kEnds)
    maximum = std::max(maximum, double{logits[i]});
  for (std::size_t i = end; i < logits.size(); i += kEnds) sum += std::exp(logits[i] - maximum);
  return maximum + std::log(sum);
}

bool is_better(const Answer& a, const Answer& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.places.begin != b.places.begin) return a.places.begin < b.places.begin;
  return a.places.end < b.places.end;
}

/// Inserts an answer into the list of the best, which is sorted.
void keep_best(const Answer& answer, std::size_t count, std::vector<Answer>& best) {
  if (best.size() == count && !is_better(answer, best.back())) return;
  best.insert(std::ranges::upper_bound(best, answer, is_better), answer);
  if (best.size() > count) best.pop_back();
}

}  // namespace

std::vector<Answer> best_answers(const data::EncoderLine& line, std::span<const float> logits,
                                 const AnswerSettings& settings) {
  base::check(logits.size() == kEnds * line.ids.size(), "two logits for each token");
  const auto score = [&](std::uint32_t first, std::uint32_t last) {
    return double{logits[kEnds * first]} + double{logits[kEnds * last + 1]};
  };
  const auto passage = line.passage();
  std::vector<Answer> best;
  for (std::uint32_t first = passage.begin; first < passage.end; ++first) {
    const auto end = std::min(passage.end, first + settings.longest);
    for (std::uint32_t last = first; last < end; ++last)
      keep_best({{first, last + 1}, score(first, last)}, settings.count, best);
  }
  const Answer none{{0, 1}, score(0, 0)};
  if (best.empty()) {
    best.push_back(none);
  } else if (settings.null_threshold) {
    // Its place in the list is that of its score without the threshold.
    const auto is_after = [&](const Answer& answer) {
      return none.score - *settings.null_threshold > answer.score;
    };
    best.insert(std::ranges::find_if(best, is_after), none);
    if (best.size() > settings.count) best.pop_back();
  }
  const double all = log_sum(logits, 0) + log_sum(logits, 1);
  for (auto& answer : best) answer.probability = std::exp(answer.score - all);
  return best;
}

}  // namespace awend::decode

#include "decode/parallel_scorer.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/numbers.hpp"
#include "base/parallel.hpp"

namespace awend::decode {
namespace {

// Of all scorers together, and the least of one: smaller batches are slow.
constexpr std::uint32_t kBatchTokens = 2048, kLeastBatchTokens = 256;

using Pairs = std::span<const SentencePair>;

std::size_t tokens_of(Pairs pairs) {
  return std::accumulate(
      pairs.begin(), pairs.end(), std::size_t{0},
      [](std::size_t sum, const SentencePair& pair) { return sum + pair.tokens(); });
}

/// Consecutive pairs in `parts` spans of about as many tokens.
std::vector<Pairs> parts_of(Pairs pairs, std::size_t parts) {
  const auto share = base::divide_up(tokens_of(pairs), parts);
  std::vector<Pairs> spans;
  std::size_t begin = 0, tokens = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    tokens += pairs[i].tokens();
    if (tokens < share && i + 1 < pairs.size()) continue;
    spans.push_back(pairs.subspan(begin, i + 1 - begin));
    begin = i + 1;
    tokens = 0;
  }
  return spans;
}

}  // namespace

ParallelScorer::ParallelScorer(nn::Engine& engine, const model::Seq2SeqView& model,
                               std::uint32_t end_of_sentence)
    : batch_tokens_(std::max(kBatchTokens / engine.concurrency(), kLeastBatchTokens)) {
  for (unsigned i = 0; i < engine.concurrency(); ++i) {
    scorers_.push_back(std::make_unique<TeacherForcedScorer>(
        engine, model,
        TeacherForcedScorer::Settings{.end_of_sentence = end_of_sentence,
                                      .batch_tokens = batch_tokens_}));
  }
}

bool ParallelScorer::fits(std::uint32_t tokens) {
  if (tokens > batch_tokens_) release_others();
  return scorers_.front()->fits(tokens);
}

/// A long pair may need the memory of all.
void ParallelScorer::release_others() {
  for (std::size_t i = 1; i < scorers_.size(); ++i) scorers_[i]->release();
}

std::vector<std::vector<float>> ParallelScorer::scores(Pairs pairs) {
  std::vector<std::vector<float>> scores;
  while (!pairs.empty()) {
    const bool are_long = is_long(pairs.front());
    const auto end = std::ranges::find_if(
        pairs, [&](const SentencePair& pair) { return is_long(pair) != are_long; });
    const auto run = pairs.first(static_cast<std::size_t>(end - pairs.begin()));
    auto of_run = are_long ? scores_of_long(run) : scores_of_short(run);
    std::ranges::move(of_run, std::back_inserter(scores));
    pairs = pairs.subspan(run.size());
  }
  return scores;
}

std::vector<std::vector<float>> ParallelScorer::scores_of_long(Pairs pairs) {
  release_others();
  scorers_.front()->use_threads(nn::Threads::kAll);
  return scorers_.front()->scores(pairs);
}

std::vector<std::vector<float>> ParallelScorer::scores_of_short(Pairs pairs) {
  std::size_t workers = 0;  // those for which there is memory; one scorer gets along with less
  while (workers < std::min(scorers_.size(), pairs.size()) && scorers_[workers]->prepare())
    ++workers;
  const auto parts = parts_of(pairs, std::max<std::size_t>(workers, 1));
  std::vector<std::vector<std::vector<float>>> of_parts(parts.size());
  base::run_on_threads(static_cast<unsigned>(parts.size()), [&](unsigned worker) {
    auto& scorer = *scorers_[worker];
    scorer.use_threads(parts.size() > 1 ? nn::Threads::kOne : nn::Threads::kAll);
    of_parts[worker] = scorer.scores(parts[worker]);
  });
  std::vector<std::vector<float>> scores;
  for (auto& part : of_parts) std::ranges::move(part, std::back_inserter(scores));
  return scores;
}

}  // namespace awend::decode

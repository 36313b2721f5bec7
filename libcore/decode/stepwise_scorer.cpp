#include "decode/stepwise_scorer.hpp"

#include <algorithm>
#include <bit>

#include "decode/capacity.hpp"

namespace awend::decode {
namespace {

constexpr std::uint32_t kMinTokens = 128;

bool holds(const SearchCapacity& capacity, std::uint32_t tokens) {
  return capacity.longest >= tokens && capacity.source_rows >= tokens;
}

/// A pair, and the cache rows of its tokens.
struct Placed {
  const SentencePair* pair;
  std::uint32_t source_begin, cache_begin;

  std::uint32_t target_tokens() const {
    return static_cast<std::uint32_t>(pair->target.size()) + 1;
  }
};

/// As many of the first pairs as fit into the caches at once.
std::vector<Placed> place(std::span<const SentencePair> pairs, const SearchCapacity& capacity) {
  std::vector<Placed> placed;
  std::uint32_t source = 0, cache = 0;
  for (const SentencePair& pair : pairs) {
    const Placed next{&pair, source, cache};
    source += static_cast<std::uint32_t>(pair.source.size()) + 1;
    cache += next.target_tokens();
    if (placed.size() == capacity.rows || source > capacity.source_rows ||
        cache > capacity.cache_rows)
      break;
    placed.push_back(next);
  }
  return placed;
}

void encode(DeviceStepModel& step_model, std::span<const Placed> placed,
            std::uint32_t end_of_sentence) {
  std::vector<std::vector<std::uint32_t>> ids;
  std::vector<model::SourceSentence> sources;
  for (const Placed& each : placed) {
    ids.push_back(each.pair->source);
    ids.back().push_back(end_of_sentence);
  }
  for (std::size_t i = 0; i < placed.size(); ++i)
    sources.push_back({ids[i], placed[i].source_begin});
  step_model.encode(sources);
}

/// Appends the row that predicts token `at` of the target.
void append_row(Step& step, const Placed& placed, std::uint32_t at, std::uint32_t end_of_sentence) {
  const auto& [source, target] = *placed.pair;
  const auto past_begin = static_cast<std::uint32_t>(step.cache_rows.size());
  for (std::uint32_t i = 0; i <= at; ++i) step.cache_rows.push_back(placed.cache_begin + i);
  step.rows.push_back(
      {.last_id = at == 0 ? batch::kNoToken : target[at - 1],
       .source = {placed.source_begin,
                  placed.source_begin + static_cast<std::uint32_t>(source.size()) + 1},
       .past = {past_begin, static_cast<std::uint32_t>(step.cache_rows.size())}});
  step.requests.push_back({.forced_id = at < target.size() ? target[at] : end_of_sentence});
}

}  // namespace

StepwiseScorer::StepwiseScorer(nn::Engine& engine, Ensemble ensemble, const SpecialIds& special)
    : engine_(engine), ensemble_(std::move(ensemble)), special_(special) {}

SearchCapacity StepwiseScorer::capacity_of(std::uint32_t tokens) const {
  SearchSettings search;
  search.beam_size = 1;
  search.max_length_ratio = 0;
  search.max_length_extra = tokens;
  return capacity_for(engine_, ensemble_, search, {.batch_tokens = 0, .longest_piece = tokens - 1});
}

bool StepwiseScorer::fits(std::uint32_t tokens) {
  if (tokens > kMaxPairTokens) return false;
  const auto has_positions = [&](const model::Seq2SeqView& member) {
    const auto footprint = member.footprint(engine_);
    return tokens <= std::min(footprint.max_source_tokens, footprint.max_target_tokens);
  };
  if (!std::ranges::all_of(ensemble_.members, has_positions)) return false;
  return holds(capacity_of(tokens), tokens);
}

DeviceStepModel& StepwiseScorer::step_model_for(std::uint32_t tokens) {
  if (step_model_ && holds(step_model_->capacity(), tokens)) return *step_model_;
  const auto roomy = capacity_of(std::max(kMinTokens, std::bit_ceil(tokens)));
  step_model_.reset();  // frees its memory before the larger one allocates
  step_model_ = std::make_unique<DeviceStepModel>(
      engine_, ensemble_, holds(roomy, tokens) ? roomy : capacity_of(tokens));
  return *step_model_;
}

std::vector<std::vector<float>> StepwiseScorer::scores(std::span<const SentencePair> pairs) {
  std::uint32_t longest = 1;
  for (const SentencePair& pair : pairs) longest = std::max(longest, pair.tokens());
  DeviceStepModel& step_model = step_model_for(longest);
  std::vector<std::vector<float>> scores(pairs.size());
  const auto output_length = ensemble_.members.front().seq2seq->output_length();
  for (std::size_t begin = 0; begin < pairs.size();) {
    const auto placed = place(pairs.subspan(begin), step_model.capacity());
    encode(step_model, placed, special_.end_of_sentence);
    for (std::uint32_t at = 0;; ++at) {
      Step step;
      for (const Placed& each : placed) {
        if (at < each.target_tokens()) append_row(step, each, at, special_.end_of_sentence);
      }
      if (step.rows.empty()) break;
      auto candidate = step_model.step(step).begin();
      for (std::size_t i = 0; i < placed.size(); ++i) {
        if (at < placed[i].target_tokens())
          scores[begin + i].push_back((candidate++)->log_probability);
      }
    }
    for (std::size_t i = 0; output_length && i < placed.size(); ++i) {
      auto& own = scores[begin + i];
      own.back() = 0;  // the end
      if (own.size() != *output_length + 1) std::ranges::fill(own, kImpossible);
    }
    begin += placed.size();
  }
  return scores;
}

}  // namespace awend::decode

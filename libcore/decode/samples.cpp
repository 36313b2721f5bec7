#include "decode/samples.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"
#include "batch/packed_batch.hpp"

namespace awend::decode {

std::array<std::uint32_t, 2> random_key_of(std::uint64_t seed, const SampleIndex& place) {
  const auto low = static_cast<std::uint32_t>(place.line);
  const auto high = static_cast<std::uint32_t>(place.line >> 32);
  const auto own = base::philox({low, high, place.piece, place.hypothesis}, base::philox_key(seed));
  const auto words = base::philox({place.position, 0, 0, 0}, {own[0], own[1]});
  return {words[0], words[1]};
}

Samples::Samples(const SearchSettings& settings, std::uint32_t longest,
                 std::uint32_t end_of_sentence)
    : Search(settings.n_best),
      alpha_(settings.alpha),
      length_penalty_(settings.length_penalty),
      output_length_(settings.output_length),
      longest_(longest),
      end_of_sentence_(end_of_sentence),
      has_rules_(settings.rules != LogitRuleSettings{}),
      finished_(settings.n_best) {
  for (std::uint32_t i = 0; i < settings.n_best; ++i) live_[i].number = i;
}

void Samples::advance(std::span<const Candidate> candidates) {
  base::check(candidates.size() == live_.size(), "each live hypothesis has its candidate");
  std::vector<LiveHypothesis> next;
  for (std::uint32_t place = 0; place < live_.size(); ++place) {
    const auto& [id, log_probability] = candidates[place];
    const bool is_possible = id != batch::kNoToken && std::isfinite(log_probability);
    // If the rules exclude all tokens, the sample ends without its end, as in a search.
    if (!is_possible && (!has_rules_ || std::isnan(log_probability)))
      base::fail("the model's probabilities are not finite numbers");
    auto& [hypothesis, parent, number] = live_[place];
    bool ended = !is_possible || id == end_of_sentence_;
    if (is_possible) {
      hypothesis.log_probability += log_probability;
      hypothesis.of_tokens.push_back(log_probability);
    }
    if (!ended) hypothesis.ids.push_back(id);
    if (!ended && output_length_ == hypothesis.ids.size()) {
      hypothesis.of_tokens.push_back(0);
      ended = true;
    }
    const auto length = std::max<std::uint32_t>(hypothesis.of_tokens.size(), 1);
    if (ended || length >= longest_) {
      hypothesis.score =
          hypothesis.log_probability / length_penalty(length, alpha_, length_penalty_);
      finished_[number] = std::move(hypothesis);
    } else {
      next.push_back({std::move(hypothesis), place, number});
    }
  }
  live_ = std::move(next);
}

}  // namespace awend::decode

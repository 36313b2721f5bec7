#include "decode/beam.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "batch/packed_batch.hpp"
#include "nn/logits.hpp"

namespace awend::decode {
namespace {

struct Continuation {
  std::uint32_t parent;
  std::uint32_t id;
  float of_token;
  double log_probability;
};

/// A token, whose log-probability is neither NaN nor that of a masked token.
bool is_possible(const Candidate& candidate) {
  return candidate.id != batch::kNoToken && std::isfinite(candidate.log_probability) &&
         nn::is_possible(candidate.log_probability);
}

}  // namespace

std::uint32_t SearchSettings::longest(std::uint32_t source_tokens) const {
  const double limit = max_length_ratio * source_tokens + max_length_extra;
  return static_cast<std::uint32_t>(std::clamp(limit, 1.0, 1e9));
}

double length_penalty(std::uint32_t length, double alpha, LengthPenalty form) {
  if (form == LengthPenalty::kPower) return std::pow(length, alpha);
  return std::pow((5.0 + length) / 6.0, alpha);
}

Beam::Beam(const SearchSettings& settings, std::uint32_t longest, const SpecialIds& special)
    : Search(1), settings_(settings), longest_(longest), special_(special) {}

bool Beam::is_allowed(const Candidate& candidate) const {
  if (settings_.output_length && candidate.id == special_.end_of_sentence) return false;
  return settings_.unknown_token == UnknownTokenUse::kAllowed || candidate.id != special_.unknown;
}

/// Whether the rules exclude all tokens.  The log-probabilities are then not NaN, as those of a
/// model that computes no numbers.
bool Beam::are_excluded(std::span<const Candidate> candidates) const {
  return settings_.rules != LogitRuleSettings{} &&
         std::ranges::none_of(candidates, [](const Candidate& candidate) {
           return std::isnan(candidate.log_probability);
         });
}

void Beam::advance(std::span<const Candidate> candidates) {
  const std::size_t per_hypothesis = settings_.candidates();
  base::check(candidates.size() == live_.size() * per_hypothesis,
              "each live hypothesis has its candidates");
  std::vector<Continuation> all;
  for (std::uint32_t parent = 0; parent < live_.size(); ++parent) {
    const auto own = candidates.subspan(parent * per_hypothesis, per_hypothesis);
    // A prefix that forces the unknown token leaves no other.
    const bool is_forced = std::ranges::count_if(own, is_possible) == 1;
    for (const Candidate& candidate : own) {
      if (!is_possible(candidate) || (!is_forced && !is_allowed(candidate))) continue;
      all.push_back({parent, candidate.id, candidate.log_probability,
                     live_[parent].hypothesis.log_probability + candidate.log_probability});
    }
  }
  if (all.empty()) {
    if (!are_excluded(candidates)) base::fail("the model's probabilities are not finite numbers");
    return truncate();
  }
  ++steps_;
  // Stable: equal scores keep the order of hypotheses and ids, so that results are deterministic.
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.log_probability > b.log_probability;
  });
  if (all.size() > settings_.considered()) all.resize(settings_.considered());

  std::vector<LiveHypothesis> next;
  for (const Continuation& continuation : all) {
    Hypothesis hypothesis = live_[continuation.parent].hypothesis;
    hypothesis.log_probability = continuation.log_probability;
    hypothesis.of_tokens.push_back(continuation.of_token);
    if (continuation.id == special_.end_of_sentence) {
      finish(std::move(hypothesis), steps_);
      continue;
    }
    hypothesis.ids.push_back(continuation.id);
    if (settings_.output_length == hypothesis.ids.size()) {
      hypothesis.of_tokens.push_back(0);
      finish(std::move(hypothesis), steps_ + 1);
    } else if (next.size() < settings_.beam_size) {
      next.push_back({std::move(hypothesis), continuation.parent});
    }
  }
  live_ = std::move(next);
  if (steps_ >= longest_) truncate();
  while (!live_.empty() && cannot_win(live_.back().hypothesis)) live_.pop_back();
}

void Beam::truncate() {
  for (std::size_t i = 0; i < live_.size() && finished_.size() < settings_.n_best; ++i)
    finish(live_[i].hypothesis, steps_);
  live_.clear();
}

void Beam::finish(Hypothesis hypothesis, std::uint32_t length) {
  hypothesis.score = hypothesis.log_probability /
                     length_penalty(length, settings_.alpha, settings_.length_penalty);
  const auto at = std::upper_bound(finished_.begin(), finished_.end(), hypothesis,
                                   [](const auto& a, const auto& b) { return a.score > b.score; });
  finished_.insert(at, std::move(hypothesis));
  if (finished_.size() > std::max(settings_.beam_size, settings_.n_best)) finished_.pop_back();
}

bool Beam::cannot_win(const Hypothesis& hypothesis) const {
  if (finished_.size() < settings_.n_best) return false;
  // Log-probabilities never increase, and the longest output has the mildest length penalty.
  const double reachable =
      hypothesis.log_probability /
      length_penalty(longest_, std::max(settings_.alpha, 0.0), settings_.length_penalty);
  return finished_[settings_.n_best - 1].score >= reachable;
}

std::vector<Hypothesis> Beam::results() const {
  std::vector<Hypothesis> best = finished_;
  if (best.size() > settings_.n_best) best.resize(settings_.n_best);
  return best;
}

}  // namespace awend::decode

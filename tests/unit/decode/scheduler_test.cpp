// Continuous batching over a model with caches but without a device: a hypothesis must read the
// rows that it and its sentence have written, whatever other sentences do.
#include "decode/scheduler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/random.hpp"
#include "batch/packed_batch.hpp"
#include "tests/catch.hpp"

namespace awend::decode {
namespace {

constexpr std::uint32_t kEnd = 1;
constexpr std::uint32_t kVocabulary = 7;
constexpr SpecialIds kSpecial{.end_of_sentence = kEnd, .unknown = 0};
constexpr float kNever = -std::numeric_limits<float>::infinity();
using Ids = std::vector<std::uint32_t>;

/// ln p of each id, a pseudo-random function of source and prefix.  Longer outputs are more likely
/// to end.
std::vector<float> chance(const Ids& source, const Ids& prefix) {
  std::uint64_t seed = 17;
  for (const std::uint32_t id : source) seed = seed * 31 + id + 1;
  for (const std::uint32_t id : prefix) seed = seed * 37 + id + 1;
  base::Random random(seed);
  std::vector<float> weights(kVocabulary);
  for (float& weight : weights) weight = 0.05f + random.uniform();
  weights[kEnd] *= 0.1f * static_cast<float>(prefix.size());
  float sum = 0;
  for (const float weight : weights) sum += weight;
  for (float& weight : weights) weight = std::log(weight / sum);
  return weights;
}

std::vector<Candidate> ranked(const std::vector<float>& log_p, std::uint32_t count) {
  std::vector<Candidate> all;
  for (std::uint32_t id = 0; id < log_p.size(); ++id) all.push_back({id, log_p[id]});
  std::stable_sort(all.begin(), all.end(),
                   [](auto& a, auto& b) { return a.log_probability > b.log_probability; });
  all.resize(count, {batch::kNoToken, 0.0f});
  return all;
}

/// Its cache rows contain ids.
class ToyStepModel : public StepModel {
 public:
  ToyStepModel(const SchedulerCapacity& capacity, std::uint32_t candidates)
      : capacity_(capacity),
        candidates_per_row_(candidates),
        source_(capacity.source_rows),
        past_(capacity.cache_rows) {}

  void encode(std::span<const model::SourceSentence> sentences) override {
    ++encodings;
    for (const model::SourceSentence& sentence : sentences) {
      for (std::size_t i = 0; i < sentence.ids.size(); ++i)
        source_.at(sentence.first_row + i) = sentence.ids[i];
    }
  }

  std::span<const Candidate> step(const Step& step) override {
    ++steps;
    rows += step.rows.size();
    REQUIRE(step.rows.size() <= capacity_.rows);
    REQUIRE(step.cache_rows.size() <= capacity_.cache_rows);
    REQUIRE(step.requests.size() == step.rows.size());
    for (const auto& row : step.rows) past_.at(step.cache_rows[row.past.end - 1]) = row.last_id;
    candidates_.clear();
    for (std::size_t r = 0; r < step.rows.size(); ++r) {
      const auto& row = step.rows[r];
      const auto& request = step.requests[r];
      const Ids source(source_.begin() + row.source.begin, source_.begin() + row.source.end);
      Ids prefix;
      for (std::uint32_t i = row.past.begin; i < row.past.end; ++i)
        prefix.push_back(past_.at(step.cache_rows[i]));
      REQUIRE(prefix.front() == batch::kNoToken);
      prefix.erase(prefix.begin());
      auto log_p = chance(source, prefix);
      if (request.forced_id != batch::kNoToken) {
        log_p.assign(kVocabulary, kNever);
        log_p[request.forced_id] = -1;
      }
      for (std::uint32_t i = request.adjustments.begin; i < request.adjustments.end; ++i)
        log_p[step.adjustments.at(i).id] += step.adjustments[i].amount;
      const auto best = ranked(log_p, candidates_per_row_);
      candidates_.insert(candidates_.end(), best.begin(), best.end());
    }
    return candidates_;
  }

  std::size_t encodings = 0, steps = 0, rows = 0;

 private:
  SchedulerCapacity capacity_;
  std::uint32_t candidates_per_row_;
  Ids source_, past_;
  std::vector<Candidate> candidates_;
};

/// The search for a single sentence, without caches, after the decoder has read `start`.
std::vector<Hypothesis> alone(const SearchSettings& settings, const Ids& source,
                              std::uint32_t longest, const Ids& start = {}) {
  Beam beam(settings, longest, {.end_of_sentence = kEnd});
  while (!beam.done()) {
    std::vector<Candidate> candidates;
    for (const auto& living : beam.live()) {
      auto read = start;
      read.insert(read.end(), living.hypothesis.ids.begin(), living.hypothesis.ids.end());
      const auto best = ranked(chance(source, read), settings.candidates());
      candidates.insert(candidates.end(), best.begin(), best.end());
    }
    beam.advance(candidates);
  }
  return beam.results();
}

Scheduler::Job some_job(std::uint64_t ticket) {
  base::Random random(100 + ticket);
  Ids ids(1 + random.below(9));
  for (auto& id : ids) id = 2 + random.below(5);
  ids.push_back(kEnd);
  return {ticket, ids, 2 + random.below(25)};
}

void check_against_alone(const SchedulerCapacity& capacity, std::uint32_t beam_size) {
  CAPTURE(capacity.rows, capacity.source_rows, capacity.cache_rows, beam_size);
  constexpr std::uint64_t kJobs = 60;
  const SearchSettings settings{.beam_size = beam_size, .n_best = beam_size};
  ToyStepModel model(capacity, settings.candidates());
  Scheduler scheduler(model, capacity, settings, kSpecial);
  std::uint64_t added = 0, answered = 0;
  std::vector<bool> seen(kJobs, false);
  while (added < kJobs || scheduler.has_work()) {
    // Some enter at the start, others while those are in progress.
    for (int i = 0; i < 3 && added < kJobs; ++i) scheduler.add(some_job(added++));
    for (const auto& answer : scheduler.step()) {
      ++answered;
      REQUIRE_FALSE(seen.at(answer.ticket));
      seen[answer.ticket] = true;
      const auto job = some_job(answer.ticket);
      const auto expected = alone(settings, job.ids, job.longest);
      REQUIRE(answer.hypotheses.size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        REQUIRE(answer.hypotheses[i].ids == expected[i].ids);
        REQUIRE(answer.hypotheses[i].score == expected[i].score);
      }
    }
  }
  REQUIRE(answered == kJobs);
}

}  // namespace

TEST_CASE("results do not depend on the other sentences in progress") {
  check_against_alone({.rows = 64, .source_rows = 200, .cache_rows = 4096}, 4);
  check_against_alone({.rows = 9, .source_rows = 200, .cache_rows = 4096}, 4);  // few rows
  check_against_alone({.rows = 64, .source_rows = 12, .cache_rows = 4096}, 4);  // few source rows
  check_against_alone({.rows = 64, .source_rows = 200, .cache_rows = 112}, 4);  // one long sentence
  check_against_alone({.rows = 30, .source_rows = 40, .cache_rows = 160}, 1);
}

TEST_CASE("a waiting sentence replaces a finished one while others continue") {
  const SchedulerCapacity capacity{.rows = 4, .source_rows = 40, .cache_rows = 4096};
  const SearchSettings settings{.beam_size = 1};
  ToyStepModel model(capacity, settings.candidates());
  Scheduler scheduler(model, capacity, settings, kSpecial);
  for (std::uint64_t ticket = 0; ticket < 200; ++ticket) scheduler.add(some_job(ticket));
  while (scheduler.waiting() > 0) scheduler.step();
  // Outputs have two to more than twenty tokens: four sentences at a time, each four waiting for
  // the longest of them, would leave a third of all rows empty.
  REQUIRE(model.rows > 0.95 * 4 * static_cast<double>(model.steps));
}

TEST_CASE("sentences enter in groups if many wait, and at once if one waits") {
  const SchedulerCapacity capacity{.rows = 64, .source_rows = 2000, .cache_rows = 4096};
  const SearchSettings settings{.beam_size = 1};
  ToyStepModel model(capacity, settings.candidates());
  Scheduler scheduler(model, capacity, settings, kSpecial);
  for (std::uint64_t ticket = 0; ticket < 400; ++ticket) scheduler.add(some_job(ticket));
  while (scheduler.waiting() > 0) scheduler.step();
  REQUIRE(model.encodings < 100);
  REQUIRE(scheduler.has_work());
  scheduler.add(some_job(400));
  scheduler.step();
  REQUIRE(scheduler.waiting() == 0);
}

TEST_CASE("a translation starts with its prefix, and rules apply to each hypothesis") {
  const SchedulerCapacity capacity{.rows = 16, .source_rows = 100, .cache_rows = 4096};
  const SearchSettings settings{
      .beam_size = 4, .n_best = 4, .rules = {.min_length_extra = 6, .no_repeat_ngram = 1}};
  ToyStepModel model(capacity, settings.candidates());
  Scheduler scheduler(model, capacity, settings, kSpecial);
  std::size_t answered = 0;
  for (std::uint64_t ticket = 0; ticket < 20; ++ticket) {
    auto job = some_job(ticket);
    job.longest = 7;
    if (ticket % 2 == 0) job.prefix = {5, 3};
    scheduler.add(std::move(job));
  }
  while (scheduler.has_work()) {
    for (const auto& answer : scheduler.step()) {
      ++answered;
      for (const auto& [ids, log_probability, score, of_tokens] : answer.hypotheses) {
        if (answer.ticket % 2 == 0) REQUIRE(Ids(ids.begin(), ids.begin() + 2) == Ids{5, 3});
        // All six tokens except the end, each once.
        Ids sorted = ids;
        std::ranges::sort(sorted);
        REQUIRE(sorted == Ids{0, 2, 3, 4, 5, 6});
      }
    }
  }
  REQUIRE(answered == 20);
}

TEST_CASE("what the decoder reads before the output is no part of it") {
  const SchedulerCapacity capacity{.rows = 24, .source_rows = 60, .cache_rows = 2048};
  const SearchSettings settings{.beam_size = 3, .n_best = 3};
  ToyStepModel model(capacity, settings.candidates());
  Scheduler scheduler(model, capacity, settings, kSpecial);
  const auto start_of = [](std::uint64_t ticket) {
    return ticket % 3 == 0 ? Ids{} : ticket % 3 == 1 ? Ids{4} : Ids{4, 2};
  };
  for (std::uint64_t ticket = 0; ticket < 40; ++ticket) {
    auto job = some_job(ticket);
    job.start = start_of(ticket);
    scheduler.add(std::move(job));
  }
  std::size_t answered = 0;
  while (scheduler.has_work()) {
    for (const auto& answer : scheduler.step()) {
      ++answered;
      const auto job = some_job(answer.ticket);
      const auto expected = alone(settings, job.ids, job.longest, start_of(answer.ticket));
      REQUIRE(answer.hypotheses.size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        REQUIRE(answer.hypotheses[i].ids == expected[i].ids);
        REQUIRE(answer.hypotheses[i].of_tokens == expected[i].of_tokens);
        REQUIRE(answer.hypotheses[i].score == expected[i].score);
      }
    }
  }
  REQUIRE(answered == 40);
}

TEST_CASE("a sentence beyond the capacity is a programming error") {
  const SchedulerCapacity capacity{.rows = 4, .source_rows = 4, .cache_rows = 64};
  ToyStepModel model(capacity, 4);
  Scheduler scheduler(model, capacity, {.beam_size = 2}, kSpecial);
  REQUIRE_THROWS_AS(scheduler.add({0, Ids(5, 2), 5}), std::logic_error);
  REQUIRE_THROWS_AS(scheduler.add({0, Ids(4, 2), 33}), std::logic_error);
  Scheduler::Job job{0, Ids(4, 2), 32};
  job.start = {3};
  REQUIRE_THROWS_AS(scheduler.add(job), std::logic_error);
}

}  // namespace awend::decode

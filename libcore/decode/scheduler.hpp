// Continuous batching: each step extends the live hypotheses of many sentences; waiting sentences
// replace finished ones.
//
// Sentences enter in the order of arrival, when rows, pages and source rows for all that they may
// need are available.  A search that has started therefore never waits.  Results do not depend on
// the sentences that share the steps.  Test: tests/unit/decode/scheduler_test.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "decode/beam.hpp"
#include "decode/history.hpp"
#include "decode/step_model.hpp"

namespace awend::decode {

/// The capacity of the caches and of a step.
struct SchedulerCapacity {
  std::uint32_t rows;         ///< Hypotheses of a step.
  std::uint32_t source_rows;  ///< Of the cross-attention cache.
  std::uint32_t cache_rows;   ///< Of the self-attention cache.
};

class Scheduler {
 public:
  /// `model` must outlive the object.
  Scheduler(StepModel& model, const SchedulerCapacity& capacity, const SearchSettings& settings,
            const SpecialIds& special);

  struct Job {
    std::uint64_t ticket;                    ///< Identifies the answer.
    std::vector<std::uint32_t> ids;          ///< End of sentence included.
    std::uint32_t longest;                   ///< Maximum length of the output, the end included.
    std::vector<std::uint32_t> prefix = {};  ///< Required beginning of the output.
    std::vector<std::uint32_t> start = {};   ///< Read before the output, and not a part of it.
    std::uint32_t source_start = 0;          ///< The first ids that rules of length do not count.
    std::uint64_t line = 0;                  ///< For sampling: the line …
    std::uint32_t piece = 0;                 ///< … and the piece of the line.
    /// The tokens of the output, which contain the prefix; nothing: as for all sentences.
    std::optional<Shortlist> allowed = std::nullopt;
  };
  struct Answer {
    std::uint64_t ticket;
    std::vector<Hypothesis> hypotheses;
  };

  /// Appends a job to the queue.  Requires: it fits into empty caches.
  void add(Job job);
  /// Fails unless a job fits into empty caches.
  void require_room(const Job& job) const;
  /// Runs one step and returns the finished answers.  Requires: has_work().
  std::vector<Answer> step();

  bool has_work() const { return !waiting_.empty() || !active_.empty(); }
  std::size_t waiting() const { return waiting_.size(); }
  /// False while the queue has enough jobs for the next steps.
  bool wants_more() const;
  /// The number of sentences that can be searched at once.
  std::uint32_t places() const { return capacity_.rows / settings_.beam_size; }

 private:
  struct Active {
    Job job;
    std::unique_ptr<Search> search;
    History history;
    std::uint32_t source_begin;
    std::uint32_t started = 0;  // tokens of job.start that the decoder will have read

    std::uint32_t last_id(const std::vector<std::uint32_t>& ids) const;
  };
  std::uint32_t pages_of(const Job& job) const;
  void admit();
  Step next_step();
  void append_row(const Active& active, std::size_t hypothesis, Step& step) const;

  StepModel& model_;
  SchedulerCapacity capacity_;
  SearchSettings settings_;
  SpecialIds special_;
  LogitRules rules_;
  PagePool pages_;
  RangePool source_rows_;
  std::deque<Job> waiting_;
  std::list<Active> active_;
};

}  // namespace awend::decode

// Searches of many sentences in one flow: each step continues all living hypotheses, finished
// sentences leave, waiting ones enter in their place.
//
// A sentence enters when there are rows, pages and source rows for all that it can ever need, in
// the order of arrival; so none that has begun waits for another, and the one that waits longest is
// next.  Who shares the steps has no influence on an answer.  Test:
// tests/unit/decode/batch_test.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <vector>

#include "decode/beam.hpp"
#include "decode/history.hpp"
#include "decode/step_machine.hpp"

namespace awend::decode {

/// What the caches and programs of a machine hold.
struct BatchCapacity {
  std::uint32_t rows;         ///< Hypotheses of a step.
  std::uint32_t source_rows;  ///< Of the cross-attention cache.
  std::uint32_t cache_rows;   ///< Of the self-attention cache.
};

class Batch {
 public:
  /// `machine` must outlive the object.
  Batch(StepMachine& machine, const BatchCapacity& capacity, const SearchSettings& settings,
        const SpecialIds& special);

  struct Job {
    std::uint64_t ticket;                    ///< What the answer is known by.
    std::vector<std::uint32_t> ids;          ///< End of sentence included.
    std::uint32_t longest;                   ///< The most tokens of its output, the end included.
    std::vector<std::uint32_t> prefix = {};  ///< What its output begins with.
    std::uint64_t line = 0;                  ///< By which its tokens are drawn, ...
    std::uint32_t piece = 0;                 ///< ... a piece of which it is.
  };
  struct Answer {
    std::uint64_t ticket;
    std::vector<Hypothesis> hypotheses;
  };

  /// Waits behind those before.  Requires: it fits an empty batch.
  void add(Job job);
  /// One step; returns what it finished.  Requires: there is work.
  std::vector<Answer> step();

  bool works() const { return !waiting_.empty() || !active_.empty(); }
  std::size_t waiting() const { return waiting_.size(); }
  /// Sentences that steps can take at once.
  std::uint32_t places() const { return capacity_.rows / settings_.beam_size; }

 private:
  struct Active {
    Job job;
    std::unique_ptr<Search> search;
    History history;
    std::uint32_t source_begin;
  };
  std::uint32_t pages_of(const Job& job) const;
  void admit();
  Step next_step();
  void append_row(const Active& active, std::size_t hypothesis, Step& step) const;

  StepMachine& machine_;
  BatchCapacity capacity_;
  SearchSettings settings_;
  SpecialIds special_;
  Rules rules_;
  PagePool pages_;
  RangePool source_rows_;
  std::deque<Job> waiting_;
  std::list<Active> active_;
};

}  // namespace awend::decode

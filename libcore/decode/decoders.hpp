// The decoders of a translator, which share its sentences.
//
// A GPU has one decoder.  The processor has one for each of its threads: threads that decode
// different sentences do not wait for each other after each operation, so that the machine is full.
// All use the same weights; each has its own caches and programs, made when it gets its first
// sentence.  Sentences are dealt in order, in equal shares; answers come in any order.  As long as
// there are fewer sentences than threads, one decoder computes them with all threads.
//
// An answer does not depend on the decoder, nor on the other sentences.  Test:
// tests/properties/decoders_test.cpp.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "decode/device_step_model.hpp"
#include "decode/scheduler.hpp"

namespace awend::decode {

class Decoders {
 public:
  struct Settings {
    SearchSettings search;
    SpecialIds special;
    Shortlist shortlist;
    bool has_sentence_lists;  ///< Each job has its own.
  };
  /// Each decoder has the capacity.  The models must outlive the object.
  Decoders(nn::Engine& engine, const Ensemble& ensemble, const SearchCapacity& capacity,
           const Settings& settings);
  ~Decoders();
  Decoders(const Decoders&) = delete;
  Decoders& operator=(const Decoders&) = delete;

  unsigned number() const { return number_; }

  /// Appends a job to the queue.  Requires: it fits into empty caches.
  void add(Scheduler::Job job);
  /// Computes for some milliseconds and returns the finished answers.  Requires: a job has not been
  /// answered.  Rethrows what a decoder throws.
  std::vector<Scheduler::Answer> step();
  /// Discards all jobs and waits until no decoder computes.  The object cannot be used afterwards.
  void stop();

  /// The number of jobs that no decoder has taken.
  std::size_t waiting() const;
  /// The number of sentences that all decoders can search at once.
  std::size_t places() const;

 private:
  struct Decoder;
  using Lock = std::unique_lock<std::mutex>;

  std::unique_ptr<Decoder> make_decoder() const;
  std::size_t fair_share() const;
  void take(Decoder& decoder, std::size_t most);
  void step(Decoder& decoder, Lock& lock);
  void deal();
  void start_others();
  void run_other();

  nn::Engine& engine_;
  const Ensemble ensemble_;
  const SearchCapacity capacity_;
  const Settings settings_;
  const unsigned number_;
  std::vector<std::unique_ptr<ShortProjection>> projections_;  // of a shortlist
  std::unique_ptr<Decoder> first_;                             // computes on the caller's thread
  std::deque<Scheduler::Job> arriving_;                        // since the last step

  mutable std::mutex mutex_;
  std::condition_variable dealt_, answered_;
  std::deque<Scheduler::Job> queue_;
  std::vector<Scheduler::Answer> answers_;
  std::size_t unanswered_ = 0;  // jobs in the queue and in decoders
  bool stops_ = false;
  std::exception_ptr error_;
  std::vector<std::jthread> others_;
};

}  // namespace awend::decode

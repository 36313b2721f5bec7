#include "decode/decoders.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "base/numbers.hpp"
#include "base/parallel.hpp"

namespace awend::decode {
namespace {

// So that the caller reads input that arrives meanwhile.
constexpr std::chrono::milliseconds kPause{5};

SchedulerCapacity scheduler_capacity(const SearchCapacity& capacity) {
  return {.rows = capacity.rows,
          .source_rows = capacity.source_rows,
          .cache_rows = capacity.cache_rows};
}

}  // namespace

struct Decoders::Decoder {
  Decoder(nn::Engine& engine, const Ensemble& ensemble, const SearchCapacity& capacity,
          const Settings& settings, const DeviceStepSettings& step_settings)
      : step_model(engine, ensemble, capacity, step_settings),
        scheduler(step_model, scheduler_capacity(capacity), settings.search, settings.special) {}

  DeviceStepModel step_model;
  Scheduler scheduler;
  std::size_t jobs = 0;  // taken and not answered
};

Decoders::Decoders(nn::Engine& engine, const Ensemble& ensemble, const SearchCapacity& capacity,
                   const Settings& settings)
    : engine_(engine),
      ensemble_(ensemble),
      capacity_(capacity),
      settings_(settings),
      number_(engine.concurrency()) {
  if (!settings.shortlist.all()) {
    for (const auto& member : ensemble.members)
      projections_.push_back(std::make_unique<ShortProjection>(engine, member, settings.shortlist));
  }
  first_ = make_decoder();
}

Decoders::~Decoders() {
  stop();
}

void Decoders::stop() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  dealt_.notify_all();
  others_.clear();  // joins them
}

std::unique_ptr<Decoders::Decoder> Decoders::make_decoder() const {
  const DeviceStepSettings step_settings{.sampling = settings_.search.sampling,
                                         .shortlist = settings_.shortlist,
                                         .has_sentence_lists = settings_.has_sentence_lists,
                                         .projections = projections_};
  return std::make_unique<Decoder>(engine_, ensemble_, capacity_, settings_, step_settings);
}

void Decoders::add(Scheduler::Job job) {
  first_->scheduler.require_room(job);
  arriving_.push_back(std::move(job));
}

std::size_t Decoders::waiting() const {
  const std::lock_guard lock(mutex_);
  return arriving_.size() + queue_.size() + first_->scheduler.waiting();
}

std::size_t Decoders::places() const {
  return std::size_t{number_} * first_->scheduler.places();
}

std::vector<Scheduler::Answer> Decoders::step() {
  Lock lock(mutex_);
  deal();
  take(*first_, unanswered_ < number_ ? unanswered_ : fair_share());
  if (first_->jobs > 0) {
    step(*first_, lock);
  } else if (answers_.empty() && !error_) {
    answered_.wait_for(lock, kPause);
  }
  if (error_) std::rethrow_exception(error_);
  return std::exchange(answers_, {});
}

/// Moves new jobs to where the other decoders see them.
void Decoders::deal() {
  unanswered_ += arriving_.size();
  std::ranges::move(arriving_, std::back_inserter(queue_));
  arriving_.clear();
  if (queue_.empty() || unanswered_ < number_) return;
  if (others_.size() + 1 < number_) start_others();
  dealt_.notify_all();
}

void Decoders::start_others() {
  while (others_.size() + 1 < number_)
    others_.push_back(base::start_thread(number_, [this] { run_other(); }));
}

/// The most jobs that a decoder has at once, so that none has many at the end while others have
/// none.
std::size_t Decoders::fair_share() const {
  return base::divide_up(unanswered_, std::size_t{number_});
}

/// Takes jobs from the queue until the decoder has `most`, if it has room for them.
void Decoders::take(Decoder& decoder, std::size_t most) {
  while (!queue_.empty() && decoder.jobs < most && decoder.scheduler.wants_more()) {
    decoder.scheduler.add(std::move(queue_.front()));
    queue_.pop_front();
    ++decoder.jobs;
  }
}

/// Runs a step of a decoder that has jobs, without the lock.
void Decoders::step(Decoder& decoder, Lock& lock) {
  // Nobody else computes.
  const bool has_all_threads = decoder.jobs == unanswered_;
  lock.unlock();
  decoder.step_model.use_threads(has_all_threads ? nn::Threads::kAll : nn::Threads::kOne);
  auto answers = decoder.scheduler.step();
  lock.lock();
  decoder.jobs -= answers.size();
  unanswered_ -= answers.size();
  std::ranges::move(answers, std::back_inserter(answers_));
}

/// One of the other decoders, on its own thread.
void Decoders::run_other() {
  Lock lock(mutex_);
  try {
    std::unique_ptr<Decoder> decoder;
    const auto has_jobs = [&] { return decoder && decoder->jobs > 0; };
    const auto sees_jobs = [&] { return unanswered_ >= number_ && !queue_.empty(); };
    for (;;) {
      dealt_.wait(lock, [&] { return stops_ || has_jobs() || sees_jobs(); });
      if (stops_) return;
      if (!decoder) {
        lock.unlock();
        decoder = make_decoder();
        lock.lock();
      }
      if (sees_jobs()) take(*decoder, fair_share());
      if (!has_jobs()) continue;
      step(*decoder, lock);
      if (!answers_.empty()) answered_.notify_one();
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    if (!error_) error_ = std::current_exception();
    answered_.notify_one();
  }
}

}  // namespace awend::decode

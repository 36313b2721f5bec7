#include "host/thread_pool.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace awend::host {
namespace {

using Clock = std::chrono::steady_clock;

// Longer than what one thread computes between two operations of all.  To wake a thread takes tens
// of microseconds on a virtual machine.
constexpr std::chrono::microseconds kPolling{100};
constexpr int kPollsBetweenClocks = 16;
constexpr unsigned kMaxParts = std::numeric_limits<std::uint16_t>::max();

/// Waits until `value` is no longer `old`.
void await_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  const auto end = Clock::now() + kPolling;
  do {
    for (int i = 0; i < kPollsBetweenClocks; ++i) {
      if (value.load(std::memory_order_acquire) != old) return;
      hwy::Pause();
    }
  } while (Clock::now() < end);
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(unsigned threads) {
  base::check(threads >= 1, "a pool has at least one thread");
  try {
    for (unsigned i = 1; i < threads; ++i)
      workers_.push_back(base::start_thread(threads, [this] { work(); }));
  } catch (...) {
    stop();
    throw;
  }
}

ThreadPool::~ThreadPool() {
  stop();
}

void ThreadPool::stop() {
  stops_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void ThreadPool::run(unsigned count, const std::function<void(unsigned)>& body) {
  if (count == 1 || workers_.empty() || is_running_.test_and_set(std::memory_order_acquire)) {
    for (unsigned i = 0; i < count; ++i) body(i);
    return;
  }
  for (unsigned first = 0; first < count; first += kMaxParts)
    run_round(first, std::min(count - first, kMaxParts), body);
  const auto error = std::exchange(error_, nullptr);
  has_failed_.clear(std::memory_order_relaxed);
  is_running_.clear(std::memory_order_release);
  if (error) std::rethrow_exception(error);
}

void ThreadPool::run_round(unsigned first, unsigned count,
                           const std::function<void(unsigned)>& body) {
  body_ = &body;
  first_ = first;
  pending_.store(count, std::memory_order_relaxed);
  const std::uint32_t round = round_.load(std::memory_order_relaxed) + 1;
  claims_.store({round, static_cast<std::uint16_t>(count), 0}, std::memory_order_release);
  round_.store(round, std::memory_order_release);
  round_.notify_all();
  run_parts();
  for (auto left = pending_.load(std::memory_order_acquire); left != 0;
       left = pending_.load(std::memory_order_acquire)) {
    await_change(pending_, left);
  }
}

/// A part of the present round that no other thread has taken.  The caller of run() does not end
/// the round before this part is done.
std::optional<unsigned> ThreadPool::claim() {
  Claims seen = claims_.load(std::memory_order_acquire);
  while (seen.taken < seen.count) {
    Claims next = seen;
    ++next.taken;
    if (claims_.compare_exchange_weak(seen, next, std::memory_order_acq_rel)) return seen.taken;
  }
  return std::nullopt;
}

void ThreadPool::run_parts() {
  while (const auto part = claim()) {
    try {
      (*body_)(first_ + *part);
    } catch (...) {  // memory that a part needs does not suffice
      if (!has_failed_.test_and_set(std::memory_order_relaxed)) error_ = std::current_exception();
    }
    if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_one();
  }
}

void ThreadPool::work() {
  for (std::uint32_t seen = 0; !stops_;) {
    await_change(round_, seen);
    seen = round_.load(std::memory_order_acquire);
    if (!stops_) run_parts();
  }
}

}  // namespace awend::host

#include "host/thread_pool.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace awend::host {
namespace {

// About ten microseconds: longer than the time between the launches of one layer.
constexpr int kPolls = 2000;

/// Waits until `value` is no longer `old`.
void await_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int i = 0; i < kPolls; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(unsigned threads) {
  base::check(threads >= 1, "a pool has at least one thread");
  try {
    for (unsigned i = 1; i < threads; ++i)
      workers_.push_back(base::start_thread(threads, [this, i] { work(i); }));
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
  base::check(count <= size(), "the pool has enough threads");
  if (count > 1) {
    body_ = &body;
    count_ = count;
    pending_.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  if (count > 0) body(0);
  if (count <= 1) return;
  for (auto left = pending_.load(std::memory_order_acquire); left != 0;
       left = pending_.load(std::memory_order_acquire)) {
    await_change(pending_, left);
  }
}

void ThreadPool::work(unsigned index) {
  for (std::uint32_t round = 0;; ++round) {
    await_change(round_, round);
    if (stops_) return;
    if (index < count_) (*body_)(index);
    if (pending_.fetch_sub(1, std::memory_order_release) == 1) pending_.notify_one();
  }
}

}  // namespace awend::host

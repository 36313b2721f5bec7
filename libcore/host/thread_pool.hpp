// Threads for short parallel work: a pool that runs one function on all of its threads at once.
//
// Work of a fraction of a millisecond is common, so that a waiting thread first polls for a few
// microseconds before it sleeps.  Test: tests/unit/host/thread_pool_test.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace awend::host {

class ThreadPool {
 public:
  /// A pool of `threads` threads, of which the caller of run() is one.  Throws Error if the system
  /// refuses to start them.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// Calls body(i) for each i in [0, count), each on a thread of its own, and waits for all.
  /// Requires: count ≤ size(); body does not throw; one caller at a time.
  void run(unsigned count, const std::function<void(unsigned)>& body);

 private:
  void work(unsigned index);
  void stop();

  const std::function<void(unsigned)>* body_ = nullptr;
  unsigned count_ = 0;
  std::atomic<std::uint32_t> round_ = 0;    // increases with each call, and at the end
  std::atomic<std::uint32_t> pending_ = 0;  // workers that have not finished the round
  bool stops_ = false;
  std::vector<std::jthread> workers_;
};

}  // namespace awend::host

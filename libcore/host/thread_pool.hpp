// Threads for short parallel work: a pool that runs the parts of one function at once.
//
// Work of a fraction of a millisecond is common, so that a waiting thread first polls for a tenth
// of a millisecond before it sleeps.  Threads take the parts one by one: on a busy machine, the
// caller does not wait for a thread that the system does not run.  Test:
// tests/unit/host/thread_pool_test.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
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

  /// Calls body(i) for each i in [0, count), on any of the threads, and waits for all.  If another
  /// thread is in a call, this one computes alone.  Rethrows the first exception, after the calls
  /// that have begun; the others may not be made.
  void run(unsigned count, const std::function<void(unsigned)>& body);

 private:
  /// The state of a call of run(): its number, its parts, and those that a thread has taken.
  struct Claims {
    std::uint32_t round;
    std::uint16_t count;
    std::uint16_t taken;
  };
  static_assert(std::atomic<Claims>::is_always_lock_free);

  void work();
  void stop();
  std::optional<unsigned> claim();
  void run_parts();
  void run_round(unsigned first, unsigned count, const std::function<void(unsigned)>& body);

  const std::function<void(unsigned)>* body_ = nullptr;
  unsigned first_ = 0;
  std::atomic<Claims> claims_ = Claims{};
  std::atomic<std::uint32_t> round_ = 0;    // increases with each round, and at the end
  std::atomic<std::uint32_t> pending_ = 0;  // parts of the round that are not done
  std::atomic<bool> stops_ = false;
  std::atomic_flag is_running_ = {};
  std::atomic_flag has_failed_ = {};  // whether a part of this call of run() threw
  std::exception_ptr error_;          // the first exception of this call
  std::vector<std::jthread> workers_;
};

}  // namespace awend::host

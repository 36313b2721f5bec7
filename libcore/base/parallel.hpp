// Parallel processing of a stream, with the output in the order of the input.
//
// ordered_map is the mechanism; line filters use map_lines (base/filter.hpp).  Memory is bounded
// by a few items per thread.  Test: tests/unit/base/parallel_test.cpp.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace awend::base {

/// Starts one of `threads` threads; throws Error with the requested number if the system refuses.
std::jthread start_thread(unsigned threads, std::function<void()> body);

/// The three steps of a stream.
template <class In, class Out>
struct Stream {
  /// The next item, or nothing at the end.  Called on the caller's thread.
  std::function<std::optional<In>()> produce;
  /// Called on any thread; `worker` counts from 0.
  std::function<Out(unsigned worker, In)> transform;
  /// Called in the order of the items, by one thread at a time.
  std::function<void(Out)> consume;
};

/// Processes `stream` with `threads` workers; with one worker, no thread is started.  An exception
/// from a step ends the stream and is rethrown here, after the items before it were consumed.
template <class In, class Out>
void ordered_map(unsigned threads, const Stream<In, Out>& stream);

/// Calls body(worker) once on each of `threads` threads, including the calling thread, and waits;
/// rethrows the first exception.
void run_on_threads(unsigned threads, const std::function<void(unsigned worker)>& body);

namespace detail {

// Items wait in `queue_` for a worker, results in `results_` for their turn.  The worker that
// completes the next result in order consumes it and all available successors; `consuming_`
// prevents other workers from consuming at the same time.
template <class In, class Out>
class OrderedMap {
 public:
  OrderedMap(unsigned threads, const Stream<In, Out>& stream)
      : stream_(stream), threads_(threads), capacity_(4 * threads) {}

  void run() {
    std::exception_ptr production_error;
    try {
      for (unsigned i = 0; i < threads_; ++i)
        workers_.push_back(start_thread(threads_, [this, i] { work(i); }));
      while (std::optional<In> item = stream_.produce()) {
        if (!put(std::move(*item))) break;
      }
    } catch (...) {
      production_error = std::current_exception();
    }
    finish();
    if (error_) std::rethrow_exception(error_);
    if (production_error) std::rethrow_exception(production_error);
  }

 private:
  // False after a failure.
  bool put(In item) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return error_ || put_ - consumed_ < capacity_; });
    if (error_) return false;
    queue_.emplace_back(put_++, std::move(item));
    work_.notify_one();
    return true;
  }

  void finish() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    work_.notify_all();
    for (std::jthread& worker : workers_) worker.join();
  }

  void work(unsigned worker) {
    std::unique_lock lock(mutex_);
    while (true) {
      work_.wait(lock, [&] { return error_ || closed_ || !queue_.empty(); });
      if (error_ || queue_.empty()) return;
      auto [number, item] = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      Result result = transformed(worker, std::move(item));
      lock.lock();
      results_.emplace(number, std::move(result));
      consume_ready(lock);
    }
  }

  using Result = std::pair<std::optional<Out>, std::exception_ptr>;

  Result transformed(unsigned worker, In item) {
    try {
      return {stream_.transform(worker, std::move(item)), nullptr};
    } catch (...) {
      return {std::nullopt, std::current_exception()};
    }
  }

  void consume_ready(std::unique_lock<std::mutex>& lock) {
    while (!consuming_ && !error_ && !results_.empty() && results_.begin()->first == consumed_) {
      Result result = std::move(results_.begin()->second);
      results_.erase(results_.begin());
      consuming_ = true;
      lock.unlock();
      if (!result.second) result.second = consumed(std::move(*result.first));
      lock.lock();
      consuming_ = false;
      ++consumed_;
      if (result.second) fail(result.second);
      room_.notify_one();
    }
  }

  std::exception_ptr consumed(Out result) {
    try {
      stream_.consume(std::move(result));
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

  void fail(std::exception_ptr error) {
    error_ = error;
    work_.notify_all();
  }

  const Stream<In, Out>& stream_;
  const unsigned threads_;
  const std::uint64_t capacity_;  // items between produce and consume
  std::mutex mutex_;
  std::condition_variable work_, room_;
  std::deque<std::pair<std::uint64_t, In>> queue_;
  std::map<std::uint64_t, Result> results_;
  std::uint64_t put_ = 0, consumed_ = 0;
  bool closed_ = false, consuming_ = false;
  std::exception_ptr error_;
  std::vector<std::jthread> workers_;
};

}  // namespace detail

template <class In, class Out>
void ordered_map(unsigned threads, const Stream<In, Out>& stream) {
  if (threads > 1) return detail::OrderedMap<In, Out>(threads, stream).run();
  while (std::optional<In> item = stream.produce())
    stream.consume(stream.transform(0, std::move(*item)));
}

}  // namespace awend::base

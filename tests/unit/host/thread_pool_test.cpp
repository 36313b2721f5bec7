// The pool of threads for products.
#include "host/thread_pool.hpp"

#include <algorithm>
#include <atomic>

#include "tests/catch.hpp"

namespace awend::host {
namespace {

TEST_CASE("each part runs once, and run() waits for all") {
  for (const unsigned threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    REQUIRE(pool.size() == threads);
    for (int round = 0; round < 2000; ++round) {
      const unsigned count = static_cast<unsigned>(round) % 17;
      std::vector<std::atomic<int>> calls(17);
      pool.run(count, [&](unsigned i) { ++calls[i]; });
      for (unsigned i = 0; i < calls.size(); ++i) REQUIRE(calls[i] == (i < count ? 1 : 0));
    }
  }
}

TEST_CASE("there may be more parts than a round has") {
  ThreadPool pool(2);
  std::vector<std::atomic<int>> calls(70'000);
  pool.run(static_cast<unsigned>(calls.size()), [&](unsigned i) { ++calls[i]; });
  REQUIRE(std::ranges::all_of(calls, [](const auto& n) { return n == 1; }));
}

TEST_CASE("parts run at the same time, also after the threads slept") {
  ThreadPool pool(3);
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> running = 0;
    // Ends only if each of three threads has taken a part.
    pool.run(3, [&](unsigned) {
      ++running;
      while (running < 3) std::this_thread::yield();
    });
    CHECK(running == 3);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

TEST_CASE("a thread that is busy with one part does not keep others from theirs") {
  ThreadPool pool(2);
  std::atomic<unsigned> done = 0;
  pool.run(50, [&](unsigned i) {
    while (i == 0 && done < 49) std::this_thread::yield();
    ++done;
  });
  CHECK(done == 50);
}

TEST_CASE("an exception of a part is thrown after all parts, once") {
  ThreadPool pool(3);
  for (int round = 0; round < 100; ++round) {
    std::atomic<unsigned> calls = 0;
    CHECK_THROWS_AS(pool.run(20,
                             [&](unsigned i) {
                               ++calls;
                               if (i % 7 == 0) throw std::bad_alloc();
                             }),
                    std::bad_alloc);
    CHECK(calls == 20);
    pool.run(20, [&](unsigned) { ++calls; });
    CHECK(calls == 40);
  }
}

TEST_CASE("a pool that was never used ends") {
  const ThreadPool pool(4);
  CHECK(pool.size() == 4);
}

}  // namespace
}  // namespace awend::host

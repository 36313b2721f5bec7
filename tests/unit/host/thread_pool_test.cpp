// The pool of threads for products.
#include "host/thread_pool.hpp"

#include <atomic>

#include "tests/catch.hpp"

namespace awend::host {
namespace {

TEST_CASE("each index runs once, and run() waits for all") {
  for (const unsigned threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    REQUIRE(pool.size() == threads);
    for (int round = 0; round < 2000; ++round) {
      const unsigned count = static_cast<unsigned>(round) % (threads + 1);
      std::vector<std::atomic<int>> calls(threads);
      pool.run(count, [&](unsigned i) { ++calls[i]; });
      for (unsigned i = 0; i < threads; ++i) REQUIRE(calls[i] == (i < count ? 1 : 0));
    }
  }
}

TEST_CASE("indices run on threads of their own, which sleep and wake") {
  ThreadPool pool(3);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread::id> ids(3);
    pool.run(3, [&](unsigned i) { ids[i] = std::this_thread::get_id(); });
    CHECK(ids[0] == std::this_thread::get_id());
    CHECK(ids[1] != ids[0]);
    CHECK(ids[2] != ids[0]);
    CHECK(ids[2] != ids[1]);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

TEST_CASE("a pool that was never used ends") {
  const ThreadPool pool(4);
  CHECK(pool.size() == 4);
}

}  // namespace
}  // namespace awend::host

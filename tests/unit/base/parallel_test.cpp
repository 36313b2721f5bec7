#include "base/parallel.hpp"

#include <string>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::base;
using awend::tests::message_of;

// Items 0 to 999 with unequal work; `fail_at` breaks one step at one item.
struct Failures {
  int produce = -1, transform = -1, consume = -1;
};

std::vector<int> consumed_with(unsigned threads, const Failures& fail_at,
                               std::string* message = nullptr) {
  std::vector<int> consumed;
  int next = 0;
  Stream<int, int> stream;
  stream.produce = [&]() -> std::optional<int> {
    if (next == fail_at.produce) throw std::runtime_error("produce");
    return next < 1000 ? std::optional(next++) : std::nullopt;
  };
  stream.transform = [&](unsigned worker, int item) {
    if (worker >= threads) throw std::logic_error("no such worker");
    if (item == fail_at.transform) throw std::runtime_error("transform");
    for (volatile int i = 0; i < item % 7 * 1000;) i = i + 1;
    return item * 2;
  };
  stream.consume = [&](int item) {
    if (item == 2 * fail_at.consume) throw std::runtime_error("consume");
    consumed.push_back(item);
  };
  const std::string said = message_of([&] { ordered_map(threads, stream); });
  if (message) *message = said;
  return consumed;
}

TEST_CASE("results are in the order of the items, on any number of threads") {
  const std::vector<int> expected = consumed_with(1, {});
  REQUIRE(expected.size() == 1000);
  for (const unsigned threads : {2U, 3U, 8U}) CHECK(consumed_with(threads, {}) == expected);
}

TEST_CASE("an exception of a step is rethrown, after the items before it") {
  for (const unsigned threads : {1U, 2U, 8U}) {
    std::string message;
    CHECK(consumed_with(threads, {.produce = 500}, &message).size() == 500);
    CHECK(message == "produce");
    CHECK(consumed_with(threads, {.transform = 500}, &message).size() == 500);
    CHECK(message == "transform");
    CHECK(consumed_with(threads, {.consume = 500}, &message).size() == 500);
    CHECK(message == "consume");
  }
}

TEST_CASE("run_on_threads runs the body once on each, and passes an exception on") {
  for (const unsigned threads : {1U, 4U}) {
    std::vector<int> calls(threads);
    run_on_threads(threads, [&](unsigned worker) { ++calls[worker]; });
    CHECK(calls == std::vector<int>(threads, 1));
    CHECK(message_of([&] {
            run_on_threads(threads, [&](unsigned worker) {
              if (worker == threads - 1) throw std::runtime_error("body");
            });
          }) == "body");
  }
}

}  // namespace

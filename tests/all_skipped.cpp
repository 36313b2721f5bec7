// Part of all test programs: prints a line if SKIP() ended all test cases of a run, or if parts of
// one that did not fail were left out, so that ctest reports the run as skipped
// (tests/CMakeLists.txt).  The exit status does not tell: Catch2 returns 4 both for this and for
// four failed assertions.
#include <iostream>

#include "tests/catch.hpp"
#include "tests/conformance.hpp"

namespace awend::tests {
namespace {

#if __has_include(<catch2/catch_all.hpp>)
std::uint64_t skipped_of(const Catch::Totals& totals) {
  return totals.testCases.skipped;
}
#else
std::uint64_t skipped_of(const Catch::Totals& /*totals*/) {
  return skipped_cases();
}
#endif

class AllSkipped : public Listener {
 public:
  using Listener::Listener;
  void testRunEnded(const Catch::TestRunStats& stats) override {
    const std::uint64_t skipped = skipped_of(stats.totals);
    if (skipped > 0 && skipped == stats.totals.testCases.total())
      std::cout << "all test cases were skipped" << std::endl;
    // For ctest, the printed line takes precedence over the exit status.
    if (parts_left_out() > 0 && stats.totals.assertions.failed == 0 &&
        stats.totals.testCases.failed == 0)
      std::cout << "parts of the test were left out" << std::endl;
  }
};
CATCH_REGISTER_LISTENER(AllSkipped)

}  // namespace
}  // namespace awend::tests

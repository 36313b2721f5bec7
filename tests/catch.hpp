// Catch2 2 (Debian 12) and 3 (Debian 13) with the same names.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace awend::tests {
using Listener = Catch::EventListenerBase;
}
#else
#define CATCH_CONFIG_EXTERNAL_INTERFACES  // listeners
#include <catch2/catch.hpp>

inline auto ContainsSubstring(const std::string& text) {
  return Catch::Contains(text);
}

namespace awend::tests {
using Listener = Catch::TestEventListenerBase;

/// The number of test cases that SKIP() ended.
inline unsigned& skipped_cases() {
  static unsigned count = 0;
  return count;
}

}  // namespace awend::tests

/// Ends a test case that cannot run here, as in Catch2 3; here by a return, so it must be used in a
/// TEST_CASE or in a function that is its last statement.
#define SKIP(reason)                   \
  do {                                 \
    WARN("skipped: " << reason);       \
    ++::awend::tests::skipped_cases(); \
    return;                            \
  } while (false)
#endif

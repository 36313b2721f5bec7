// A warning that may apply to many lines: the first one is printed at once, the others are counted.
//
// Test: tests/cli/translate.sh.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/concat.hpp"
#include "base/report.hpp"

namespace awend::base {

class RepeatedWarning {
 public:
  explicit RepeatedWarning(const Report& report) : report_(report) {}

  /// Prints `text` if it is the first one.
  void add(std::string_view text) {
    if (++count_ == 1) report_.warning(text);
  }
  /// Prints how many were not printed: "the same for N more lines" and `what`, if there are any.
  void summarize(std::string_view what) const {
    if (count_ < 2) return;
    report_.warning(
        concat("the same for ", count_ - 1, count_ == 2 ? " more line" : " more lines", what));
  }

 private:
  const Report& report_;
  std::uint64_t count_ = 0;
};

}  // namespace awend::base

// Progress and interruption of vocabulary learning.
#pragma once

#include "base/report.hpp"
#include "base/signals.hpp"
#include "cli/progress.hpp"

namespace awend::tools {

/// Maximum number of ids or merges.
inline constexpr std::int64_t kMaxIds = 100'000'000;

/// Shows progress, and throws Interrupted after a signal.
class Learning {
 public:
  Learning(const base::Report& report, std::string_view unit, std::uint64_t total)
      : progress_(report, {"learning", unit, total}) {}
  void operator()(std::uint64_t done) {
    base::stop_if_requested();
    progress_.update(done);
  }

 private:
  cli::Progress progress_;
};

}  // namespace awend::tools

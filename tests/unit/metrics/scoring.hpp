// What tests of metrics have in common: a corpus in memory, and sacreBLEU's lines under our
// version.
#pragma once

#include <string>

#include "base/version.hpp"
#include "metrics/report.hpp"
#include "tests/unit/metrics/corpus.hpp"

namespace awend::tests {

/// Text of sacreBLEU's with our name for the version.
inline std::string as_awend(std::string text) {
  const std::string ours = "awend-" + std::string(base::version());
  for (const std::string before : {"version:", "v:", "\"version\": \""}) {
    const auto from = before + "2.6.0";
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
      text.replace(at, from.size(), before + ours);
      at += before.size() + ours.size();
    }
  }
  return text;
}

}  // namespace awend::tests

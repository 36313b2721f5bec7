// What tests of metrics have in common: a corpus in memory, and sacreBLEU's lines under our
// version.
#pragma once

#include <string>
#include <vector>

#include "base/version.hpp"
#include "metrics/report.hpp"

namespace awend::tests {

using Strings = std::vector<std::string>;

/// The statistics of a corpus: `references` are streams, each with a line for every hypothesis.
inline std::vector<std::int64_t> sums_of(const metrics::Metric& metric, const Strings& hypotheses,
                                         const std::vector<Strings>& references) {
  const auto worker = metric.make_worker();
  std::vector<std::int64_t> sums(metric.width()), row(metric.width());
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    std::vector<std::string_view> of_line;
    for (const auto& stream : references) of_line.push_back(stream[i]);
    worker->set_references(of_line);
    worker->measure(hypotheses[i], row);
    for (std::size_t k = 0; k < row.size(); ++k) sums[k] += row[k];
  }
  return sums;
}

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

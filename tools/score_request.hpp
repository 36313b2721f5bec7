// What score is asked for, read from its options.
#pragma once

#include <optional>

#include "base/options.hpp"
#include "metrics/measure.hpp"
#include "metrics/report.hpp"

namespace awend::tools {

enum class Format { kText, kJson, kLatex };

// What is scored and how it is printed.
struct Request {
  metrics::Metrics metrics;
  metrics::CorpusFiles files;
  metrics::MeasureSettings measuring;
  std::optional<metrics::Sampling> confidence;
  std::optional<metrics::Sampling> test;
  Format format = Format::kText;
  metrics::TextStyle text;
};

/// UsageError for what the options cannot mean.
Request request_of(const base::Options& options);

}  // namespace awend::tools

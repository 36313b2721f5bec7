// The error for a metric of translations (COMET), where a model is expected that translates, fills
// masks or assigns labels.  Test: tests/cli/comet.sh.
#pragma once

#include <string>

#include "base/error.hpp"
#include "model/config.hpp"

namespace awend::tools {

/// Throws Error naming the file if its model is a metric.
inline void refuse_metric(const model::Config& config, const std::string& path) {
  if (config.bert.metric.kind != model::MetricKind::kNone)
    base::fail(path, ": a metric of translations; use score --model");
}

}  // namespace awend::tools

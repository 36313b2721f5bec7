// The metrics that score's options ask for.
#pragma once

#include "base/options.hpp"
#include "metrics/measure.hpp"

namespace awend::tools {

/// In the order in which they are printed, whatever the order of --metric; --sentence turns BLEU's
/// effective order on.  UsageError for what the options cannot mean.
metrics::Metrics metrics_of(const base::Options& options);

}  // namespace awend::tools

// A packed batch as models read it.
#pragma once

#include "data/batch.hpp"
#include "model/packed_batch.hpp"

namespace awend::forward {

/// A view of `batch`, valid until that changes.
model::PackedBatch packed(const data::Batch& batch);

}  // namespace awend::forward

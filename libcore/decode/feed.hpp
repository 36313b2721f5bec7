// A packed batch as a model reads it.
#pragma once

#include "data/batch.hpp"
#include "model/packed_batch.hpp"

namespace awend::decode {

/// A view of `batch`, valid while that is unchanged.
model::PackedBatch packed(const data::Batch& batch);

}  // namespace awend::decode

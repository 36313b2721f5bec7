// Fills batches from a corpus.  Batches are limited by tokens as in section 5.1 of the paper;
// packing without padding is an addition.  Test: tests/unit/data/batch_test.cpp.
#pragma once

#include "batch/packed_batch.hpp"
#include "data/pairs_view.hpp"

namespace awend::data {

/// Packs the given sentence pairs, in the given order, into `batch`, whose memory is reused.
void pack_batch(const PairsView& corpus, const EpochPairs& pairs, batch::PackedBatch& batch);

}  // namespace awend::data

// Where the formats that are both read and written keep the weights of a Transformer.
//
// Test: tests/properties/foreign_models_test.cpp, tests/unit/interchange/export_test.cpp.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "interchange/foreign_weights.hpp"

namespace awend::interchange {

/// Whether a file has, or shall have, an array of this name.
using HasArray = std::function<bool(std::string_view name)>;

/// The names of blocks and of matrices in the layers of fairseq, which those of Hugging Face
/// have, too, by our names.
extern const std::map<std::string, std::string, std::less<>> kFairseqBlocks, kFairseqParts;

Location marian_location(const model::WeightShape& weight, const HasArray& has);
Location hugging_face_location(const model::WeightShape& weight, const HasArray& has);
Location ctranslate2_location(const model::WeightShape& weight, const HasArray& has);
/// Its table of source pieces, which has two names.
std::string ctranslate2_source_embedding(const HasArray& has);

}  // namespace awend::interchange

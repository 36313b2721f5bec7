// What a model for given text learns from: how lines are read, and how examples are made of them.
//
// Test: tests/unit/data/masked_text_test.cpp, tests/unit/data/labeled_text_test.cpp.
#pragma once

#include <memory>

#include "data/corpus.hpp"
#include "data/masked_text.hpp"

namespace awend::data {

struct ExampleSettings {
  Labeling labeling = {};
  MaskingSettings masking = {};  ///< Of running text.
};

/// Null for pairs.  Throws Error if the vocabulary lacks a special token.
std::unique_ptr<Packing> make_packing(const text::Vocabulary& vocabulary,
                                      const ExampleSettings& settings);

}  // namespace awend::data

// All architectures, by the name that a checkpoint's setting `architecture` has.  To add one, see
// CONTRIBUTING.md.
//
// Test: tests/unit/model/architectures_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/encoder.hpp"
#include "model/seq2seq.hpp"

namespace awend::model {

/// The names, in the order of registration.
std::vector<std::string_view> architecture_names();

/// Throws Error listing the names if `name` is not one of them.
void require_architecture(std::string_view name);

/// A model of config.architecture, which declares its parameters in `parameters`.  Throws Error if
/// the architecture is unknown or its settings are invalid.
std::unique_ptr<Model> make_model(const Config& config, nn::Parameters& parameters);
/// The model as one that generates text.  Throws Error if it does not.
const Seq2Seq& require_seq2seq(const Model& model);
/// The model as an encoder-only one.  Throws Error if it is not.
const Encoder& require_encoder(const Model& model);
/// The same as make_model(); throws Error if the architecture does not generate text.
std::unique_ptr<Seq2Seq> make_seq2seq(const Config& config, nn::Parameters& parameters);

}  // namespace awend::model

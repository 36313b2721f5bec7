// Shortlists: the output is restricted to some tokens, by a projection with only their rows.
//
// Probabilities are normalized over these tokens, as in Marian and CTranslate2.  Test:
// tests/unit/decode/shortlist_test.cpp, tests/properties/shortlist_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "decode/ensemble.hpp"
#include "decode/special_ids.hpp"

namespace awend::decode {

class Shortlist {
 public:
  /// Takes ids in any order and adds the special tokens; without ids, all tokens are allowed.
  Shortlist(std::vector<std::uint32_t> ids, const SpecialIds& special);

  bool all() const { return ids_.empty(); }
  std::size_t size() const { return ids_.size(); }
  /// In ascending order; empty: all.
  std::span<const std::uint32_t> ids() const { return ids_; }
  /// Whether a token is allowed.
  bool has(std::uint32_t id) const { return place(id).has_value(); }
  /// The row of a token in the projection, and the token of a row.
  std::optional<std::uint32_t> place(std::uint32_t id) const;
  std::uint32_t id(std::uint32_t place) const { return all() ? place : ids_[place]; }

 private:
  std::vector<std::uint32_t>
      ids_;  // ascending, so that equal logits rank by id as without a shortlist
};

/// The rows of a model's projection for the tokens of a shortlist, on the device.  Requires: not
/// all().
class ShortProjection {
 public:
  ShortProjection(nn::Engine& engine, const model::Seq2SeqView& member, const Shortlist& shortlist);

  nn::Parameters& parameters() { return parameters_; }
  /// Masked ids are rows of the projection.
  const nn::OutputLayer& output_layer() const { return output_; }

 private:
  nn::Parameters parameters_;
  nn::OutputLayer output_;
};

}  // namespace awend::decode

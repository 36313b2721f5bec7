// The tokens that may be said, where not all may: a smaller projection, whose rows are theirs.
//
// Probabilities are over these tokens alone, as they are in Marian and CTranslate2.  Test:
// tests/unit/decode/shortlist_test.cpp, tests/properties/shortlist_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "decode/ensemble.hpp"
#include "decode/rules.hpp"

namespace awend::decode {

class Shortlist {
 public:
  /// Of `ids` in any order, and those of the special tokens; without ids all tokens may be said.
  Shortlist(std::vector<std::uint32_t> ids, const SpecialIds& special);

  bool all() const { return ids_.empty(); }
  std::size_t size() const { return ids_.size(); }
  /// Whether a token may be said.
  bool has(std::uint32_t id) const { return place(id).has_value(); }
  /// The row of the projection that is a token's, and the other way round.
  std::optional<std::uint32_t> place(std::uint32_t id) const;
  std::uint32_t id(std::uint32_t place) const { return all() ? place : ids_[place]; }

 private:
  std::vector<std::uint32_t> ids_;  // rising, so that equal logits rank by id as ever
};

/// The rows of a model's projection that a shortlist has, on the device.  Requires: not all().
class ShortProjection {
 public:
  ShortProjection(nn::Engine& engine, const model::ModelView& member, const Shortlist& shortlist);

  nn::Parameters& parameters() { return parameters_; }
  const nn::Parameter& table() const { return table_; }

 private:
  nn::Parameters parameters_;
  nn::Parameter table_;
};

}  // namespace awend::decode

// Restrictions and penalties of a search: changes to the logits of a hypothesis's next token,
// before the softmax.
//
// Rules depend on one hypothesis only.  Test: tests/unit/decode/logit_rules_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/search_settings.hpp"

namespace awend::decode {

/// A change to one logit.
struct Adjustment {
  enum class Kind {
    kAdded,     ///< The amount is added.
    kRepeated,  ///< The amount divides a logit above 0, and multiplies one below.
  };
  std::uint32_t id;
  Kind kind;
  float amount;
};

class LogitRules {
 public:
  LogitRules(const LogitRuleSettings& settings, const SpecialIds& special)
      : settings_(settings), special_(special) {}

  /// Appends the changes for the next token of a hypothesis with tokens `ids` and minimum length
  /// `shortest`; each id occurs at most once.
  void append(std::span<const std::uint32_t> ids, std::uint32_t shortest,
              std::vector<Adjustment>& adjustments) const;
  /// The maximum number of changes for a hypothesis of `length` tokens; 0 if no rule is active.
  std::uint32_t max_changes(std::uint32_t length) const;

 private:
  LogitRuleSettings settings_;
  SpecialIds special_;
};

}  // namespace awend::decode

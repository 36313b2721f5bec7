// What a search may not say, or should say less: changes of a hypothesis's next logits, before they
// become probabilities.
//
// A rule sees one hypothesis and nothing else.  Test: tests/unit/decode/rules_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace awend::decode {

struct RuleSettings {
  double min_length_ratio = 0;         ///< Times the source's tokens …
  std::uint32_t min_length_extra = 0;  ///< … and so many more are said before the end.
  std::uint32_t no_repeat_ngram = 0;   ///< No n-gram of so many tokens comes twice; 0: any may.
  double repetition_penalty = 1;       ///< Of tokens that were said, Keskar et al. (2019).
  double unknown_penalty = 0;          ///< Taken from the logit of the unknown token.

  /// The fewest tokens, without the end, of the output for so many source tokens.
  std::uint32_t shortest(std::uint32_t source_tokens) const;
  bool operator==(const RuleSettings&) const = default;
};

/// A change of one logit.
struct Adjustment {
  enum class Kind {
    kAdded,     ///< The amount is added.
    kRepeated,  ///< The amount divides a logit above 0, and multiplies one below.
  };
  std::uint32_t id;
  Kind kind;
  float amount;
};

struct SpecialIds {
  std::uint32_t end_of_sentence = 1;
  std::uint32_t unknown = 0;
};

class Rules {
 public:
  Rules(const RuleSettings& settings, const SpecialIds& special)
      : settings_(settings), special_(special) {}

  /// Appends what changes for the next token of a hypothesis that has said `ids` and must say
  /// `shortest`; no id comes twice.
  void append(std::span<const std::uint32_t> ids, std::uint32_t shortest,
              std::vector<Adjustment>& adjustments) const;
  /// The most entries for a hypothesis of `length` tokens; 0 where nothing is ever changed.
  std::uint32_t most(std::uint32_t length) const;

 private:
  RuleSettings settings_;
  SpecialIds special_;
};

}  // namespace awend::decode

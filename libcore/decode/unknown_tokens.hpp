// Counts tokens that are not in the vocabulary, and keeps the first few for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/report.hpp"
#include "text/vocabulary.hpp"

namespace awend::decode {

/// The advice if lines are token lines.
inline constexpr std::string_view kOtherVocabulary =
    "; was the text tokenized with the vocabulary of the model?";

class UnknownTokens {
 public:
  explicit UnknownTokens(const text::Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  /// The ids of a token line; special tokens count as unknown.
  std::vector<std::uint32_t> ids_of(std::string_view line);

  /// Counts tokens that are known.
  void add_known(std::uint64_t tokens) { tokens_ += tokens; }

  std::uint64_t tokens() const { return tokens_; }
  std::uint64_t unknown() const { return unknown_; }
  /// Reports "WHAT: 3 of 20 tokens are unknown to the vocabulary: a, b, c" unless all are known:
  /// if many are, as a warning with advice.
  void warn(const base::Report& report, std::string_view what, std::string_view advice) const;

 private:
  const text::Vocabulary& vocabulary_;
  std::uint64_t tokens_ = 0, unknown_ = 0;
  std::vector<std::string> first_;
};

}  // namespace awend::decode

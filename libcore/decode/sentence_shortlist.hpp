// The tokens that the translation of one sentence may have, by a lexical shortlist: those that
// Marian and Firefox allow for this sentence in a batch of its own.
//
// These are the first tokens of the vocabulary, those of the lists of the source tokens, the end of
// the sentence included, with one vocabulary the source tokens themselves, and the tokens after the
// first ones that make their number a multiple of eight.  Here the end and the unknown token are
// always among them.  Test: tests/unit/decode/sentence_shortlist_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/special_ids.hpp"
#include "store/lexical_shortlist.hpp"

namespace awend::decode {

class SentenceShortlist {
 public:
  /// `tokens` is the number of tokens of the target.
  SentenceShortlist(store::LexicalShortlist lists, const SpecialIds& special, std::uint32_t tokens);

  /// The ids in ascending order, for a source with its end.
  std::vector<std::uint32_t> allowed(std::span<const std::uint32_t> source) const;

 private:
  store::LexicalShortlist lists_;
  SpecialIds special_;
  std::uint32_t tokens_;
};

}  // namespace awend::decode

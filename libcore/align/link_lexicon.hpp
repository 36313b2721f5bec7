// Translation probabilities by counting links: p(target word | source word), as tables for lexical
// shortlists have them. Test: tests/unit/align/aligner_test.cpp.
#pragma once

#include <unordered_map>

#include "align/bitext.hpp"
#include "base/files.hpp"
#include "text/word_alignment.hpp"

namespace awend::align {

class LinkLexicon {
 public:
  /// Counts the links of a sentence pair.
  void add(SentencePair pair, std::span<const text::Link> links);

  /// Writes lines `TARGET SOURCE PROBABILITY`, Marian's form: by source words, the most probable
  /// target word first.
  void write(const Bitext& bitext, base::OutputFile& out) const;

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;  // by source and target
};

}  // namespace awend::align

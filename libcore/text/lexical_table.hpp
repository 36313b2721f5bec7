// Tables of lexical translation probabilities, as word alignments give them: lines `target source
// probability` of two words and a number.  Test: tests/unit/text/lexical_table_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "base/lines.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// Which target words of a source word are listed.
struct LexicalLimits {
  std::uint32_t best = 100;  ///< The most of them, the most probable ones.
  double threshold = 0;      ///< Only those with a probability above this one.
};

/// Whether a line has the form of such a table.
bool looks_lexical(std::string_view line);

/// For each source id, its target ids in ascending order.  As in Marian, the last line of a pair
/// counts, of equally probable words those with the higher ids are listed, and lines with the word
/// NULL are skipped; so are lines with words that the vocabularies do not have.  Throws Error
/// naming the line if it has another form, or the file if none of its words are in the
/// vocabularies.
std::vector<Ids> read_lexical_table(base::LineReader& in, const Vocabulary& source,
                                    const Vocabulary& target, const LexicalLimits& limits);

}  // namespace awend::text

// One alignment out of those of two directions (Och and Ney 2003; Koehn et al. 2003).  Test:
// tests/unit/align/symmetrize_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "base/words.hpp"
#include "text/word_alignment.hpp"

namespace awend::align {

enum class Symmetrization {
  kForward,       ///< For each target word one source word.
  kReverse,       ///< For each source word one target word.
  kIntersection,  ///< Links of both directions.
  kUnion,         ///< Links of one direction.
  kGrowDiag,  ///< The intersection, and links of the union next to links, also diagonally, of words
              ///< without one.
  kGrowDiagFinal,     ///< And links of words of which one has none.
  kGrowDiagFinalAnd,  ///< And links of words of which both have none.
};

inline constexpr base::Word<Symmetrization> kSymmetrizationWords[] = {
    {Symmetrization::kGrowDiagFinalAnd, "grow-diag-final-and"},
    {Symmetrization::kGrowDiagFinal, "grow-diag-final"},
    {Symmetrization::kGrowDiag, "grow-diag"},
    {Symmetrization::kIntersection, "intersection"},
    {Symmetrization::kUnion, "union"},
    {Symmetrization::kForward, "forward"},
    {Symmetrization::kReverse, "reverse"}};

/// For each target word its source word, and for each source word its target word, or -1.
struct DirectedLinks {
  std::span<const int> forward, reverse;
};

/// The links in order of the source, then of the target.
std::vector<text::Link> symmetrize(const DirectedLinks& links, Symmetrization how);

}  // namespace awend::align

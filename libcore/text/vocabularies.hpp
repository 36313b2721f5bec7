// The vocabularies of the two sides of a model.
#pragma once

#include "text/vocabulary.hpp"

namespace awend::text {

/// Often one vocabulary is that of both sides.  Must not outlive them.
struct Vocabularies {
  // Implicit, because most callers have one.
  Vocabularies(const Vocabulary& both) : source(both), target(both) {}
  Vocabularies(const Vocabulary&& temporary) = delete;
  Vocabularies(const Vocabulary& source_side, const Vocabulary& target_side)
      : source(source_side), target(target_side) {}

  const Vocabulary& source;
  const Vocabulary& target;
};

}  // namespace awend::text

// What a run that continues another one does not take from it.
#pragma once

namespace awend::train {

struct Resets {
  bool optimizer = false;  ///< Its moments.
  bool schedule = false;   ///< The number of updates, which determines the learning rate.
  bool data = false;       ///< The position in the corpus, which may be another corpus.
  bool best = false;       ///< The best validations.
};

}  // namespace awend::train

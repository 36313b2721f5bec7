// Scores of translations.
#pragma once

namespace awend::train {

/// From 0 to 100.
struct Scores {
  double bleu = 0;
  double chrf = 0;
};

}  // namespace awend::train

// Scores of translations, or of the predictions of a model for given text.
#pragma once

namespace awend::train {

/// From 0 to 100.
struct Scores {
  double bleu = 0;  ///< Or the accuracy of masked tokens or labels.
  double chrf = 0;  ///< Or the accuracy of next sentences, or the macro-averaged F1 of labels.
};

}  // namespace awend::train

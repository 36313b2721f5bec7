#include "train/evaluation.hpp"

#include "train/trained_model.hpp"
#include "train/validation.hpp"

namespace awend::train {

double Evaluation::value(ValidationMetric metric) const {
  if (metric == ValidationMetric::kLoss)
    return losses.negative_log_likelihood / static_cast<double>(losses.tokens);
  return value_of(scores, metric);
}

Evaluation evaluate(TrainedModel& model, Validation& validation, ScoredValidation* output) {
  return model.with_average([&] {
    Evaluation evaluation{.losses = validation.run()};
    if (output != nullptr) evaluation.scores = output->scores();
    return evaluation;
  });
}

}  // namespace awend::train

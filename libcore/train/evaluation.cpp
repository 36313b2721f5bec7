#include "train/evaluation.hpp"

#include "base/error.hpp"
#include "train/trained_model.hpp"
#include "train/validation.hpp"

namespace awend::train {

double Evaluation::value(ValidationMetric metric) const {
  if (metric == ValidationMetric::kLoss)
    return losses.negative_log_likelihood / static_cast<double>(losses.tokens);
  base::check(scores.has_value(), "validations that are compared by scores translate");
  return metric == ValidationMetric::kBleu ? scores->bleu : scores->chrf;
}

Evaluation evaluate(TrainedModel& model, Validation& validation, ScoredValidation* output) {
  return model.with_average([&] {
    Evaluation evaluation{.losses = validation.run()};
    if (output != nullptr) evaluation.scores = output->scores();
    return evaluation;
  });
}

}  // namespace awend::train

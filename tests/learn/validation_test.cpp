// The loss of a validation does not depend on the number of threads, bit for bit.
#include "train/validation.hpp"

#include "tests/learn/stage.hpp"

namespace awend::tests {
namespace {

forward::Losses losses_on(unsigned threads, const model::Config& config,
                          const data::SentencePairs& pairs) {
  nn::Engine own({.requested = nn::kProcessor, .threads = threads});
  train::TrainedModel model(own, config, quick_recipe());
  return train::Validation(own, model.view(), pairs, {5000}).run();
}

}  // namespace

TEST_CASE("the loss of a validation does not depend on the number of threads") {
  const auto config =
      GENERATE(digit_model(), digit_rnn(nn::Cell::kLstm, model::RnnAttention::kGeneral));
  const auto pairs = reversals(1000, 3);  // some batches
  const auto one = losses_on(1, config, pairs);
  CHECK(one.tokens > 5000);
  for (const unsigned threads : {2u, 3u, 5u}) {
    CAPTURE(threads);
    const auto others = losses_on(threads, config, pairs);
    CHECK(others.tokens == one.tokens);
    CHECK(others.smoothed == one.smoothed);
    CHECK(others.negative_log_likelihood == one.negative_log_likelihood);
  }
}

TEST_CASE("a validation of a few pairs has all threads") {
  const auto pairs = reversals(3, 3);
  const auto one = losses_on(1, digit_model(), pairs), three = losses_on(3, digit_model(), pairs);
  CHECK(one.negative_log_likelihood == three.negative_log_likelihood);
}

}  // namespace awend::tests

// Which scores the validations of an architecture have, and their names.
#include "train/scores.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::train {
namespace {

using Names = std::vector<std::string_view>;

Names names_of(const model::Config& config) {
  Names names;
  for (const auto metric : scores_of(config)) names.push_back(name_of(metric));
  return names;
}

model::Config bert(model::Task task) {
  auto config = model::preset("bert-tiny");
  config.bert.task = task;
  return config;
}

TEST_CASE("scores have the names of what they are", "[scores]") {
  CHECK(names_of(model::preset("tiny")) == Names{"bleu", "chrf"});
  CHECK(names_of(model::preset("rnn-tiny")) == Names{"bleu", "chrf"});
  CHECK(names_of(model::preset("memory-3hop")) == Names{"accuracy"});
  CHECK(names_of(bert(model::Task::kPretrain)) == Names{"accuracy", "next_sentence_accuracy"});
  auto unpaired = bert(model::Task::kPretrain);
  unpaired.bert.next_sentence = model::Switch::kOff;
  CHECK(names_of(unpaired) == Names{"accuracy"});
  CHECK(names_of(bert(model::Task::kClassify)) == Names{"accuracy", "f1"});
  CHECK(names_of(bert(model::Task::kTag)) == Names{"accuracy", "f1"});
  CHECK(names_of(bert(model::Task::kSpans)) == Names{"exact_match", "f1"});
}

TEST_CASE("only the loss is better if it is lower", "[scores]") {
  for (const auto& metric : kMetrics) {
    CAPTURE(metric.text);
    CHECK((metric.better == Better::kLower) == (metric.value == ValidationMetric::kLoss));
    CHECK(column_of(metric.value) == "valid_" + std::string(metric.text));
    CHECK(metric.heading.size() < 7);  // the width of a column on a terminal
  }
}

TEST_CASE("a metric that a model does not have is refused with those that it has", "[scores]") {
  const auto refusal = [](ValidationMetric metric, const model::Config& config) {
    return tests::message_of([&] { require_metric(metric, config); });
  };
  const auto labels = bert(model::Task::kClassify);
  CHECK(refusal(ValidationMetric::kBleu, labels) == "must be loss, accuracy or f1, got 'bleu'");
  CHECK(refusal(ValidationMetric::kF1, model::preset("tiny")) ==
        "must be loss, bleu or chrf, got 'f1'");
  CHECK_NOTHROW(require_metric(ValidationMetric::kLoss, labels));
  CHECK_NOTHROW(require_metric(ValidationMetric::kF1, labels));
}

TEST_CASE("training states from before scores had names are read", "[scores]") {
  const base::Report quiet("test", base::Verbosity::kQuiet);
  const auto present = [&](ValidationMetric stored, const model::Config& config) {
    return present_metric(stored, config, quiet);
  };
  const auto pretraining = bert(model::Task::kPretrain), labels = bert(model::Task::kTag);
  CHECK(present(ValidationMetric::kBleu, pretraining) == ValidationMetric::kAccuracy);
  CHECK(present(ValidationMetric::kChrf, pretraining) == ValidationMetric::kNextSentenceAccuracy);
  CHECK(present(ValidationMetric::kChrf, labels) == ValidationMetric::kF1);
  CHECK(present(ValidationMetric::kLoss, labels) == ValidationMetric::kLoss);
  CHECK(present(ValidationMetric::kF1, labels) == ValidationMetric::kF1);
  // BLEU of answers is not their accuracy.
  const auto memory = model::preset("memory-3hop");
  CHECK(present(ValidationMetric::kBleu, memory) == ValidationMetric::kBleu);
  CHECK(present(ValidationMetric::kChrf, model::preset("tiny")) == ValidationMetric::kChrf);
}

}  // namespace
}  // namespace awend::train

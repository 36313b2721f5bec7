// BERT learns a text with masks, and labels; a run that resumes has the bytes of one that did not
// stop, and fine-tuning starts from the shared weights.
#include <filesystem>

#include "data/examples.hpp"
#include "data/fingerprint.hpp"
#include "model/checkpoint.hpp"
#include "tests/catch.hpp"
#include "tests/learn/stage.hpp"
#include "tests/scratch.hpp"
#include "tests/unit/data/special_vocabulary.hpp"
#include "train/checkpoint.hpp"
#include "train/encoded_validation.hpp"
#include "train/initial_weights.hpp"
#include "train/loop.hpp"
#include "train/ranks/join_ranks.hpp"
#include "train/span_validation.hpp"
#include "train/validation.hpp"

namespace awend::tests {
namespace {

constexpr std::uint32_t kWords = 12;

model::Config tiny_bert(const text::Vocabulary& vocabulary) {
  auto config = model::preset("bert-tiny");
  config.vocabulary = vocabulary.size();
  config.d_model = 32;
  config.transformer.d_ff = 64;
  config.transformer.heads = 2;
  config.transformer.d_k = config.transformer.d_v = 16;
  config.max_positions = 32;
  return config;
}

/// Counting in circles: a sentence continues where the one before it in the document ended.
data::SentencePairs counting(std::size_t sentences, std::uint32_t first_id, std::uint64_t seed) {
  base::Random random(seed);
  data::SentencePairs pairs;
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < sentences; ++i) {
    std::vector<std::uint32_t> ids;
    if (i % 7 == 6) number = random.below(kWords);
    for (std::size_t length = i % 7 == 6 ? 0 : 4 + random.below(4); ids.size() < length;)
      ids.push_back(first_id + number++ % kWords);
    pairs.source.add(ids);
    pairs.target.add({});
  }
  return pairs;
}

train::Recipe bert_recipe() {
  auto recipe = quick_recipe();
  recipe.batch_tokens = 512;
  recipe.adam.beta2 = 0.999;
  recipe.learning_rate = 0.004;
  recipe.warmup = 60;
  recipe.clip_norm = 1;
  return recipe;
}

/// A run of pre-training.
class Pretraining {
 public:
  Pretraining()
      : vocabulary_(data::special_vocabulary(kWords + 1)),
        first_(vocabulary_.find("w0").value()),
        corpus_(counting(300, first_, 1)),
        valid_(counting(60, first_, 2)),
        masks_(data::make_packing(vocabulary_, {.labeling = {.kind = data::CorpusKind::kRunning},
                                                .masking = {.longest_rows = 32}})) {
    identity_.config = tiny_bert(vocabulary_);
    identity_.config.dropout = 0;
    identity_.recipe = bert_recipe();
    identity_.vocabulary = vocabulary_.serialize();
    identity_.corpus_fingerprint = data::fingerprint(corpus_);
    limits_ = {.valid_every = 40, .save_every = 60, .log_every = 20, .keep = 9};
  }

  /// Returns the scores at the end.
  train::Scores train(const std::string& directory, std::uint64_t steps, std::uint32_t pass_rows) {
    std::filesystem::create_directories(directory);
    limits_.max_steps = steps;
    const base::Report report("test", base::Verbosity::kQuiet);
    const auto checkpoint = train::find_checkpoint(directory, report);
    train::TrainedModel model(engine(), identity_.config, identity_.recipe);
    train::Trainer trainer(engine(), model, identity_.recipe, {.pass_rows = pass_rows});
    const auto valid = data::PairsView(valid_).packed_by(masks_.get());
    train::Validation validation(engine(), model.view(), valid, {512});
    train::EncodedValidation encoded(engine(), {&model.parameters(), model.model().as_encoder()},
                                     valid);
    train::RunState state;
    if (checkpoint) {
      train::require_same_run(*checkpoint, identity_);
      state = train::read_state(*checkpoint);
      train::load_checkpoint(*checkpoint, trainer);
      trainer.set_counts(state.counts);
    }
    train::Log log({.output = directory + "/log-" + std::to_string(steps)});
    const auto alone = train::join_ranks();
    train::Loop loop({.ranks = *alone,
                      .trainer = trainer,
                      .validation = &validation,
                      .translation = &encoded,
                      .log = &log,
                      .corpus = data::PairsView(corpus_).packed_by(masks_.get()),
                      .identity = identity_,
                      .pass_rows = pass_rows,
                      .limits = limits_,
                      .directory = directory,
                      .resumes = checkpoint.has_value(),
                      .is_on_cpu = false,
                      .started = train::Clock::now()},
                     state, report);
    loop.run();
    log.close();
    return encoded.scores();
  }

  const text::Vocabulary& vocabulary() const { return vocabulary_; }
  std::uint32_t first() const { return first_; }

 private:
  text::Vocabulary vocabulary_;
  std::uint32_t first_;
  data::SentencePairs corpus_, valid_;
  std::unique_ptr<data::Packing> masks_;
  train::Identity identity_;
  train::RunLimits limits_;
};

/// Lines of words in ascending or descending order, and which.
data::SentencePairs directions(std::size_t count, std::uint32_t first_id, std::uint64_t seed) {
  base::Random random(seed);
  data::SentencePairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t label = random.below(2), begin = random.below(kWords);
    std::vector<std::uint32_t> ids(4 + random.below(4));
    for (std::uint32_t place = 0; place < ids.size(); ++place)
      ids[place] = first_id + (begin + (label == 0 ? place : kWords * 2 - place)) % kWords;
    pairs.source.add(ids);
    pairs.target.add(std::vector<std::uint32_t>{label});
  }
  return pairs;
}

/// Questions for a class of words: the first four words, or the next four; or for the last four,
/// which no passage has.  A passage has a run of one to three words of each of both classes.
data::SentencePairs word_questions(std::size_t count, const text::Vocabulary& vocabulary,
                                   std::uint64_t seed) {
  const auto first_id = vocabulary.find("w0").value();
  const auto separator = vocabulary.find("[SEP]").value();
  base::Random random(seed);
  data::SentencePairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t asked = random.below(3), class_of_first = random.below(2);
    std::vector<std::uint32_t> ids{first_id + 8 + asked, separator};
    std::vector<std::uint32_t> answer{data::kNoAnswer, data::kNoAnswer};
    for (const auto word_class : {class_of_first, 1 - class_of_first}) {
      const auto begin = static_cast<std::uint32_t>(ids.size()) - 1;
      const std::uint32_t length = 1 + random.below(3);
      for (std::uint32_t k = 0; k < length; ++k)
        ids.push_back(first_id + 4 * word_class + random.below(4));
      if (word_class == asked) answer = {begin, begin + length - 1};
    }
    pairs.source.add(ids);
    pairs.target.add(answer);
  }
  return pairs;
}

std::vector<std::byte> bytes_of(const std::string& path) {
  const base::MappedFile file(path);
  return {file.bytes().begin(), file.bytes().end()};
}

}  // namespace

TEST_CASE("BERT learns masked tokens and next sentences, resumes bit for bit, and is fine-tuned",
          "[bert][processor]") {
  const Scratch scratch;
  Pretraining run;
  const auto scores = run.train(scratch.path("whole"), 360, 512);
  CHECK(value_of(scores, train::ValidationMetric::kAccuracy) > 70);              // by chance 8
  CHECK(value_of(scores, train::ValidationMetric::kNextSentenceAccuracy) > 80);  // by chance 50
  run.train(scratch.path("parts"), 130, 512);
  run.train(scratch.path("parts"), 360, 512);
  for (const char* file : {"model-00000360.safetensors", "model-00000300.safetensors"})
    CHECK(bytes_of(scratch.path("whole/") + file) == bytes_of(scratch.path("parts/") + file));

  auto config = tiny_bert(run.vocabulary());
  config.bert.task = model::Task::kClassify;
  config.bert.labels = {"down", "up"};
  const auto corpus = directions(100, run.first(), 5), valid = directions(60, run.first(), 6);
  const auto packing =
      data::make_packing(run.vocabulary(), {.labeling = {.kind = data::CorpusKind::kLabeledLines}});
  train::TrainedModel model(engine(), config, bert_recipe());
  const base::Report quiet("test", base::Verbosity::kQuiet);
  train::load_weights({.path = scratch.path("whole/model-00000360.safetensors")}, run.vocabulary(),
                      model, quiet);
  const store::ArrayFile pretrained(scratch.path("whole/model-00000360.safetensors"));
  CHECK(model::load_shared(model.view(), pretrained) ==
        std::vector<std::string>{"classifier", "classifier_bias"});
  train::Trainer trainer(engine(), model, bert_recipe(), {.pass_rows = 512});
  data::UpdateStream stream(data::PairsView(corpus).packed_by(packing.get()), {.batch_tokens = 512},
                            {.pass_rows = 512});
  for (int update = 0; update < 60; ++update) trainer.update(stream.next());
  train::EncodedValidation accuracy(engine(), {&model.parameters(), model.model().as_encoder()},
                                    data::PairsView(valid).packed_by(packing.get()));
  REQUIRE(!accuracy.scores().empty());
  for (const auto& score : accuracy.scores()) CHECK(score.value > 95);
}

TEST_CASE("BERT learns to find answers, from pre-trained weights of another task",
          "[bert][processor]") {
  const auto vocabulary = data::special_vocabulary(kWords + 1);
  auto config = tiny_bert(vocabulary);
  config.dropout = 0;
  const auto recipe = bert_recipe();
  train::TrainedModel pretrained(engine(), config, recipe);
  config.bert.task = model::Task::kSpans;
  train::TrainedModel model(engine(), config, recipe);
  const Scratch scratch;
  model::write_weights(scratch.path("pretrained"), {pretrained.parameters()},
                       pretrained.model().config(), {})
      ->commit();
  CHECK(model::load_shared(model.view(), store::ArrayFile(scratch.path("pretrained"))) ==
        std::vector<std::string>{"span", "span_bias"});
  const auto corpus = word_questions(400, vocabulary, 5), valid = word_questions(60, vocabulary, 6);
  const auto packing =
      data::make_packing(vocabulary, {.labeling = {.kind = data::CorpusKind::kSpans}});
  const auto view = data::PairsView(valid).packed_by(packing.get());
  train::Trainer trainer(engine(), model, recipe, {.pass_rows = 512});
  data::UpdateStream stream(data::PairsView(corpus).packed_by(packing.get()), {.batch_tokens = 512},
                            {.pass_rows = 512});
  train::SpanValidation answers(engine(), {&model.parameters(), model.model().as_encoder()}, view);
  train::Validation validation(engine(), model.view(), view, {512});
  const auto before = answers.scores();
  CHECK(value_of(before, train::ValidationMetric::kExactMatch) < 50);
  const auto losses_before = validation.run();
  // Of 8 tokens and 3 others: the mean of both ends is near ln 11.
  CHECK(losses_before.loss() > 1.5);
  CHECK(losses_before.tokens == 2 * valid.size());
  for (int update = 0; update < 300; ++update) trainer.update(stream.next());
  CHECK(validation.run().loss() < 0.2);
  REQUIRE(!answers.scores().empty());
  for (const auto& score : answers.scores()) CHECK(score.value > 95);
}

TEST_CASE("the gradient of BERT does not depend on the division into passes", "[bert]") {
  const auto vocabulary = data::special_vocabulary(kWords + 1);
  const auto corpus = counting(100, vocabulary.find("w0").value(), 1);
  const auto masks = data::make_packing(
      vocabulary,
      {.labeling = {.kind = data::CorpusKind::kRunning}, .masking = {.longest_rows = 32}});
  auto config = tiny_bert(vocabulary);
  config.dropout = 0.2;
  // Adam would amplify the rounding of gradients that are zero, such as those of biases of keys.
  std::vector<train::Update> updates;
  for (const std::uint32_t rows : {600, 40}) {
    train::TrainedModel model(engine(), config, bert_recipe());
    train::Trainer trainer(engine(), model, bert_recipe(), {.pass_rows = rows});
    data::UpdateStream stream(data::PairsView(corpus).packed_by(masks.get()), {.batch_tokens = 600},
                              {.pass_rows = rows});
    updates.push_back(trainer.update(stream.next()));
  }
  CHECK(updates[0].losses.tokens == updates[1].losses.tokens);
  CHECK(updates[0].losses.sentences == updates[1].losses.sentences);
  CHECK(updates[0].losses.loss() == Approx(updates[1].losses.loss()).epsilon(1e-5));
  CHECK(updates[0].gradient_norm == Approx(updates[1].gradient_norm).epsilon(1e-5));
}

}  // namespace awend::tests

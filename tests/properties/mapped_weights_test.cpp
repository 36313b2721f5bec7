// Models whose weights are read from the mapped file give the same bits as models whose weights are
// copied to memory in fp32.
#include <string>
#include <vector>

#include "decode/ensemble.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "nn/activation_scales.hpp"
#include "store/average.hpp"
#include "tests/catch.hpp"
#include "tests/properties/random_shortlist.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {
namespace {

// Not a multiple of 4, so that tables have padding in memory.
constexpr std::uint32_t kVocabulary = 50;

/// A model that has copied its weights.
class CopiedModel {
 public:
  explicit CopiedModel(const store::ArrayFile& checkpoint)
      : seq2seq_(model::make_seq2seq(model::read_config(checkpoint), parameters_)) {
    parameters_.allocate(shared_processor(), nn::Use::kInference);
    model::load(parameters_, checkpoint);
  }
  model::Seq2SeqView view() { return {&parameters_, seq2seq_.get()}; }

 private:
  nn::Parameters parameters_;
  std::unique_ptr<model::Seq2Seq> seq2seq_;
};

using Answers = std::vector<std::vector<decode::Hypothesis>>;

Answers answers_of(const model::Seq2SeqView& model, const decode::TranslatorSettings& made) {
  decode::Translator translator(shared_processor(), decode::single_model(model), made);
  Answers answers;
  for (const auto& answer : translator.translate(some_sentences(kVocabulary)))
    answers.push_back(answer);
  return answers;
}

void require_same(const Answers& a, const Answers& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    REQUIRE(a[i].size() == b[i].size());
    for (std::size_t rank = 0; rank < a[i].size(); ++rank) REQUIRE(same(a[i][rank], b[i][rank]));
  }
}

model::Config config_of(std::string_view kind) {
  auto config = small_config(kVocabulary);
  config.max_positions = 61;
  if (kind == "learned positions") config.transformer.positions = model::Positions::kLearned;
  if (kind == "relative positions") {
    config.transformer.positions = model::Positions::kRelative;
    config.transformer.norm_kind = model::NormKind::kRms;
  }
  if (kind == "own source vocabulary") {
    config.source_vocabulary = 51;
    config.transformer.tie = model::Tie::kNone;
  }
  if (kind == "rnn") config.architecture = "rnn";
  return config;
}

/// Random weights, and the metadata that an average has.
std::string whole_checkpoint(const std::string& path, const model::Config& config) {
  nn::Parameters parameters;
  const auto seq2seq = model::make_seq2seq(config, parameters);
  parameters.allocate(shared_processor(), nn::Use::kInference);
  parameters.initialize(5);
  model::save(path, {parameters}, config, {{std::string(store::keys::kVocabulary), "unused"}});
  return path;
}

}  // namespace

TEST_CASE("mapped weights give the translations of copied ones") {
  const Scratch scratch;
  for (const std::string kind :
       {"sinusoids", "learned positions", "relative positions", "own source vocabulary", "rnn"}) {
    CAPTURE(kind);
    const auto full = whole_checkpoint(scratch.path("full"), config_of(kind));
    const auto small = scratch.path("small");
    store::average({&full, 1}, small, {.storage = store::Storage::kInt8});
    for (const auto& path : {full, small}) {
      CAPTURE(path);
      const store::ArrayFile file(path);
      decode::LoadedModel mapped(shared_processor(), file, nn::Element::kFloat32);
      CopiedModel copied(file);
      CHECK(mapped.parameters().flat_floats() < copied.view().parameters->flat_floats() / 4);
      const auto made = settings(4, 300);
      require_same(answers_of(mapped.view(), made), answers_of(copied.view(), made));

      auto of_some = made;
      of_some.shortlist = {7, 9, 2, 30, 41, 48};
      require_same(answers_of(mapped.view(), of_some), answers_of(copied.view(), of_some));

      const auto lists = random_shortlist(kVocabulary);
      auto of_each = made;
      of_each.sentence_shortlist = &lists;
      require_same(answers_of(mapped.view(), of_each), answers_of(copied.view(), of_each));

      const decode::SentencePair pair{{5, 6, 7}, {8, 9}};
      decode::TeacherForcedScorer scorer(shared_processor(), mapped.view(), {.end_of_sentence = 1});
      decode::TeacherForcedScorer expected(shared_processor(), copied.view(),
                                           {.end_of_sentence = 1});
      CHECK(scorer.scores({&pair, 1}) == expected.scores({&pair, 1}));
    }
  }
}

TEST_CASE("a list of tokens keeps the fixed scale of the left operands") {
  const Scratch scratch;
  const auto full = whole_checkpoint(scratch.path("full"), small_config());
  const auto small = scratch.path("small");
  store::average({&full, 1}, small, {.storage = store::Storage::kInt8});
  decode::LoadedModel model(shared_processor(), store::ArrayFile(small), nn::Element::kFloat32);
  const auto table = model.seq2seq().output_layer().table;
  const decode::Shortlist some({3, 4, 5}, {.end_of_sentence = 1, .unknown = 0});
  decode::ShortProjection dynamic(shared_processor(), model.view(), some);
  CHECK(nn::activation_scale(dynamic.parameters(), dynamic.output_layer().table) == 0);
  nn::fix_activation_scale(model.parameters(), table, 25);
  decode::ShortProjection fixed(shared_processor(), model.view(), some);
  CHECK(nn::activation_scale(fixed.parameters(), fixed.output_layer().table) == 25);
}

}  // namespace awend::tests

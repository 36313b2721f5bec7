// The gradient of the whole model.  On the processor, it is checked against finite differences of
// the loss in the direction of the gradient; on other devices, against that of the processor.
#include <cmath>

#include "data/encoder_batch.hpp"
#include "model/architectures.hpp"
#include "tests/catch.hpp"
#include "tests/learn/stage.hpp"

namespace awend::tests {
namespace {

using Buffer = nn::Parameters::Buffer;

/// Computes the loss per token of a model and its gradient.
class Stage {
 public:
  Stage(const model::Config& config, const batch::PackedBatch& batch,
        const std::optional<nn::GuidedAlignment>& guided = {}, nn::Engine& device = engine())
      : batch_(batch), model_(model::make_model(config, parameters_)) {
    parameters_.allocate(device, nn::Use::kTraining);
    parameters_.initialize(5);
    pass_ = std::make_unique<forward::Pass>(
        device, model::ModelView{&parameters_, model_.get()},
        forward::PassSettings{
            .rows = 256, .mode = nn::Mode::kTraining, .guided_alignment = guided});
    pass_->compile();
  }

  double loss() {
    nn::StepScalars scalars{};
    scalars.seed_low = 9;  // fixed dropout masks: the loss is a function of the parameters
    scalars.loss_scale = 1.0f / static_cast<float>(batch_.target_rows());
    pass_->write(batch_, scalars, 1.0f / static_cast<float>(batch_.sentences));
    pass_->replay();
    return pass_->losses().loss();
  }
  nn::Parameters& parameters() { return parameters_; }

 private:
  const batch::PackedBatch& batch_;
  nn::Parameters parameters_;
  std::unique_ptr<model::Model> model_;
  std::unique_ptr<forward::Pass> pass_;
};

std::vector<float> moved(const std::vector<float>& from, const std::vector<float>& along,
                         double by) {
  std::vector<float> result = from;
  for (std::size_t i = 0; i < from.size(); ++i) result[i] += static_cast<float>(by * along[i]);
  return result;
}

// Large enough for the loss in fp32.
constexpr double kStep = 0.01;

struct Slice {
  std::size_t first, count;
};

/// Where the values of parameter i are in the result of flat().
std::vector<Slice> slices_of(const nn::Parameters& parameters) {
  std::vector<Slice> slices;
  std::size_t first = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = parameters.parameter(i);
    slices.push_back({first, std::size_t{parameter.rows} * parameter.columns});
    first += slices.back().count;
  }
  return slices;
}

double norm_of(const std::vector<float>& values, const Slice& slice) {
  double square = 0;
  for (std::size_t k = slice.first; k < slice.first + slice.count; ++k)
    square += double{values[k]} * values[k];
  return std::sqrt(square);
}

/// Checks the gradient of each parameter separately, so that small gradients are checked too.
void compare_with_differences(Stage& stage, double h) {
  REQUIRE(std::isfinite(stage.loss()));
  const auto values = flat(stage.parameters());
  const auto gradient = flat(stage.parameters(), Buffer::kGradients);
  const auto slices = slices_of(stage.parameters());
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const double norm = norm_of(gradient, slices[i]);
    CAPTURE(stage.parameters().name(i));
    if (!stage.parameters().trains(stage.parameters().parameter(i))) {
      CHECK(norm == 0);
      continue;
    }
    REQUIRE(norm > 0);
    std::vector<float> direction(values.size(), 0);
    for (std::size_t k = slices[i].first; k < slices[i].first + slices[i].count; ++k)
      direction[k] = gradient[k];
    set_flat(stage.parameters(), moved(values, direction, h / norm));
    const double above = stage.loss();
    set_flat(stage.parameters(), moved(values, direction, -h / norm));
    const double below = stage.loss();
    CHECK((above - below) / (2 * h) == Approx(norm).epsilon(0.02).margin(2e-4));
  }
}

/// Checks that the loss is that of `expected`, and that the gradients of a parameter differ by a
/// small part of their length, or, where they are sums that cancel, of that of the whole gradient.
void compare_with_stage(Stage& stage, Stage& expected) {
  CHECK(stage.loss() == Approx(expected.loss()).epsilon(1e-5));
  const auto gradient = flat(stage.parameters(), Buffer::kGradients);
  const auto wanted = flat(expected.parameters(), Buffer::kGradients);
  std::vector<float> difference(gradient.size());
  for (std::size_t k = 0; k < gradient.size(); ++k) difference[k] = gradient[k] - wanted[k];
  const auto slices = slices_of(stage.parameters());
  const double rounding = 1e-6 * norm_of(wanted, {0, wanted.size()});
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const double length = norm_of(wanted, slices[i]);
    CAPTURE(stage.parameters().name(i), length);
    CHECK(norm_of(difference, slices[i]) <= 1e-4 * length + rounding);
  }
}

void check_gradient(const model::Config& config, const batch::PackedBatch& batch, double h = kStep,
                    const std::optional<nn::GuidedAlignment>& guided = {}) {
  Stage stage(config, batch, guided);
  if (engine().on_processor()) return compare_with_differences(stage, h);
  Stage expected(config, batch, guided, shared_processor());
  compare_with_stage(stage, expected);
}

void check_gradient(const model::Config& config,
                    const data::SentencePairs& pairs = reversals(8, 1)) {
  check_gradient(config, batch_of(pairs, 0, 8));
}

/// Of a model whose loss is more curved, with a smaller step.
void check_curved_gradient(const model::Config& config) {
  check_gradient(config, batch_of(reversals(8, 1), 0, 8), kStep / 4);
}

/// Two segments of digits in each sentence; three places are predicted, or the first one.
batch::PackedBatch digit_segments(model::Task task) {
  const auto pairs = reversals(8, 1);
  batch::PackedBatch batch;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::vector<std::uint32_t> ids{0};
    const auto append = [&](std::span<const std::uint32_t> digits) {
      ids.insert(ids.end(), digits.begin(), digits.end());
      ids.push_back(1);
    };
    append(pairs.source[i]);
    const auto second = static_cast<std::uint32_t>(ids.size());
    append(pairs.target[i]);
    const auto label = static_cast<std::uint32_t>(i % 2);
    std::vector<std::uint32_t> places{0}, answers{label};
    if (task != model::Task::kClassify) places = {1, 3, second + 1};
    if (task == model::Task::kTag) answers = {0, 1, label};
    if (task == model::Task::kSpans) {
      places.clear();
      answers = {second, second + label};
    }
    if (task == model::Task::kPretrain) answers = {ids[1], ids[3], ids[second + 1]};
    data::add_example({.ids = ids,
                       .second_segment = second,
                       .predicted = places,
                       .answers = answers,
                       .label = label},
                      batch);
  }
  data::finish_examples(batch);
  return batch;
}

TEST_CASE("the gradient of BERT", "[gradient]") {
  auto config = model::preset("bert-tiny");
  auto& transformer = config.transformer;
  config.vocabulary = 12;
  config.d_model = 32;
  transformer.d_ff = 64;
  transformer.heads = 2;
  transformer.d_k = transformer.d_v = 16;
  config.max_positions = 20;
  config.dropout = 0.1;
  transformer.attention_dropout = 0.1;
  const auto task = GENERATE(model::Task::kPretrain, model::Task::kClassify, model::Task::kTag,
                             model::Task::kSpans);
  config.bert.task = task;
  if (task == model::Task::kClassify || task == model::Task::kTag)
    config.bert.labels = {"even", "odd"};
  check_gradient(config, digit_segments(task));
}

TEST_CASE("the gradient of the paper's model", "[gradient]") {
  check_gradient(digit_model());
}

TEST_CASE("the gradient of its variants", "[gradient]") {
  auto config = digit_model();
  auto& transformer = config.transformer;
  transformer.positions = model::Positions::kLearned;
  transformer.norm = model::Norm::kPre;
  transformer.tie = model::Tie::kNone;
  transformer.d_k = 12;
  transformer.d_v = 20;
  config.dropout = 0.2;
  transformer.attention_dropout = 0.1;
  transformer.relu_dropout = 0.1;
  check_gradient(config);
}

TEST_CASE("the gradient of recurrent networks", "[gradient]") {
  using model::RnnAttention;
  SECTION("without attention") {
    auto config = digit_rnn(nn::Cell::kLstm, RnnAttention::kNone);
    config.encoder_layers = config.decoder_layers = 2;
    config.rnn.bidirectional = model::Bidirectional::kNone;
    config.rnn.bridge = model::Bridge::kCopy;
    config.dropout = 0.2;
    check_gradient(config);
    config.rnn.source_order = model::SourceOrder::kReversed;
    check_gradient(config);
  }
  SECTION("without attention, with a summary of the source in each step") {
    auto config = digit_rnn(nn::Cell::kGru, RnnAttention::kNone);
    config.rnn.bidirectional = model::Bidirectional::kNone;
    config.rnn.context_feeding = model::Switch::kOn;
    check_gradient(config);
    config.rnn.readout = model::Readout::kMaxout;
    config.rnn.d_readout = 24;
    check_gradient(config);
    config.rnn.cell = nn::Cell::kLstm;
    config.rnn.bidirectional = model::Bidirectional::kAll;
    config.rnn.bridge = model::Bridge::kMean;
    config.decoder_layers = 2;
    config.dropout = 0.2;
    check_gradient(config);
  }
  SECTION("additive attention") {
    check_gradient(digit_rnn(nn::Cell::kGru, RnnAttention::kAdditive));
  }
  SECTION("additive attention with a maxout output, from a state of one direction") {
    auto config = digit_rnn(nn::Cell::kGru, RnnAttention::kAdditive);
    config.rnn.readout = model::Readout::kMaxout;
    config.rnn.d_readout = 20;
    config.rnn.bridge = model::Bridge::kReverse;
    check_gradient(config);
  }
  SECTION("additive attention of a deep network") {
    auto config = digit_rnn(nn::Cell::kLstm, RnnAttention::kAdditive);
    config.encoder_layers = config.decoder_layers = 3;
    config.rnn.bidirectional = model::Bidirectional::kFirst;
    config.rnn.residual = model::Switch::kOn;
    config.rnn.variational_dropout = model::Switch::kOn;
    config.decoder_start = model::DecoderStart::kToken;
    config.start_id = 5;
    config.dropout = 0.2;
    check_gradient(config);
  }
  SECTION("additive attention between two cells, with a tied output") {
    auto config = digit_rnn(nn::Cell::kGru, RnnAttention::kAdditive);
    config.rnn.bidirectional = model::Bidirectional::kFirst;
    config.rnn.bridge = model::Bridge::kMean;
    config.rnn.conditional_cell = model::Switch::kOn;
    config.rnn.d_readout = config.rnn.d_embedding;
    config.rnn.tie = model::Tie::kAll;
    check_gradient(config);
    config.rnn.cell = nn::Cell::kLstm;
    config.rnn.tie = model::Tie::kDecoder;
    config.source_vocabulary = 17;
    config.encoder_layers = config.decoder_layers = 2;
    config.dropout = 0.2;
    check_gradient(config);
  }
  SECTION("attention after the last layer") {
    auto config = digit_rnn(nn::Cell::kGru, RnnAttention::kGeneral);
    config.rnn.residual = model::Switch::kOn;
    config.decoder_layers = 2;
    check_gradient(config);
    config.rnn.readout = model::Readout::kMaxout;
    check_gradient(config);
  }
  SECTION("local attention") {
    for (const auto span : {model::AttentionSpan::kMonotonic, model::AttentionSpan::kPredictive}) {
      auto config = digit_rnn(nn::Cell::kGru, RnnAttention::kGeneral);
      config.rnn.attention_span = span;
      config.rnn.source_order = model::SourceOrder::kReversed;
      // The window is a step function of a predicted position; this one has all tokens.
      if (span == model::AttentionSpan::kMonotonic) config.rnn.local_window = 2;
      check_gradient(config);
      config.rnn.cell = nn::Cell::kLstm;
      config.rnn.attention = RnnAttention::kDot;
      config.rnn.bidirectional = model::Bidirectional::kNone;
      config.rnn.input_feeding = model::Switch::kOn;
      config.rnn.bridge = model::Bridge::kCopy;
      config.encoder_layers = config.decoder_layers = 2;
      config.dropout = 0.2;
      check_gradient(config);
    }
  }
  SECTION("input feeding") {
    auto config = digit_rnn(nn::Cell::kLstm, RnnAttention::kDot);
    config.encoder_layers = config.decoder_layers = 2;
    config.rnn.bidirectional = model::Bidirectional::kNone;
    config.rnn.input_feeding = model::Switch::kOn;
    config.rnn.bridge = model::Bridge::kCopy;
    check_gradient(config);
    config.dropout = 0.2;
    config.rnn.variational_dropout = model::Switch::kOn;
    check_gradient(config);
  }
  SECTION("input feeding of a GRU") {
    auto config = digit_rnn(nn::Cell::kGru, RnnAttention::kGeneral);
    config.rnn.input_feeding = model::Switch::kOn;
    config.decoder_layers = 3;
    config.dropout = 0.1;
    check_gradient(config);
    config.rnn.residual = model::Switch::kOn;
    check_gradient(config);
  }
}

TEST_CASE("the gradient of memory networks", "[gradient]") {
  const auto pairs = stories(8, 1);
  for (const auto tying : {model::HopTying::kAdjacent, model::HopTying::kLayerWise}) {
    auto config = digit_memory(tying);
    check_gradient(config, pairs);
    config.memory.hops = 3;
    config.memory.linear_start = 100;  // without softmax
    config.memory.noise = 0.5;
    check_gradient(config, pairs);
    config.memory.encoding = nn::BagWeights::kOne;
    config.memory.temporal_encoding = model::Switch::kOff;
    config.memory.noise = 0;
    check_gradient(config, pairs);
  }
}

TEST_CASE("the gradient of models with the settings of other toolkits", "[gradient]") {
  auto config = other_toolkits_model();
  auto& transformer = config.transformer;
  check_gradient(config);
  // Without an end of the source, and with a start token that is also a token of the text.
  transformer.norm = model::Norm::kPre;
  transformer.final_norm = model::FinalNorm::kEncoder;
  transformer.tie = model::Tie::kEmbeddings;
  transformer.positions = model::Positions::kSinusoid;
  config.start_id = 5;
  check_gradient(config);
  // With more ids in the source than in the target.
  transformer.tie = model::Tie::kDecoder;
  config.source_vocabulary = 17;
  transformer.source_end = model::Switch::kOn;
  check_gradient(config);
}

TEST_CASE("the gradient of the settings of T5 and of modern Transformers", "[gradient]") {
  auto config = digit_model();
  auto& transformer = config.transformer;
  config.encoder_layers = config.decoder_layers = 2;
  transformer.norm = model::Norm::kPre;
  transformer.norm_kind = model::NormKind::kRms;
  transformer.feed_forward = model::FeedForwardKind::kGated;
  transformer.feed_forward_bias = model::Switch::kOff;
  transformer.activation = nn::Activation::kGeluTanh;
  transformer.positions = model::Positions::kRelative;
  transformer.relative_buckets = 8;
  transformer.relative_max_distance = 6;
  transformer.attention_scale = model::AttentionScale::kOne;
  transformer.embedding_scale = nn::EmbeddingScale::kOne;
  transformer.tie = model::Tie::kEmbeddings;
  transformer.d_k = transformer.d_v = 12;
  // Without positions in the embeddings, a start of zeros would be normalized.
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = 5;
  // Scores without a factor are large.
  check_curved_gradient(config);
  // SwiGLU with biases after layer normalization, a tied output with a factor, and dropout.
  transformer.norm_kind = model::NormKind::kLayer;
  transformer.activation = nn::Activation::kSwish;
  transformer.feed_forward_bias = model::Switch::kOn;
  transformer.output_scale = model::OutputScale::kInverseRootOfColumns;
  transformer.tie = model::Tie::kAll;
  transformer.attention_window = 3;
  config.dropout = 0.2;
  transformer.attention_dropout = transformer.relu_dropout = 0.1;
  check_curved_gradient(config);
  transformer.attention_scale = model::AttentionScale::kInverseRootOfKeys;
  transformer.activation = nn::Activation::kRelu;
  transformer.positions = model::Positions::kSinusoid;
  transformer.relative_buckets = 32;
  transformer.relative_max_distance = 128;
  check_gradient(config);
}

TEST_CASE("the gradient of restricted self-attention", "[gradient]") {
  auto config = digit_model();
  auto& transformer = config.transformer;
  config.encoder_layers = config.decoder_layers = 2;
  transformer.attention_window = 1;
  check_gradient(config);
  transformer.attention_window = 2;
  transformer.norm = model::Norm::kPre;
  transformer.source_end = model::Switch::kOff;
  config.dropout = 0.2;
  transformer.attention_dropout = 0.1;
  check_gradient(config);
}

TEST_CASE("the gradient of sentences that fit the window is that without one, bit for bit") {
  const auto pairs = reversals(8, 1);
  const auto batch = batch_of(pairs, 0, 8);
  const auto gradient = [&](std::uint32_t window) {
    auto config = digit_model();
    config.transformer.attention_window = window;
    config.transformer.attention_dropout = 0.2;
    Stage stage(config, batch);
    const double loss = stage.loss();
    auto values = flat(stage.parameters(), Buffer::kGradients);
    values.push_back(static_cast<float>(loss));
    return values;
  };
  const auto all = gradient(0);
  CHECK(gradient(40) == all);
  CHECK(gradient(1) != all);
}

TEST_CASE("the gradient of a loss with the cost of alignments", "[gradient]") {
  using nn::AlignmentCost;
  const auto batch = batch_of(aligned_reversals(8, 1), 0, 8);
  auto config = digit_model();
  auto& transformer = config.transformer;
  config.decoder_layers = 2;
  const auto check = [&](const nn::GuidedAlignment& guided) {
    check_gradient(config, batch, kStep, guided);
    // Only the first head of the layer has the cost, which is a part of the loss.
    const double with = Stage(config, batch, guided).loss();
    Stage without(config, batch);
    CHECK(with > without.loss() + 0.1 * guided.weight);
  };
  transformer.guided_alignment_layer = 2;
  check({.cost = AlignmentCost::kCrossEntropy, .weight = 0.5});
  check({.cost = AlignmentCost::kSquaredError, .weight = 2});
  transformer.guided_alignment_layer = 1;
  transformer.source_end = model::Switch::kOff;
  transformer.norm = model::Norm::kPre;
  transformer.attention_dropout = 0.2;
  transformer.decoder_heads = 4;
  check({.cost = AlignmentCost::kCrossEntropy, .weight = 1});
  transformer.autoregressive_layer = model::AutoregressiveLayer::kSsru;
  transformer.attention_scale = model::AttentionScale::kOne;
  transformer.guided_alignment_layer = 2;
  check({.cost = AlignmentCost::kCrossEntropy, .weight = 0.3});
}

TEST_CASE("without links, the cost of alignments changes no gradient", "[gradient]") {
  auto config = digit_model();
  const auto batch = batch_of(reversals(8, 1), 0, 8);
  const auto gradient = [&](const std::optional<nn::GuidedAlignment>& guided) {
    config.transformer.guided_alignment_layer = guided ? 1 : 0;
    Stage stage(config, batch, guided);
    stage.loss();
    return flat(stage.parameters(), Buffer::kGradients);
  };
  CHECK(gradient(nn::GuidedAlignment{.weight = 3}) == gradient(std::nullopt));
}

TEST_CASE("the gradient of decoders with simpler simple recurrent units", "[gradient]") {
  auto config = digit_model();
  auto& transformer = config.transformer;
  transformer.autoregressive_layer = model::AutoregressiveLayer::kSsru;
  config.decoder_layers = 2;
  check_gradient(config);
  transformer.norm = model::Norm::kPre;
  transformer.ssru_projection = model::Switch::kOn;
  config.dropout = 0.2;
  check_gradient(config);
}

}  // namespace
}  // namespace awend::tests

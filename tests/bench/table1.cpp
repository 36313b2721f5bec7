// Table 1 of the paper, measured: what a layer costs as sentences grow longer and models wider, and
// what becomes of that in a whole update.
//
// Self-attention is two things: scores, softmax(q kᵀ) v, which are O(n² d) for a sentence of n
// tokens, and four projections, O(n d²).  Both are one launch or four, whatever n is.  A recurrent
// layer multiplies by one d x d matrix, O(n d²) too, but n times in a row.  Restricted
// self-attention has the scores of r positions around each, O(r n d).  A convolutional layer
// multiplies the k positions around each by a (k d) x d matrix, O(k n d²), after copying them side
// by side.  All are measured forward, over the same number of tokens: the longer the sentences, the
// fewer of them.  An update is the whole model's, forward, backward and Adam; a restricted one has
// windows in self-attention, but not in attention to the source.  table1.sh draws the picture.
#include <algorithm>

#include "nn/matmul/matmul.hpp"
#include "nn/recurrent/move_rows.hpp"
#include "tests/bench/series.hpp"
#include "tests/bench/stage.hpp"
#include "tests/bench/step.hpp"
#include "train/trainer.hpp"

namespace awend::bench {
namespace {

constexpr std::uint32_t kTokens = 2048;
constexpr std::uint32_t kHeadSize = 64;
constexpr std::uint32_t kWindow = 7;  // on each side, so that r is 15: less than all lengths
constexpr std::uint32_t kNeighborhood = 2 * kWindow + 1;
constexpr std::uint32_t kKernelWidth = 3;

struct Layer {
  std::uint32_t length, d_model;

  std::uint32_t sentences() const { return kTokens / length; }
};

enum class Range { kSentence, kWindow };

void build_scores(Stage& stage, const Layer& it, Range range) {
  std::vector<std::uint32_t> keys_of_row;
  for (std::uint32_t row = 0; row < kTokens; ++row) {
    std::uint32_t begin = row / it.length * it.length, end = begin + it.length;
    if (range == Range::kWindow) {
      begin = std::max(begin, row - std::min(row, kWindow));
      end = std::min(end, row + kWindow + 1);
    }
    keys_of_row.insert(keys_of_row.end(), {begin, end});
  }
  const auto ranges = stage.given(2, keys_of_row);
  const auto q = stage.noise(kTokens, it.d_model);
  const auto k = stage.noise(kTokens, it.d_model);
  const auto v = stage.noise(kTokens, it.d_model);
  nn::attention(
      stage.graph, {q, k, v}, {ranges, ranges},
      {.heads = it.d_model / kHeadSize, .d_k = kHeadSize, .d_v = kHeadSize, .dropout = 0});
  stage.compile();
  stage.program.replay();
}

/// `count` products of `rows` rows; each waits for the previous one, whose result it overwrites.
void append_products(nn::Program& program, Numbers& numbers, std::uint32_t rows,
                     std::uint32_t d_model, std::uint32_t count) {
  numbers.rewind();
  const auto x = numbers.take(program, rows, d_model);
  const auto w = numbers.take(program, d_model, d_model);
  const auto y = program.activation(x.rows, d_model);
  for (std::uint32_t i = 0; i < count; ++i)
    nn::matmul(program, {.form = nn::Form::kNN, .a = x, .b = w, .c = y, .bias = std::nullopt});
}

/// The rows around each row of a sentence side by side, zeros beyond its ends, and their product.
void build_convolution(Stage& stage, const Layer& it) {
  nn::Program& program = stage.program;
  const auto x = stage.noise(kTokens, it.d_model);
  const auto w = stage.noise(kKernelWidth * it.d_model, it.d_model);
  const auto neighbors = program.activation(x.rows, kKernelWidth * it.d_model);
  nn::zero_rows(program, neighbors, x.rows);
  for (std::uint32_t i = 0; i < kKernelWidth; ++i) {
    std::vector<std::uint32_t> table;
    for (std::uint32_t row = 0; row < kTokens; ++row) {
      const std::uint32_t place = row % it.length + i;  // plus half the width
      const bool exists = place >= kKernelWidth / 2 && place - kKernelWidth / 2 < it.length;
      table.push_back(exists ? row + i - kKernelWidth / 2 : NO_TOKEN);
    }
    nn::move_rows(program, {.x = x,
                            .y = neighbors,
                            .rows = x.rows,
                            .table = stage.given(1, table),
                            .by = nn::RowMove::By::kGather,
                            .y_offset = i * it.d_model});
  }
  const auto y = program.activation(x.rows, it.d_model);
  nn::matmul(program, {.form = nn::Form::kNN, .a = neighbors, .b = w, .c = y, .bias = {}});
  stage.compile();
  program.replay();
}

/// Seconds of scores, projections, the recurrent layer, restricted scores and the convolutional
/// layer, measured in turn.
std::vector<Figure> measure_layer(const Bench& bench, const Layer& it) {
  Numbers numbers(bench.engine, (3ULL * kTokens + kKernelWidth * it.d_model) * it.d_model);
  Stage scores(bench.engine, numbers);
  build_scores(scores, it, Range::kSentence);
  Stage restricted(bench.engine, numbers);
  build_scores(restricted, it, Range::kWindow);
  Stage convolution(bench.engine, numbers);
  build_convolution(convolution, it);
  const Repeated projections(bench.engine, [&](nn::Program& program) {
    append_products(program, numbers, kTokens, it.d_model, 4);
  });
  const Repeated recurrent(bench.engine, [&](nn::Program& program) {
    append_products(program, numbers, it.sentences(), it.d_model, it.length);
  });
  const auto seconds_of_stage = [](Stage& stage) {
    stage.program.replay();
    return std::vector{kernel_seconds(stage.program, [](std::string_view) { return true; })};
  };
  const Measurement measurements[] = {
      [&] { return seconds_of_stage(scores); }, [&] { return std::vector{projections.seconds()}; },
      [&] { return std::vector{recurrent.seconds()}; },
      [&] { return seconds_of_stage(restricted); }, [&] { return seconds_of_stage(convolution); }};
  return measure_in_turn(measurements, bench.seconds);
}

using Size = double (*)(const Layer&);

void layers(const Bench& bench, std::string_view axis, std::span<const Layer> along, Size size) {
  if (!bench.report.wants(base::concat("layer over ", axis))) return;
  const std::string on(axis);
  Series series[] = {{"scores", on},
                     {"projections", on},
                     {"recurrent", on},
                     {"restricted", on},
                     {"convolution", on}};
  for (const Layer& it : along) {
    const auto seconds = measure_layer(bench, it);
    const double n = it.length, d = it.d_model;
    const double counted[] = {n * n * d, n * d * d, n * d * d, kNeighborhood * n * d,
                              kKernelWidth * n * d * d};
    for (std::size_t i = 0; i < std::size(series); ++i)
      series[i].add(bench, {.size = size(it),
                            .seconds = seconds[i].median,
                            .shares = 1.0 * it.sentences(),
                            .counted = counted[i]});
  }
  for (const auto& one : series) one.fit(bench);
}

/// Operations of an update: 6 for each weight of a product and each token; a score and its share of
/// the sum 4 d forward and 10 d backward, half as many where the future is masked.
double operations(const StepModel& it) {
  const auto& config = it.config;
  const double d = config.d_model, layer_count = config.encoder_layers;
  const double weights =
      layer_count * (12 * d * d + 4 * d * config.transformer.d_ff) + d * config.vocabulary;
  const double n = it.length, window = config.transformer.attention_window;
  const double encoder = window == 0 ? n : std::min(n, 2 * window + 1);
  const double decoder = window == 0 ? n / 2 : std::min(n / 2, window + 1);
  const double scores = layer_count * (encoder + decoder + n) * 14 * d;
  return it.tokens() * (6 * weights + scores);
}

StepModel update_of(std::uint32_t length, std::uint32_t d_model, std::uint32_t vocabulary) {
  StepModel it = small_step();
  it.length = length;
  it.sentences = kTokens / length;
  it.config.vocabulary = vocabulary;
  it.config.d_model = d_model;
  it.config.transformer.d_ff = 4 * d_model;
  it.config.transformer.heads = d_model / kHeadSize;
  it.config.transformer.d_k = it.config.transformer.d_v = kHeadSize;
  it.config.encoder_layers = it.config.decoder_layers = 1;
  it.config.dropout = 0.1;
  return it;
}

struct UpdateSeries {
  std::string_view name, axis;
};

void updates(const Bench& bench, const UpdateSeries& names, std::span<const std::uint32_t> sizes,
             const std::function<StepModel(std::uint32_t)>& model) {
  const auto& [name, axis] = names;
  if (!bench.report.wants(base::concat(name, " over ", axis))) return;
  Series series{std::string(name), std::string(axis)};
  for (const auto size : sizes) {
    const StepModel it = model(size);
    train::Trainer trainer(bench.engine, it.config, recipe_of(it));
    const std::vector<batch::PackedBatch> batches = {batch_of(it)};
    trainer.update(batches);
    const Measurement measurement[] = {
        [&] { return std::vector{seconds_of([&] { trainer.update(batches); })}; }};
    series.add(bench, {.size = 1.0 * size,
                       .seconds = measure_in_turn(measurement, bench.seconds)[0].median,
                       .counted = operations(it)});
  }
  series.fit(bench);
}

}  // namespace

void table1(const Bench& bench) {
  if (bench.options.flag("quick")) return;
  bench.report.section("table1",
                       "cost by length n, width d (d_model) and vocabulary V of 2048 tokens; of a "
                       "layer, forward, also us a sentence; exponents of the cost of a sentence "
                       "(of an update: of all), of the three largest, and as counted",
                       {{"ms", "milliseconds", 3},
                        {"us each", "microseconds_each", 1},
                        {"exponent", "exponent", 2},
                        {"largest", "largest_exponent", 2},
                        {"counted", "counted_exponent", 2}});
  constexpr Layer kLonger[] = {{16, 512},  {32, 512},  {64, 512},   {128, 512},
                               {256, 512}, {512, 512}, {1024, 512}, {2048, 512}};
  constexpr Layer kWider[] = {{128, 64}, {128, 128}, {128, 256}, {128, 512}, {128, 1024}};
  layers(bench, "n", kLonger, [](const Layer& it) { return 1.0 * it.length; });
  layers(bench, "d", kWider, [](const Layer& it) { return 1.0 * it.d_model; });
  constexpr std::uint32_t kLengths[] = {16, 32, 64, 128, 256, 512, 1024};
  constexpr std::uint32_t kWidths[] = {64, 128, 256, 512, 1024};
  constexpr std::uint32_t kVocabularies[] = {1000, 2000, 4000, 8000, 16000, 32000};
  updates(bench, {"update", "n"}, kLengths,
          [](std::uint32_t n) { return update_of(n, 256, 4000); });
  updates(bench, {"restricted-update", "n"}, kLengths, [](std::uint32_t n) {
    StepModel it = update_of(n, 256, 4000);
    it.config.transformer.attention_window = kWindow;
    return it;
  });
  updates(bench, {"update", "d"}, kWidths, [](std::uint32_t d) { return update_of(32, d, 4000); });
  updates(bench, {"update", "V"}, kVocabularies,
          [](std::uint32_t v) { return update_of(32, 256, v); });
}

}  // namespace awend::bench

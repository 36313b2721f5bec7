// Recurrent decoders with attention on the device compared with the reference, and their gradients
// with central differences of the reference.
#include "tests/reference/recurrent_decoder.hpp"

#include "nn/recurrent/attentive_cell.hpp"
#include "nn/recurrent/input_feeding.hpp"
#include "tests/kernels/step_table.hpp"
#include "tests/reference/gradient_check.hpp"

namespace awend::tests {
namespace {

constexpr std::size_t kSize = 8, kWidth = 12;
const std::vector<std::size_t> kTargets = {0, 3, 4, 9}, kSources = {0, 2, 7, 10};

Matrix scaled(Matrix matrix, double factor) {
  for (double& value : matrix.values) value *= factor;
  return matrix;
}

reference::Recurrence layer_of(reference::Cell cell, bool has_inputs, std::uint64_t seed) {
  const std::size_t gates = (cell == reference::Cell::kLstm ? 4 : 3) * kSize;
  return {cell,
          reference::Direction::kForward,
          kTargets,
          has_inputs ? noise(kTargets.back(), gates, seed) : Matrix(),
          scaled(noise(kSize, gates, seed + 1), 0.4),
          noise(1, gates, seed + 2),
          noise(3, kSize, seed + 3),
          cell == reference::Cell::kLstm ? noise(3, kSize, seed + 4) : Matrix()};
}

/// For each row of the sentences `of`, the rows of the same sentence in `in`.
std::vector<std::pair<std::size_t, std::size_t>> ranges(const std::vector<std::size_t>& of,
                                                        const std::vector<std::size_t>& in) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (std::size_t s = 0; s + 1 < of.size(); ++s)
    ranges.insert(ranges.end(), of[s + 1] - of[s], {in[s], in[s + 1]});
  return ranges;
}

std::vector<std::uint32_t> words(const std::vector<std::pair<std::size_t, std::size_t>>& ranges) {
  std::vector<std::uint32_t> words;
  for (const auto& [begin, end] : ranges) {
    words.push_back(static_cast<std::uint32_t>(begin));
    words.push_back(static_cast<std::uint32_t>(end));
  }
  return words;
}

/// The central differences of a sum of outputs, weighted by dy, by the elements of `values`.
template <class Decoder>
Matrix differences(const Decoder& decoder, Matrix& values, const auto& loss) {
  Matrix gradient(values.rows, values.columns);
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    gradient.values[i] =
        reference::central_difference(values.values[i], [&] { return loss(decoder); });
  }
  return gradient;
}

/// The operands on the device that both decoders have.
struct Stage {
  nn::Parameter parameter(const Matrix& values) {
    const auto made = bench.parameter(values.rows, values.columns);
    values_.emplace_back(made, values);
    return made;
  }
  /// After all parameters.
  void allocate() {
    bench.allocate();
    for (const auto& [parameter, values] : values_) bench.set(parameter, values);
    rows = bench.program.count(static_cast<std::uint32_t>(kTargets.back() + 4));
    keys = bench.program.count(static_cast<std::uint32_t>(kSources.back() + 3));
    bench.set_rows(rows, kTargets.back());
    bench.set_rows(keys, kSources.back());
    steps = given_steps(bench, rows, table);
  }
  nn::AttentionMemory memory(const reference::SourceAttention& attention,
                             const std::optional<nn::Parameter>& v,
                             const std::optional<nn::AttentionWindow>& window = std::nullopt) {
    return {.keys = bench.given(keys, attention.keys),
            .values = bench.given(keys, attention.values),
            .additive = v,
            .keys_of_query = bench.given_words(rows, 2, words(attention.ranges)),
            .queries_of_key = bench.given_words(keys, 2, words(ranges(kSources, kTargets))),
            .max_keys = 6,
            .window = window};
  }
  /// Products of inputs, which the layer overwrites, so they are copied.
  nn::Tensor products(const Matrix& inputs) {
    const auto half = bench.given(rows, scaled(inputs, 0.5));
    return nn::residual(bench.graph, half, half, 0);
  }
  nn::CellInputs cells(const reference::Recurrence& layer, const nn::CellWeights& weights) {
    nn::CellState initial{bench.given(steps.sentences(), by_rank(layer.h, table.order)),
                          std::nullopt};
    if (weights.cell == nn::Cell::kLstm)
      initial.c = bench.given(steps.sentences(), by_rank(layer.c, table.order));
    std::optional<nn::Tensor> inputs;
    if (!layer.inputs.values.empty()) inputs = products(layer.inputs);
    return {.weights = weights, .steps = steps, .rows = rows, .inputs = inputs, .initial = initial};
  }
  nn::CellWeights weights(const reference::Recurrence& layer) {
    const auto cell = layer.cell == reference::Cell::kLstm ? nn::Cell::kLstm : nn::Cell::kGru;
    const auto hidden = parameter(layer.hidden);
    return {cell, hidden, parameter(layer.bias)};
  }

  Bench bench;
  StepTable table = step_table(kTargets, reference::Direction::kForward);
  nn::Count rows{}, keys{};
  nn::Steps steps{};

 private:
  std::vector<std::pair<nn::Parameter, Matrix>> values_;
};

enum class Cells { kOne, kTwo };

void check_attentive(reference::Cell cell, Cells cells_of_step) {
  auto layer = layer_of(cell, true, 10);
  const std::size_t gates = layer.hidden.columns, columns = 16;
  reference::AttentiveDecoder decoder{layer,
                                      {{},
                                       noise(kSources.back(), columns, 1),
                                       noise(1, columns, 2),
                                       noise(kSources.back(), kWidth, 3),
                                       ranges(kTargets, kSources)},
                                      scaled(noise(kSize, columns, 4), 0.5),
                                      scaled(noise(kWidth, gates, 5), 0.3),
                                      {},
                                      {}};
  const bool has_second = cells_of_step == Cells::kTwo;
  if (has_second) {
    decoder.second_hidden = scaled(noise(kSize, gates, 8), 0.4);
    decoder.second_bias = noise(1, gates, 9);
  }
  const Matrix dy = noise(kTargets.back(), kSize, 6), dc = noise(kTargets.back(), kWidth, 7);

  Stage stage;
  const auto weights = stage.weights(layer);
  const auto query = stage.parameter(decoder.query), context = stage.parameter(decoder.context);
  const auto v = stage.parameter(decoder.attention.v);
  std::optional<nn::CellWeights> second;
  if (has_second)
    second = {weights.cell, stage.parameter(decoder.second_hidden),
              stage.parameter(decoder.second_bias)};
  stage.allocate();
  Bench& bench = stage.bench;
  const auto memory = stage.memory(decoder.attention, v);
  const auto cells = stage.cells(layer, weights);
  const auto made =
      nn::attentive_recurrent(bench.graph, {.cells = cells,
                                            .second = second,
                                            .memory = memory,
                                            .weights = nn::AttentionSteps::Weights::kInternal,
                                            .query = query,
                                            .context = context});
  const auto y = bench.observe(made.outputs), c = bench.observe(made.contexts);
  bench.seed_gradient(made.outputs, dy);
  bench.seed_gradient(made.contexts, dc);
  bench.graph.derive_backward();
  const auto dinputs = bench.observe_gradient(*cells.inputs);
  const auto dh = bench.observe_gradient(cells.initial->h);
  const auto dkeys = bench.observe_gradient(memory.keys);
  const auto dvalues = bench.observe_gradient(memory.values);
  bench.run();

  const auto expected = reference::decode(decoder);
  require_close(bench.read(y, kTargets.back()), expected.outputs);
  require_close(bench.read(c, kTargets.back()), expected.contexts);
  const auto gradient = [&](Matrix& values) {
    return differences(decoder, values, [&](const auto& changed) {
      const auto result = reference::decode(changed);
      return reference::weighted_sum(dy, result.outputs) +
             reference::weighted_sum(dc, result.contexts);
    });
  };
  require_close(bench.gradient_of(weights.hidden), gradient(decoder.layer.hidden));
  require_close(bench.gradient_of(weights.bias), gradient(decoder.layer.bias));
  require_close(bench.gradient_of(query), gradient(decoder.query));
  require_close(bench.gradient_of(context), gradient(decoder.context));
  require_close(bench.gradient_of(v), gradient(decoder.attention.v));
  require_close(bench.read(dinputs, kTargets.back()), gradient(decoder.layer.inputs));
  require_close(bench.read(dkeys, kSources.back()), gradient(decoder.attention.keys));
  require_close(bench.read(dvalues, kSources.back()), gradient(decoder.attention.values));
  require_close(bench.read(dh, 3), by_rank(gradient(decoder.layer.h), stage.table.order));
  if (!has_second) return;
  require_close(bench.gradient_of(second->hidden), gradient(decoder.second_hidden));
  require_close(bench.gradient_of(second->bias), gradient(decoder.second_bias));
}

using Residual = nn::InputFeedingInputs::Residual;

enum class Span { kGlobal, kPredicted };

void check_feeding(reference::Cell cell, std::size_t depth, Residual residual,
                   Span span = Span::kGlobal) {
  reference::FeedingDecoder decoder{.layers = {},
                                    .weights = {},
                                    .biases = {},
                                    .attention = {{},
                                                  noise(kSources.back(), kSize, 1),
                                                  {},
                                                  noise(kSources.back(), kWidth, 3),
                                                  ranges(kTargets, kSources)},
                                    .feed = {},
                                    .state = scaled(noise(kSize, kSize, 4), 0.4),
                                    .context = scaled(noise(kWidth, kSize, 5), 0.4),
                                    .bias = noise(1, kSize, 6),
                                    .residual = residual == Residual::kOn};
  for (std::size_t i = 0; i < depth; ++i)
    decoder.layers.push_back(layer_of(cell, i == 0, 10 + 10 * i));
  const std::size_t gates = decoder.layers[0].hidden.columns;
  decoder.feed = scaled(noise(kSize, gates, 7), 0.4);
  for (std::size_t i = 1; i < depth; ++i) {
    decoder.weights.push_back(scaled(noise(kSize, gates, 70 + i), 0.4));
    decoder.biases.push_back(noise(1, gates, 80 + i));
  }
  if (span == Span::kPredicted) {
    decoder.attention.window = 1;
    decoder.attention.center_w = noise(kSize, 12, 91);
    decoder.attention.center_v = noise(1, 12, 92);
  }
  const Matrix dy = noise(kTargets.back(), kSize, 9);

  Stage stage;
  std::optional<nn::AttentionWindow> window;
  if (span == Span::kPredicted) {
    const auto w = stage.parameter(decoder.attention.center_w);
    window = {1, std::nullopt,
              nn::AttentionWindow::Prediction{w, stage.parameter(decoder.attention.center_v)}};
  }
  std::vector<nn::CellWeights> weights;
  for (const auto& layer : decoder.layers) weights.push_back(stage.weights(layer));
  std::vector<nn::UpperInput> upper;
  for (std::size_t i = 0; i + 1 < depth; ++i) {
    const auto weight = stage.parameter(decoder.weights[i]);
    upper.push_back({weight, stage.parameter(decoder.biases[i])});
  }
  const auto feed = stage.parameter(decoder.feed), state = stage.parameter(decoder.state);
  const auto context = stage.parameter(decoder.context), bias = stage.parameter(decoder.bias);
  stage.allocate();
  Bench& bench = stage.bench;
  const auto memory = stage.memory(decoder.attention, std::nullopt, window);
  nn::InputFeedingInputs inputs{.cells = {},
                                .upper = upper,
                                .feed = feed,
                                .state = state,
                                .context = context,
                                .bias = bias,
                                .memory = memory,
                                .weights = nn::AttentionSteps::Weights::kInternal,
                                .initial = std::nullopt,
                                .masks = stage.steps.table,
                                .dropout = 0,
                                .residual = residual};
  for (std::size_t i = 0; i < depth; ++i)
    inputs.cells.push_back(stage.cells(decoder.layers[i], weights[i]));
  const auto made = nn::input_feeding(bench.graph, inputs);
  const auto y = bench.observe(made.outputs);
  bench.seed_gradient(made.outputs, dy);
  bench.graph.derive_backward();
  const auto dinputs = bench.observe_gradient(*inputs.cells[0].inputs);
  const auto dkeys = bench.observe_gradient(memory.keys);
  const auto dvalues = bench.observe_gradient(memory.values);
  bench.run();

  require_close(bench.read(y, kTargets.back()), reference::decode(decoder));
  const auto gradient = [&](Matrix& values) {
    return differences(decoder, values, [&](const auto& changed) {
      return reference::weighted_sum(dy, reference::decode(changed));
    });
  };
  for (std::size_t i = 0; i < depth; ++i) {
    require_close(bench.gradient_of(weights[i].hidden), gradient(decoder.layers[i].hidden));
    require_close(bench.gradient_of(weights[i].bias), gradient(decoder.layers[i].bias));
    if (i == 0) continue;
    require_close(bench.gradient_of(upper[i - 1].weight), gradient(decoder.weights[i - 1]));
    require_close(bench.gradient_of(upper[i - 1].bias), gradient(decoder.biases[i - 1]));
  }
  if (window) {
    require_close(bench.gradient_of(window->predicted->w), gradient(decoder.attention.center_w));
    require_close(bench.gradient_of(window->predicted->v), gradient(decoder.attention.center_v));
  }
  require_close(bench.gradient_of(feed), gradient(decoder.feed));
  require_close(bench.gradient_of(state), gradient(decoder.state));
  require_close(bench.gradient_of(context), gradient(decoder.context));
  require_close(bench.gradient_of(bias), gradient(decoder.bias));
  require_close(bench.read(dinputs, kTargets.back()), gradient(decoder.layers[0].inputs));
  require_close(bench.read(dkeys, kSources.back()), gradient(decoder.attention.keys));
  require_close(bench.read(dvalues, kSources.back()), gradient(decoder.attention.values));
}

}  // namespace

TEST_CASE("cells with attention before each step equal the reference, forward and backward") {
  for (const auto cells : {Cells::kOne, Cells::kTwo}) {
    check_attentive(reference::Cell::kLstm, cells);
    check_attentive(reference::Cell::kGru, cells);
  }
}

TEST_CASE("cells with input feeding equal the reference, forward and backward") {
  for (const auto cell : {reference::Cell::kLstm, reference::Cell::kGru}) {
    check_feeding(cell, 1, Residual::kOff);
    check_feeding(cell, 3, Residual::kOff);
    check_feeding(cell, 1, Residual::kOn);
    check_feeding(cell, 3, Residual::kOn);
    check_feeding(cell, 1, Residual::kOff, Span::kPredicted);
    check_feeding(cell, 2, Residual::kOn, Span::kPredicted);
  }
}

}  // namespace awend::tests

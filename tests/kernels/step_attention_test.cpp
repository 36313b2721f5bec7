// The attention of recurrent decoders on the device compared with the reference, forward and
// backward.
#include "nn/recurrent/step_attention.hpp"

#include "nn/recurrent/move_rows.hpp"
#include "tests/kernels/step_table.hpp"
#include "tests/reference/step_attention.hpp"

namespace awend::tests {
namespace {

struct Shape {
  bool additive;
  std::size_t columns, width;
  std::vector<std::size_t> sources, targets;  // lengths of sentences
  enum class Softmax { kAlways, kOn, kOff } softmax = Softmax::kAlways;
  std::uint32_t slots = 0;
  std::uint32_t window = 0;  // 0: all keys
  enum class Centers { kGiven, kPredicted } centers = Centers::kGiven;
};

std::vector<std::size_t> begins_of(const std::vector<std::size_t>& lengths) {
  std::vector<std::size_t> begins = {0};
  for (const std::size_t length : lengths) begins.push_back(begins.back() + length);
  return begins;
}

/// For each row of the sentences `of`, the rows of the same sentence in `in`.
std::vector<std::uint32_t> ranges(const std::vector<std::size_t>& of,
                                  const std::vector<std::size_t>& in) {
  std::vector<std::uint32_t> words;
  for (std::size_t s = 0; s + 1 < of.size(); ++s) {
    for (std::size_t row = of[s]; row < of[s + 1]; ++row) {
      words.push_back(static_cast<std::uint32_t>(in[s]));
      words.push_back(static_cast<std::uint32_t>(in[s + 1]));
    }
  }
  return words;
}

/// The operands on the device, and their expected results.
struct Stage {
  explicit Stage(const Shape& shape)
      : source(begins_of(shape.sources)), target(begins_of(shape.targets)) {
    reference = {noise(target.back(), shape.columns, 1),
                 noise(source.back(), shape.columns, 2),
                 shape.additive ? noise(1, shape.columns, 3) : Matrix(),
                 noise(source.back(), shape.width, 4),
                 {}};
    reference.slots = shape.slots;
    for (double& value : reference.queries.values) value *= 0.5;
    const auto words = ranges(target, source);
    for (std::size_t i = 0; i < words.size(); i += 2)
      reference.ranges.emplace_back(words[i], words[i + 1]);
    std::optional<nn::Parameter> v, softmax;
    if (shape.additive) v = bench.parameter(1, shape.columns);
    if (shape.softmax != Shape::Softmax::kAlways) softmax = bench.parameter(1, 1);
    const bool predicts = shape.window != 0 && shape.centers == Shape::Centers::kPredicted;
    reference.window = shape.window;
    if (predicts) {
      reference.center_w = noise(shape.columns, 12, 6);
      reference.center_v = noise(1, 12, 7);
      predicted = {bench.parameter(shape.columns, 12), bench.parameter(1, 12)};
    } else if (shape.window != 0) {
      for (std::size_t s = 0; s < shape.targets.size(); ++s) {
        for (std::size_t t = 0; t < shape.targets[s]; ++t)
          reference.centers.push_back(static_cast<double>(std::min(t, shape.sources[s] - 1)));
      }
    }
    bench.allocate();
    if (predicts) {
      bench.set(predicted->w, reference.center_w);
      bench.set(predicted->v, reference.center_v);
    }
    reference.is_linear = shape.softmax == Shape::Softmax::kOff;
    if (softmax)
      bench.parameters.write(*softmax, std::vector<float>{reference.is_linear ? 0.0F : 1.0F});
    if (v) bench.set(*v, reference.v);
    source_rows = bench.program.count(static_cast<std::uint32_t>(source.back() + 2));
    target_rows = bench.program.count(static_cast<std::uint32_t>(target.back() + 3));
    bench.set_rows(source_rows, source.back());
    bench.set_rows(target_rows, target.back());
    memory = {bench.given(source_rows, reference.keys),
              bench.given(source_rows, reference.values),
              v,
              bench.given_words(target_rows, 2, words),
              bench.given_words(source_rows, 2, ranges(source, target)),
              static_cast<std::uint32_t>(std::ranges::max(shape.sources) + 1),
              softmax,
              shape.slots,
              std::nullopt};
    if (shape.window != 0) memory.window = {shape.window, std::nullopt, predicted};
    if (!reference.centers.empty()) {
      Matrix centers(target.back(), 1);
      centers.values = reference.centers;
      memory.window->centers = bench.given(target_rows, centers);
    }
    queries = bench.given(target_rows, reference.queries);
  }

  void check(const nn::Tensor& contexts, const nn::Tensor& weights, const nn::Tensor& dqueries) {
    const Matrix dcontexts = noise(target.back(), reference.values.columns, 5);
    const auto gradient = reference::attend_backward(reference, dcontexts);
    const auto dk = bench.observe_gradient(memory.keys);
    const auto dvalues = bench.observe_gradient(memory.values);
    const auto observed_dq = bench.observe(dqueries);
    bench.run();
    require_close(bench.read(contexts, target.back()), reference::attend(reference));
    if (dqueries_with_centers || !predicted)
      require_close(bench.read(observed_dq, target.back()), gradient.queries);
    if (predicted) {
      require_close(bench.gradient_of(predicted->w), gradient.center_w);
      require_close(bench.gradient_of(predicted->v), gradient.center_v);
    }
    require_close(bench.read(dk, source.back()), gradient.keys);
    require_close(bench.read(dvalues, source.back()), gradient.values);
    if (memory.additive) require_close(bench.gradient_of(*memory.additive), gradient.v);
    const Matrix expected = reference::attention_weights_of(reference);
    const Matrix made = bench.read(weights, target.back());
    // A predicted center has the rounding of a number of keys, which may be more than a window.
    const double tolerance = predicted ? 1e-4 : 1e-5;
    for (std::size_t i = 0; i < made.rows; ++i) {
      const auto [begin, end] = reference.ranges[i];
      for (std::size_t j = begin; j < end; ++j)
        REQUIRE(made(i, j - begin) == Approx(expected(i, j)).epsilon(tolerance).margin(1e-6));
    }
  }
  Matrix dcontexts() const { return noise(target.back(), reference.values.columns, 5); }

  std::vector<std::size_t> source, target;
  reference::SourceAttention reference;
  Bench bench;
  nn::Count source_rows, target_rows;
  nn::AttentionMemory memory;
  nn::Tensor queries;
  std::optional<nn::AttentionWindow::Prediction> predicted;
  /// Whether the gradients of queries that check() receives include those of the centers.
  bool dqueries_with_centers = true;
};

void check_at_once(const Shape& shape) {
  Stage stage(shape);
  Bench& bench = stage.bench;
  std::optional<nn::Tensor> weights;
  const auto contexts = nn::attend_all(bench.graph, stage.queries, stage.memory,
                                       nn::single_step(bench.program, stage.target_rows), &weights);
  const auto observed = bench.observe(contexts);
  bench.seed_gradient(contexts, stage.dcontexts());
  bench.graph.derive_backward();
  stage.check(observed, *weights, *bench.graph.gradient(stage.queries));
}

void check_step_by_step(const Shape& shape) {
  Stage stage(shape);
  stage.dqueries_with_centers = false;
  Bench& bench = stage.bench;
  const auto table = step_table(stage.target, reference::Direction::kForward);
  const auto steps = given_steps(bench, stage.target_rows, table);
  nn::AttentionSteps attention(bench.graph, stage.memory, steps, stage.target_rows,
                               nn::AttentionSteps::Weights::kOutput);
  const auto move = [&](const nn::Tensor& x, const nn::Tensor& y, std::size_t t) {
    nn::move_rows(bench.program, {.x = x,
                                  .y = y,
                                  .rows = steps.counts[t],
                                  .table = steps.table,
                                  .by = nn::RowMove::By::kGather});
  };
  const auto query = bench.program.activation(steps.sentences(), stage.queries.columns);
  for (std::size_t t = 0; t < steps.size(); ++t) {
    move(stage.queries, query, t);
    attention.forward(t, query);
  }
  const auto observed = bench.observe(attention.contexts());
  // Half of the gradient is known for all rows, half arrives in each step.
  Matrix half = stage.dcontexts();
  for (double& value : half.values) value /= 2;
  const auto of_rows = bench.given(stage.target_rows, half);
  bench.seed_gradient(attention.contexts(), half);
  bench.graph.derive_backward();
  attention.begin_backward();
  const auto of_step = bench.program.activation(steps.sentences(), half.columns);
  const auto dquery = bench.program.activation(steps.sentences(), stage.queries.columns);
  for (std::size_t t = steps.size(); t-- > 0;) {
    move(of_rows, of_step, t);
    attention.backward(t, {.dcontext = of_step, .dquery = dquery, .adds = false});
  }
  attention.end_backward();
  stage.check(observed, attention.weights(), attention.dqueries());
}

}  // namespace

TEST_CASE("attention of recurrent decoders equals the reference, forward and backward") {
  for (const bool additive : {true, false}) {
    for (const auto& shape :
         {Shape{additive, 4, 4, {1}, {1}}, Shape{additive, 20, 36, {3, 12, 1, 7}, {4, 2, 6, 1}},
          Shape{additive, 40, 8, {30, 2}, {2, 9}}}) {
      CAPTURE(additive, shape.columns);
      check_at_once(shape);
      check_step_by_step(shape);
    }
  }
}

TEST_CASE("attention whose softmax can be switched off equals the reference in both states") {
  using Softmax = Shape::Softmax;
  for (const auto softmax : {Softmax::kOn, Softmax::kOff}) {
    const Shape shape{false, 20, 20, {3, 12, 1, 0, 40}, {4, 2, 6, 1, 2}, softmax};
    check_at_once(shape);
    check_step_by_step(shape);
  }
}

TEST_CASE("local attention equals the reference, forward and backward") {
  using Softmax = Shape::Softmax;
  for (const auto centers : {Shape::Centers::kGiven, Shape::Centers::kPredicted}) {
    for (const std::uint32_t window : {1, 4, 10}) {
      for (const auto& [sources, targets] :
           {std::pair<std::vector<std::size_t>, std::vector<std::size_t>>{{3, 12, 1, 40},
                                                                          {4, 2, 6, 3}},
            {{60}, {5}}}) {
        CAPTURE(window, sources.size());
        const Shape shape{false, 20, 36, sources, targets, Softmax::kAlways, 0, window, centers};
        check_at_once(shape);
        check_step_by_step(shape);
      }
    }
  }
}

TEST_CASE("the softmax includes the keys that a query lacks") {
  using Softmax = Shape::Softmax;
  for (const auto softmax : {Softmax::kAlways, Softmax::kOn, Softmax::kOff}) {
    const Shape shape{false, 20, 20, {3, 12, 1, 0, 40}, {4, 2, 6, 1, 2}, softmax, 13};
    check_at_once(shape);
    check_step_by_step(shape);
  }
}

}  // namespace awend::tests

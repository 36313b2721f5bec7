#include "model/memory/teacher_forcing.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "model/batch_inputs.hpp"
#include "nn/graph.hpp"
#include "nn/shader_types.hpp"

namespace awend::model {
namespace {

// A word of the Philox counters, different from those of dropout, data and initial values.
constexpr std::uint32_t kStream = 0x6E6F6973;

/// The answers of lines, and no target for the ends of lines, which are certain.
std::vector<std::uint32_t> answers_of(const batch::PackedSide& target,
                                      std::span<const std::uint32_t> output_ids) {
  std::vector<std::uint32_t> answers(output_ids.size(), batch::kNoToken);
  for (std::size_t line = 0; line + 1 < target.begins.size(); ++line)
    answers[target.begins[line]] = output_ids[target.begins[line]];
  return answers;
}

}  // namespace

MemoryTeacherForcing::MemoryTeacherForcing(const MemoryNetwork& network, nn::Graph& graph,
                                           const BatchSettings& settings)
    : network_(network),
      graph_(graph),
      settings_(settings),
      target_(graph.program().count(settings.target_rows)),
      inputs_(declare_memories(graph, network.config(), settings.source_rows)),
      questions_(declare_questions(graph, target_, inputs_)),
      keys_of_query_(graph.program().input(target_, 2)),
      queries_of_key_(graph.training() ? graph.program().input(inputs_.memories, 2)
                                       : keys_of_query_),
      output_ids_(graph.program().input(target_, 1)) {
  if (graph.training()) scalars_ = graph.step_scalars();
}

void MemoryTeacherForcing::encode() {
  memories_ = network_.memories(graph_, inputs_);
}

nn::Tensor MemoryTeacherForcing::decode() {
  base::check(!memories_.empty(), "the decoder comes after the encoder");
  using Weights = nn::AttentionSteps::Weights;
  const bool records = settings_.attention == BatchSettings::Attention::kRecorded;
  const auto questions = network_.questions(graph_, questions_);
  const Hopped hopped =
      network_.hop(graph_, {.state = questions,
                            .memories = memories_,
                            .keys_of_query = keys_of_query_,
                            .queries_of_key = queries_of_key_,
                            .weights = records ? Weights::kOutput : Weights::kInternal});
  for (const auto& weights : hopped.weights) {
    attentions_.push_back({.kind = AttentionOutput::Kind::kCross,
                           .heads = 1,
                           .max_keys = network_.config().memory.size,
                           .weights = weights});
  }
  return hopped.state;
}

nn::Loss MemoryTeacherForcing::loss() {
  encode();
  const Config& config = network_.config();
  return nn::ChunkedLoss{
      graph_, decode(), network_.projection(),
      nn::LossInputs{.targets = output_ids_,
                     .vocabulary = config.vocabulary,
                     .label_smoothing = config.label_smoothing,
                     .for_host = settings_.loss == BatchSettings::Loss::kTokens}};
}

/// The noise of an update depends on the rows of the whole update, not on its division into passes.
NoiseAfter MemoryTeacherForcing::noise_of(const batch::PackedSide& source) const {
  const double probability = network_.config().memory.noise;
  if (!scalars_ || probability == 0) return [](std::uint32_t) { return false; };
  const auto scalars = graph_.program().host<nn::StepScalars>(*scalars_)[0];
  return [=, first = source.first_row](std::uint32_t row) {
    const auto words = base::philox({first + row, scalars.step, 0, kStream},
                                    {scalars.seed_low, scalars.seed_high});
    return base::uniform_float(words[0]) < probability;
  };
}

void MemoryTeacherForcing::write(const batch::PackedBatch& batch) {
  const auto& source = batch.source;
  const auto& target = batch.target;
  nn::Program& program = graph_.program();
  const auto stories = pack_stories(source, network_.config().memory, noise_of(source));
  write_memories(program, source, stories, inputs_);
  program.set(target_, target.rows());
  write_words(program, answers_of(target, batch.output_ids), output_ids_);
  // Recorded attention has a row for the end of a line, too: that of its answer.
  const auto of_answer = [&](const std::vector<batch::RowRange>& ranges) {
    return [&](std::uint32_t row, std::size_t line) {
      const bool is_used = row == target.begins[line] || !graph_.training();
      return is_used ? ranges[line] : batch::RowRange{};
    };
  };
  write_ranges(program, target, keys_of_query_, of_answer(stories.memories_of_line));
  write_ranges(program, target, questions_.rows_of_bag, of_answer(stories.questions_of_line));
  if (!graph_.training()) return;
  std::vector<batch::RowRange> queries_of_key, questions_of_row(source.ids.size());
  for (std::size_t line = 0; line + 1 < source.begins.size(); ++line) {
    const batch::RowRange rows{target.begins[line], target.begins[line] + 1};
    const auto [first, last] = stories.memories_of_line[line];
    queries_of_key.insert(queries_of_key.end(), last - first, rows);
    const auto [begin, end] = stories.questions_of_line[line];
    for (std::uint32_t row = begin; row < end; ++row) questions_of_row[row] = rows;
  }
  write_row_ranges(program, queries_of_key, queries_of_key_);
  write_row_ranges(program, questions_of_row, questions_.bags_of_row);
}

}  // namespace awend::model

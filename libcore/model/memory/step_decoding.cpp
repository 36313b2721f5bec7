#include "model/memory/step_decoding.hpp"

#include "base/error.hpp"
#include "model/batch_inputs.hpp"
#include "nn/graph.hpp"
#include "nn/recurrent/move_rows.hpp"

namespace awend::model {

MemoryStepDecoding::MemoryStepDecoding(const MemoryNetwork& network, nn::Engine& engine,
                                       const StepCapacity& capacity)
    : network_(network),
      capacity_(capacity),
      questions_(engine, capacity.source_rows, network.config().d_model),
      memories_at_(capacity.source_rows) {
  for (std::size_t i = 0; i < network.tables(); ++i)
    memories_.emplace_back(engine, capacity.source_rows, network.config().d_model);
}

void MemoryStepDecoding::append_encoder(nn::Graph& graph) {
  nn::Program& program = graph.program();
  const auto memories = declare_memories(graph, network_.config(), capacity_.source_rows);
  const auto lines = program.count(capacity_.source_rows);
  encoder_.emplace(program, memories, lines, declare_questions(graph, lines, memories),
                   program.input(memories.memories, 1), program.input(lines, 1));
  const auto made = network_.memories(graph, memories);
  for (std::size_t i = 0; i < made.size(); ++i)
    nn::store_rows(graph, made[i], memories_[i].tensor(program), encoder_->memory_places);
  nn::store_rows(graph, network_.questions(graph, encoder_->questions), questions_.tensor(program),
                 encoder_->question_places);
}

nn::Tensor MemoryStepDecoding::append_step(nn::Graph& graph, const nn::Count& rows) {
  nn::Program& program = graph.program();
  step_.emplace(program, program.input(rows, 1), program.input(rows, 2));
  const nn::Tensor questions = program.activation(rows, network_.config().d_model);
  nn::move_rows(program, {.x = questions_.tensor(program),
                          .y = questions,
                          .rows = rows,
                          .table = step_->question_places,
                          .by = nn::RowMove::By::kGather});
  HopInputs inputs{.state = questions,
                   .memories = {},
                   .keys_of_query = step_->memory_ranges,
                   .queries_of_key = step_->memory_ranges,
                   .weights = nn::AttentionSteps::Weights::kInternal};
  for (const auto& cache : memories_) inputs.memories.push_back(cache.tensor(program));
  return network_.hop(graph, inputs).state;
}

void MemoryStepDecoding::write(std::span<const SourceSentence> sentences) {
  auto& [program, memories, lines, questions, memory_places, question_places] = *encoder_;
  std::vector<std::uint32_t> ids, begins = {0};
  for (const auto& sentence : sentences) {
    ids.insert(ids.end(), sentence.ids.begin(), sentence.ids.end());
    begins.push_back(static_cast<std::uint32_t>(ids.size()));
  }
  base::check(ids.size() <= capacity_.source_rows, "sentences fit the source cache");
  const batch::PackedSide source{.ids = std::move(ids), .begins = std::move(begins)};
  const auto stories =
      pack_stories(source, network_.config().memory, [](std::uint32_t) { return false; });
  write_memories(program, source, stories, memories);
  program.set(lines, static_cast<std::uint32_t>(sentences.size()));
  write_row_ranges(program, stories.questions_of_line, questions.rows_of_bag);
  const auto places = program.host<std::uint32_t>(memory_places);
  const auto starts = program.host<std::uint32_t>(question_places);
  for (std::size_t line = 0; line < sentences.size(); ++line) {
    const auto [begin, end] = stories.memories_of_line[line];
    const std::uint32_t first = sentences[line].first_row;
    for (std::uint32_t memory = begin; memory < end; ++memory)
      places[memory] = first + memory - begin;
    starts[line] = first;
    memories_at_[first] = end - begin;
  }
}

void MemoryStepDecoding::write(const StepRows& step) {
  const auto& [program, question_places, memory_ranges] = *step_;
  const auto questions = program.host<std::uint32_t>(question_places);
  const auto ranges = program.host<std::uint32_t>(memory_ranges);
  for (std::size_t i = 0; i < step.rows.size(); ++i) {
    const std::uint32_t first = step.rows[i].source.begin;
    questions[i] = first;
    ranges[2 * i] = first;
    ranges[2 * i + 1] = first + memories_at_[first];
  }
}

}  // namespace awend::model

#include "model/memory/stories.hpp"

#include "base/error.hpp"
#include "model/batch_inputs.hpp"
#include "model/memory/story.hpp"
#include "nn/graph.hpp"

namespace awend::model {
PackedStories pack_stories(const batch::PackedSide& source, const MemoryConfig& config,
                           const NoiseAfter& noise) {
  PackedStories stories;
  stories.memories_of_row.resize(source.ids.size());
  for (std::size_t line = 0; line + 1 < source.begins.size(); ++line) {
    const std::uint32_t first = source.begins[line];
    const auto ids = std::span(source.ids).subspan(first, source.begins[line + 1] - 1 - first);
    const Story story = parse_story(ids, config);
    std::vector<batch::RowRange> memories;
    for (const auto& [begin, end] : story.sentences) {
      memories.push_back({first + begin, first + end});
      if (noise(first + begin)) memories.push_back({first + end, first + end});
    }
    if (memories.size() > config.size)
      memories.erase(memories.begin(), memories.end() - config.size);
    const auto begin = static_cast<std::uint32_t>(stories.words.size());
    for (const auto& words : memories) {
      const auto memory = static_cast<std::uint32_t>(stories.words.size());
      for (std::uint32_t row = words.begin; row < words.end; ++row)
        stories.memories_of_row[row] = {memory, memory + 1};
      stories.words.push_back(words);
      stories.ages.push_back(begin + static_cast<std::uint32_t>(memories.size()) - 1 - memory);
    }
    stories.memories_of_line.push_back({begin, static_cast<std::uint32_t>(stories.words.size())});
    stories.questions_of_line.push_back({first + story.question.begin, first + story.question.end});
  }
  return stories;
}

MemoryInputs declare_memories(nn::Graph& graph, const Config& config, std::uint32_t source_rows) {
  nn::Program& program = graph.program();
  const nn::Count rows = program.count(source_rows);
  // Each sentence has a word and an end, so that there is room for as many empty memories.
  const nn::Count memories = program.count(source_rows);
  MemoryInputs inputs{.memories = memories,
                      .sentences = {.ids = program.input(rows, 1),
                                    .rows_of_bag = program.input(memories, 2),
                                    .bags_of_row = program.input(rows, 2),
                                    .by_id = std::nullopt},
                      .ages = {program.input(memories, 1), std::nullopt}};
  if (!graph.training()) return inputs;
  inputs.sentences.by_id = declare_segments(program, rows, source_vocabulary_of(config));
  inputs.ages.by_id = declare_segments(program, memories, config.memory.size);
  return inputs;
}

nn::EmbeddingBagInputs declare_questions(nn::Graph& graph, const nn::Count& questions,
                                         const MemoryInputs& inputs) {
  nn::Program& program = graph.program();
  const auto& words = inputs.sentences;
  return {.ids = words.ids,
          .rows_of_bag = program.input(questions, 2),
          .bags_of_row = graph.training() ? program.input(words.ids.rows, 2) : words.bags_of_row,
          .by_id = words.by_id};
}

void write_row_ranges(const nn::Program& program, std::span<const batch::RowRange> ranges,
                      const nn::Tensor& to) {
  const auto values = program.host<std::uint32_t>(to);
  base::check(2 * ranges.size() <= values.size(), "an input holds the largest batch");
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    values[2 * i] = ranges[i].begin;
    values[2 * i + 1] = ranges[i].end;
  }
}

void write_memories(nn::Program& program, const batch::PackedSide& source,
                    const PackedStories& stories, const MemoryInputs& inputs) {
  const auto& words = inputs.sentences;
  program.set(words.ids.rows, source.rows(), source.first_row);
  program.set(inputs.memories, static_cast<std::uint32_t>(stories.words.size()));
  write_words(program, source.ids, words.ids);
  write_row_ranges(program, stories.words, words.rows_of_bag);
  write_row_ranges(program, stories.memories_of_row, words.bags_of_row);
  write_words(program, stories.ages, inputs.ages.ids);
  if (!words.by_id) return;
  write_segments(program, source.by_id, words.by_id);
  write_segments(program, batch::rows_by_key(stories.ages), inputs.ages.by_id);
}

}  // namespace awend::model

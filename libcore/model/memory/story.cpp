#include "model/memory/story.hpp"

#include "base/concat.hpp"

namespace awend::model {

Story parse_story(std::span<const std::uint32_t> ids, const MemoryConfig& config) {
  Story story;
  std::uint32_t begin = 0;
  const auto size = static_cast<std::uint32_t>(ids.size());
  for (std::uint32_t i = 0; i < size; ++i) {
    if (ids[i] != config.sentence_end_id) continue;
    if (i > begin) story.sentences.push_back({begin, i});
    begin = i + 1;
  }
  const bool ends = size > begin && ids[size - 1] == config.question_end_id;
  story.question = {begin, ends ? size - 1 : size};
  return story;
}

std::optional<std::string> story_problem(std::span<const std::uint32_t> ids,
                                         const MemoryConfig& config) {
  if (ids.empty()) return std::nullopt;
  if (ids.back() != config.question_end_id) {
    return base::concat("a story without a question; the last token must be '", config.question_end,
                        "'");
  }
  const Story story = parse_story(ids, config);
  if (story.question.begin == story.question.end) return "a story whose question is empty";
  return std::nullopt;
}

}  // namespace awend::model

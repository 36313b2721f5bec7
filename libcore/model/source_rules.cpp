#include "model/source_rules.hpp"

#include "base/error.hpp"
#include "model/memory/story.hpp"

namespace awend::model {
std::string source_rules(const Config& config) {
  if (!reads_stories(config)) return "";
  return base::concat("story, one token ", config.memory.sentence_end, ' ',
                      config.memory.question_end);
}

std::optional<std::string> source_problem(const Config& config,
                                          std::span<const std::uint32_t> ids) {
  return reads_stories(config) ? story_problem(ids, config.memory) : std::nullopt;
}

std::optional<std::string> target_problem(const Config& config,
                                          std::span<const std::uint32_t> ids) {
  if (!reads_stories(config) || ids.size() == 1) return std::nullopt;
  return base::concat("an answer of ", ids.size(),
                      " tokens; it must be one token, so a list must be one word");
}

void resolve_tokens(Config& config, const FindId& find) {
  if (!reads_stories(config)) return;
  const auto id_of = [&](const char* setting, const std::string& token) {
    const auto id = find(token);
    if (!id) base::fail("the vocabulary has no token '", token, "'; set ", setting);
    return *id;
  };
  config.memory.sentence_end_id = id_of("sentence-end", config.memory.sentence_end);
  config.memory.question_end_id = id_of("question-end", config.memory.question_end);
}

}  // namespace awend::model

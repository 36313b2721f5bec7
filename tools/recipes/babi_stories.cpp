// babi-stories: generates stories with questions like those of the bAbI tasks, without a download.
// Test: tests/cli/recipe_memory.sh.
#include <algorithm>

#include "base/files.hpp"
#include "recipes/stories.hpp"
#include "run_tool.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"[OPTION]... --task N"};

constexpr cli::Option kOptions[] = {
    {"task", 't', "N", "", "task: 1, 2, 3, 4, 5, 15 or 16", "", base::texts_of<kTasks>},
    {"questions", 'n', "N", "1000", "number of questions"},
    {"seed", 0, "N", "1", "random seed"},
    {"output", 'o', "OUT", "-", "output file; - is stdout"},
};

constexpr cli::ToolDescription kTool = {
    .name = "babi-stories",
    .purpose = "Generate stories with questions in the format of the bAbI tasks.",
    .usage = kUsage,
    .options = kOptions,
};

/// The lines up to question number `max_questions`.
std::string_view first_questions(std::string_view text, std::uint64_t max_questions) {
  std::size_t end = 0;
  for (std::uint64_t found = 0; found < max_questions; ++found)
    end = text.find('\n', text.find('\t', end)) + 1;
  return text.substr(0, end);
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& options) {
  options.required("task");
  const auto task = options.integer<std::uint32_t>("task", {.min = 0});
  const auto questions = options.integer<std::uint64_t>("questions", {.min = 0});
  base::Random random(options.integer<std::uint64_t>("seed", {.min = 0}), task);
  base::OutputFile output(options.text("output"));
  for (std::uint64_t written = 0; written < questions;) {
    StoryWriter story;
    write_story(task, random, story);
    const auto taken = std::min<std::uint64_t>(story.questions(), questions - written);
    written += taken;
    output.write(first_questions(story.text(), taken));
  }
  output.commit();
}

}  // namespace awend::tools

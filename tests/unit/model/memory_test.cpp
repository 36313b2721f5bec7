// The lines that memory networks read: stories with a question, their memories, and errors.
#include "base/error.hpp"
#include "model/memory/stories.hpp"
#include "model/memory/story.hpp"
#include "model/source_rules.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::model {
namespace {

// "." is 1 and "?" is 2.
Config memory_config() {
  Config config = preset("memory-3hop");
  config.vocabulary = 20;
  resolve_tokens(config, [](std::string_view token) -> std::optional<std::uint32_t> {
    return token == "." ? 1 : 2;
  });
  return config;
}

using Ids = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a line is divided into sentences and a question", "[memory]") {
  const auto config = memory_config();
  const auto parse = [&](const Ids& ids) { return parse_story(ids, config.memory); };
  const auto story = parse({5, 6, 1, 1, 7, 1, 8, 9, 2});
  CHECK(story.sentences == std::vector<batch::RowRange>{{0, 2}, {4, 5}});
  CHECK(story.question == batch::RowRange{6, 8});
  CHECK(parse({8, 2}).sentences.empty());
  CHECK(parse({8, 2}).question == batch::RowRange{0, 1});
  // Lines that source_problem() refuses have parts too.
  CHECK(parse({5, 1}).question == batch::RowRange{2, 2});
  CHECK(parse({5, 1, 6}).question == batch::RowRange{2, 3});
  CHECK(parse({}).question == batch::RowRange{0, 0});
}

TEST_CASE("a story without a question is a problem", "[memory]") {
  const auto config = memory_config();
  const auto problem = [&](const Ids& ids) { return source_problem(config, ids).value_or("none"); };
  CHECK(problem({5, 1, 8, 2}) == "none");
  CHECK(problem({8, 2}) == "none");
  CHECK(problem({}) == "none");
  CHECK(problem({5, 1}) == "a story without a question; the last token must be '?'");
  CHECK(problem({5, 1, 8, 2, 5}) == "a story without a question; the last token must be '?'");
  CHECK(problem({5, 1, 2}) == "a story whose question is empty");
  CHECK(source_rules(config) == "story, one token . ?");
  CHECK(source_rules(preset("base")).empty());
  CHECK_FALSE(source_problem(preset("base"), Ids{5, 1}));
}

TEST_CASE("tokens that end sentences must be in the vocabulary", "[memory]") {
  auto config = preset("memory-3hop");
  const auto find = [](std::string_view token) -> std::optional<std::uint32_t> {
    if (token == "?") return std::nullopt;
    return 4;
  };
  CHECK(tests::message_of([&] { resolve_tokens(config, find); }) ==
        "the vocabulary has no token '?'; set question-end");
  config.memory.question_end = ".";
  CHECK(tests::message_of([&] { require_consistent(config); }) ==
        "sentence-end and question-end must be different tokens, got '.'");
}

TEST_CASE("memories are the newest sentences, with empty ones as noise", "[memory]") {
  auto config = memory_config();
  const Ids ids = {5, 6, 1, 7, 1, 8, 2, 0, 9, 1, 4, 2, 0};
  const Ids begins = {0, 8, 13};
  const batch::PackedSide side{.ids = ids, .begins = begins};
  const auto quiet = [](std::uint32_t) { return false; };
  const auto all = pack_stories(side, config.memory, quiet);
  CHECK(all.words == std::vector<batch::RowRange>{{0, 2}, {3, 4}, {8, 9}});
  CHECK(all.ages == Ids{1, 0, 0});
  CHECK(all.memories_of_line == std::vector<batch::RowRange>{{0, 2}, {2, 3}});
  CHECK(all.questions_of_line == std::vector<batch::RowRange>{{5, 6}, {10, 11}});
  CHECK(all.memories_of_row[1] == batch::RowRange{0, 1});
  CHECK(all.memories_of_row[2] == batch::RowRange{});
  CHECK(all.memories_of_row[5] == batch::RowRange{});

  const auto noisy = pack_stories(side, config.memory, [](std::uint32_t row) { return row == 0; });
  CHECK(noisy.words == std::vector<batch::RowRange>{{0, 2}, {2, 2}, {3, 4}, {8, 9}});
  CHECK(noisy.ages == Ids{2, 1, 0, 0});
  config.memory.size = 1;
  const auto newest = pack_stories(side, config.memory, quiet);
  CHECK(newest.words == std::vector<batch::RowRange>{{3, 4}, {8, 9}});
  CHECK(newest.memories_of_row[0] == batch::RowRange{});
}

TEST_CASE("settings of a memory network can be read back, and others are not its own", "[memory]") {
  auto config = memory_config();
  config.memory.tying = HopTying::kLayerWise;
  config.memory.sentence_end = ";";
  const auto same = from_settings(to_settings(config), "file");
  CHECK(to_settings(same).to_json() == to_settings(config).to_json());
  CHECK(same.memory.sentence_end_id == 1);
  CHECK_FALSE(to_settings(config).find("heads"));
  CHECK_FALSE(to_settings(preset("base")).find("hops"));
  CHECK(default_preset("memory") == "memory-3hop");
  CHECK(layers_of(config) == 1);
  nn::Parameters parameters;
  const MemoryNetwork network(memory_config(), parameters);
  // Four tables of 20 ids and 50 ages.
  CHECK(parameters.numbers() == 4 * 20 * (20 + 50));
  nn::Parameters with_switch;
  auto linear = memory_config();
  linear.memory.linear_start = 5;
  const MemoryNetwork other(linear, with_switch);
  CHECK(with_switch.numbers() == parameters.numbers() + 1);
}

TEST_CASE("an answer of a memory network is one token", "[memory]") {
  const auto config = memory_config();
  CHECK_FALSE(target_problem(config, Ids{5}));
  CHECK(target_problem(config, Ids{5, 6}) ==
        "an answer of 2 tokens; it must be one token, so a list must be one word");
  CHECK_FALSE(target_problem(preset("base"), Ids{5, 6}));
}

}  // namespace awend::model

// A resumed run produces the bytes of a run without interruption; a run that cannot resume reports
// why.
#include <filesystem>

#include "data/fingerprint.hpp"
#include "store/array_file.hpp"
#include "tests/catch.hpp"
#include "tests/learn/stage.hpp"
#include "tests/scratch.hpp"
#include "train/checkpoint.hpp"
#include "train/loop.hpp"
#include "train/ranks/join_ranks.hpp"
#include "train/validation.hpp"

namespace awend::tests {
namespace {

/// A run on digits with dropout, two batches per update and a validation every four updates.
class Digits {
 public:
  Digits() : corpus_(reversals(200, 21)), valid_(reversals(20, 22)) {
    identity_.config = digit_model();
    identity_.config.dropout = 0.1;
    identity_.recipe = quick_recipe();
    identity_.recipe.accumulate = 2;
    identity_.vocabulary = "a vocabulary";
    identity_.corpus_fingerprint = data::fingerprint(corpus_);
    course_ = {.max_steps = 20, .valid_every = 4, .save_every = 6, .log_every = 3, .keep = 2};
  }

  /// Trains in `directory`, resuming from its last checkpoint, until `steps` updates; the log is a
  /// file there.
  std::string train(const std::string& directory, std::uint64_t steps) {
    std::filesystem::create_directories(directory);
    course_.max_steps = steps;
    const base::Report report("test", base::Verbosity::kQuiet);
    const auto checkpoint = train::find_checkpoint(directory, report);
    if (checkpoint) train::require_same_run(*checkpoint, identity_);
    if (checkpoint) train::require_same_corpus(*checkpoint, identity_);
    train::Trainer trainer(engine(), identity_.config, identity_.recipe);
    train::Validation validation(engine(), trainer.model().view(), valid_, {256});
    train::RunState state;
    if (checkpoint) {
      state = train::read_state(*checkpoint);
      train::load_checkpoint(*checkpoint, trainer);
      trainer.set_counts(state.counts);
    }
    train::Log log({.output = directory + "/log-" + std::to_string(steps)});
    const auto alone = train::join_ranks();
    train::Loop loop({.ranks = *alone,
                      .trainer = trainer,
                      .validation = &validation,
                      .translation = nullptr,
                      .log = &log,
                      .corpus = corpus_,
                      .identity = identity_,
                      .pass_rows = 200,
                      .limits = course_,
                      .directory = directory,
                      .resumes = checkpoint.has_value(),
                      .is_on_cpu = false,
                      .started = train::Clock::now()},
                     state, report);
    const auto reason = loop.run();
    log.close();
    return reason;
  }

  /// Makes it a run of a memory network on stories.
  void read_stories() {
    corpus_ = stories(200, 23);
    valid_ = stories(20, 24);
    identity_.config = digit_memory(model::HopTying::kAdjacent);
    identity_.config.memory.linear_start = 7;
    identity_.recipe.optimizer = train::Optimizer::kSgd;
    identity_.recipe.curve = train::Curve::kHalving;
    identity_.recipe.schedule_steps = 4;
    identity_.config.memory.noise = 0.3;
    identity_.recipe.ema_decay = 0.9;
    identity_.corpus_fingerprint = data::fingerprint(corpus_);
    course_.valid_every = 2;
    course_.save_every = 3;
  }

  train::Identity& identity() { return identity_; }
  train::RunLimits& limits() { return course_; }

 private:
  data::SentencePairs corpus_, valid_;
  train::Identity identity_;
  train::RunLimits course_;
};

std::vector<std::string> checkpoints_in(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == ".safetensors") names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Requires the same arrays, and the same metadata except the seconds.
void require_same_state(const std::string& a, const std::string& b) {
  const store::ArrayFile one(a), two(b);
  REQUIRE(one.arrays().size() == two.arrays().size());
  REQUIRE(one.arrays().size() > 10);
  for (std::size_t i = 0; i < one.arrays().size(); ++i) {
    CAPTURE(one.arrays()[i].name);
    REQUIRE(one.arrays()[i].name == two.arrays()[i].name);
    REQUIRE(std::ranges::equal(one.arrays()[i].bytes, two.arrays()[i].bytes));
  }
  auto first = one.metadata(), second = two.metadata();
  REQUIRE(first.erase("awend.seconds") == 1);
  REQUIRE(second.erase("awend.seconds") == 1);
  CHECK(first == second);
}

/// The lines of a log without the columns of time.
std::vector<std::string> timeless_lines(const std::string& path) {
  std::vector<std::string> lines;
  const std::string text = Scratch::read(path);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    std::string line, field;
    int column = 0;
    for (const char c : text.substr(begin, end - begin) + '\t') {
      field += c;
      if (c != '\t') continue;
      if (column != 2 && column != 5) line += field;
      field.clear();
      ++column;
    }
    lines.push_back(line);
    begin = end + 1;
  }
  return lines;
}

TEST_CASE("20 updates are 10 and another 10, bit for bit", "[resume]") {
  const Scratch scratch;
  Digits straight, broken;
  const auto sixteen_bits =
      engine().on_processor() ? nn::Element::kBfloat16 : nn::Element::kFloat16;
  const auto precision = GENERATE_COPY(nn::Element::kFloat32, sixteen_bits);
  if (!engine().computes(precision)) return;
  if (precision == nn::Element::kFloat32 && GENERATE(false, true)) {
    straight.identity().config = broken.identity().config = other_toolkits_model();
    straight.identity().config.dropout = broken.identity().config.dropout = 0.1;
    // The average of a table that is not trained is the table.
    straight.identity().recipe.ema_decay = broken.identity().recipe.ema_decay = 0.9;
  }
  straight.identity().recipe.optimizer = broken.identity().recipe.optimizer =
      GENERATE(train::Optimizer::kAdam, train::Optimizer::kMuon);
  straight.identity().recipe.precision = broken.identity().recipe.precision = precision;
  CAPTURE(nn::name_of(precision));
  CHECK(straight.train(scratch.path("a"), 20) == "20 updates, the maximum");
  CHECK(broken.train(scratch.path("b"), 10) == "10 updates, the maximum");
  CHECK(broken.train(scratch.path("b"), 20) == "20 updates, the maximum");
  const std::string model = "/model-00000020.safetensors", state = "/state-00000020.safetensors";
  CHECK(Scratch::read(scratch.path("a") + model) == Scratch::read(scratch.path("b") + model));
  require_same_state(scratch.path("a") + state, scratch.path("b") + state);
  // The log is the same too, except that the first part has another line at its last step.
  const auto whole = timeless_lines(scratch.path("a") + "/log-20");
  auto parts = timeless_lines(scratch.path("b") + "/log-10");
  REQUIRE(parts.back().starts_with("10\t"));
  parts.pop_back();
  const auto rest = timeless_lines(scratch.path("b") + "/log-20");
  parts.insert(parts.end(), rest.begin() + 1, rest.end());
  CHECK(parts == whole);
}

TEST_CASE("a memory network resumes in its linear start and after it, bit for bit", "[resume]") {
  const Scratch scratch;
  Digits straight;
  straight.read_stories();
  straight.train(scratch.path("a"), 20);
  const auto softmax_of = [&](const std::string& model) {
    const store::ArrayFile file(model);
    const std::uint64_t shape[] = {1, 1};
    return file.floats("softmax", shape).front();
  };
  const std::string model = "/model-00000020.safetensors", state = "/state-00000020.safetensors";
  CHECK(softmax_of(scratch.path("a") + model) == 1);
  std::vector<float> phases;
  for (std::uint64_t steps = 1; steps <= 20; ++steps) {
    Digits part;
    part.read_stories();
    part.train(scratch.path("b"), steps);
    char name[32];
    std::snprintf(name, sizeof name, "/model-%08d.safetensors", static_cast<int>(steps));
    phases.push_back(softmax_of(scratch.path("b") + name));
  }
  for (std::size_t i = 0; i < phases.size(); ++i) CHECK(phases[i] == (i + 1 < 7 ? 0 : 1));
  // No checkpoint of the linear start is among the best.
  const auto best =
      train::read_state(store::Checkpoint{20, scratch.path("a") + model, scratch.path("a") + state})
          .best;
  REQUIRE(!best.list.empty());
  for (const auto& validated : best.list) CHECK(validated.step >= 7);
  CHECK(Scratch::read(scratch.path("a") + model) == Scratch::read(scratch.path("b") + model));
  require_same_state(scratch.path("a") + state, scratch.path("b") + state);
}

TEST_CASE("a run that starts from one in another precision has its own loss scale", "[resume]") {
  const Scratch scratch;
  Digits digits;
  digits.identity().recipe.precision = nn::Element::kFloat16;
  train::Trainer trainer(engine(), digits.identity().config, quick_recipe());
  train::RunState state;
  state.counts = {.step = 1, .skipped_in_row = 3, .scale = {.value = 65536, .updates = 5}};
  std::filesystem::create_directories(scratch.path("run"));
  train::save_checkpoint(scratch.path("run"), {trainer.parameters(), state, digits.identity()}, {});
  const auto resumed = [&] {
    return train::resume_from(scratch.path("run"), {}, digits.identity(), trainer).counts;
  };
  CHECK(resumed().scale.value == 65536);
  CHECK(resumed().skipped_in_row == 3);
  digits.identity().recipe.precision = nn::Element::kFloat32;
  CHECK(resumed().scale.value == 1);
  CHECK(resumed().skipped_in_row == 0);
}

TEST_CASE("old checkpoints are removed, and only the last one has a state", "[resume]") {
  const Scratch scratch;
  Digits digits;
  digits.train(scratch.path("run"), 20);
  CHECK(checkpoints_in(scratch.path("run")) ==
        std::vector<std::string>{"best.safetensors", "model-00000018.safetensors",
                                 "model-00000020.safetensors", "state-00000020.safetensors"});
}

TEST_CASE("a run with other settings is not resumed", "[resume]") {
  const Scratch scratch;
  Digits digits;
  const auto directory = scratch.path("run");
  digits.train(directory, 2);
  const auto refusal = [&](auto change) {
    Digits other;
    change(other.identity());
    return message_of([&] { other.train(directory, 4); });
  };
  const auto state = directory + "/state-00000002.safetensors",
             model = directory + "/model-00000002.safetensors";
  CHECK(refusal([](train::Identity&) {}).empty());
  CHECK(refusal([](auto& it) {
          it.recipe.seed = 2;
        }).find("was trained with seed 1, which is now 2") != std::string::npos);
  CHECK(refusal([](auto& it) {
          it.config.transformer.attention_bias = model::Switch::kOn;
        }).find("attention-bias") != std::string::npos);
  CHECK(refusal([](auto& it) { it.recipe.accumulate = 1; }).find("accumulate 2, which is now 1") !=
        std::string::npos);
  CHECK(refusal([](auto& it) {
          it.config.transformer.d_ff = 32;
        }).find("d-ff 64, which is now 32") != std::string::npos);
  CHECK(refusal([](auto& it) {
          it.vocabulary = "another";
        }).ends_with(": was trained with another vocabulary"));
  CHECK(refusal([](auto& it) { ++it.corpus_fingerprint; })
            .ends_with(": was trained on another corpus: the source files, the target files, the "
                       "alignment files, the corpus weights or the maximum length changed"));
}

TEST_CASE("a damaged checkpoint is refused by its name", "[resume]") {
  const Scratch scratch;
  Digits digits;
  const auto directory = scratch.path("run");
  digits.train(directory, 2);
  const auto state = directory + "/state-00000002.safetensors",
             model = directory + "/model-00000002.safetensors";
  const std::string whole = Scratch::read(state);
  const auto refusal = [&](const std::string& bytes) {
    std::ofstream(state, std::ios::binary) << bytes;
    return message_of([&] { Digits().train(directory, 4); });
  };
  CHECK(refusal(whole.substr(0, whole.size() - 1)).starts_with(state + ": array '"));
  CHECK(refusal(whole.substr(0, 7)).starts_with(state + ": "));
  CHECK(refusal("lines of text\n").starts_with(state + ": "));
  CHECK(refusal(Scratch::read(model))
            .starts_with(state + ": "));  // a checkpoint, but no training state
  std::filesystem::remove(state);
  CHECK(message_of([&] {
          Digits().train(directory, 4);
        }).starts_with(directory + ": has checkpoints but no training state to resume from;"));
}

TEST_CASE("ten consecutive gradients that are not finite end a run", "[resume]") {
  const Scratch scratch;
  Digits wild;
  wild.identity().recipe.learning_rate = 1e30;  // the first update makes all values useless
  const auto message = message_of([&] { wild.train(scratch.path("wild"), 40); });
  CHECK(message.starts_with("the gradient was not finite in 10 updates in a row, up to step "));
  CHECK(message.find("; no checkpoint was saved: start again, with a smaller ") != message.npos);
}

}  // namespace
}  // namespace awend::tests

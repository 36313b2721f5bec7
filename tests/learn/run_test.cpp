// A run of the library: its settings are checked, and stdout belongs to the program.
#include "train/run.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <limits>

#include "tests/catch.hpp"
#include "tests/learn/digits.hpp"
#include "tests/learn/stage.hpp"
#include "tests/scratch.hpp"
#include "train/ranks/join_ranks.hpp"

namespace awend::tests {
namespace {

/// While it lives, stdout is a file.
class StdoutTo {
 public:
  explicit StdoutTo(const std::string& path) : before_(::dup(STDOUT_FILENO)) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(file, STDOUT_FILENO);
    ::close(file);
  }
  ~StdoutTo() {
    ::dup2(before_, STDOUT_FILENO);
    ::close(before_);
  }
  StdoutTo(const StdoutTo&) = delete;
  StdoutTo& operator=(const StdoutTo&) = delete;

 private:
  int before_;
};

class TinyRun {
 public:
  TinyRun() {
    std::string digits;
    for (int line = 0; line < 20; ++line)
      digits += std::to_string(line % 10) + " " + std::to_string(line * 3 % 10) + "\n";
    const auto text = scratch_.write("digits", digits);
    settings.texts.training = {{.files = {text, text, ""}}};
    settings.vocabulary = scratch_.write("vocabulary", digit_vocabulary("0123456789").serialize());
    settings.output = scratch_.path("run");
    settings.device = "cpu";
    settings.threads = 1;
    settings.config = digit_model();
    settings.recipe = quick_recipe();
    settings.limits.max_steps = 2;
    settings.limits.log_every = 1;
  }

  void run() const {
    const auto alone = train::join_ranks();
    train::run(settings, *alone, base::Report("test", base::Verbosity::kQuiet));
  }
  std::string path(std::string_view name) const { return scratch_.path(name); }

  train::RunSettings settings;

 private:
  Scratch scratch_;
};

}  // namespace

TEST_CASE("settings of a run that are not in their domains are refused") {
  const auto message_for = [](const auto& change) {
    TinyRun run;
    change(run.settings);
    return message_of([&] { run.run(); });
  };
  CHECK(message_for([](auto& settings) { settings.texts.training.clear(); }) ==
        "no training text is given");
  CHECK(message_for([](auto& settings) { settings.texts.training[0].weight = -1; }) ==
        "the weight of a corpus: must be in [0.001, 1000], got -1");
  CHECK(message_for([](auto& settings) {
          settings.texts.training[0].weight = std::numeric_limits<double>::quiet_NaN();
        }) == "the weight of a corpus: must be in [0.001, 1000], got nan");
  CHECK(message_for([](auto& settings) { settings.recipe.batch_tokens = 0; }) ==
        "batch-tokens must be in [1, 2147483647], got 0");
  CHECK(message_for([](auto& settings) { settings.recipe.learning_rate = -5; }) ==
        "learning-rate must be in [0, 1e+06], got -5");
}

TEST_CASE("a run writes its log to a file, and to stdout only on request") {
  TinyRun run;
  const auto captured = [&](const std::string& name) {
    {
      const StdoutTo file(run.path(name));
      run.run();
    }
    return Scratch::read(run.path(name));
  };
  CHECK(captured("silent").empty());
  const auto log = Scratch::read(run.path("run/log.tsv"));
  CHECK(std::ranges::count(log, '\n') == 3);  // with the names of the columns
  run.settings.log_output = "-";
  run.settings.output = run.path("again");
  CHECK(std::ranges::count(captured("loud"), '\n') == 3);
}

}  // namespace awend::tests

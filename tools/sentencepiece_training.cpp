#include "sentencepiece_training.hpp"

#include <chrono>
#include <future>
#include <thread>

#include "base/random.hpp"
#include "base/signals.hpp"
#include "cli/progress.hpp"
#include "filter_options.hpp"
#include "learning.hpp"
#include "sentencepiece_options.hpp"
#include "text/sentencepiece/model.hpp"
#include "text/sentencepiece/pair_trainer.hpp"
#include "text/sentencepiece/trainer.hpp"
#include "word_counting.hpp"

namespace awend::tools {
namespace {

using text::SentencePieceTraining;

// The first lines, or a sample in which each line is equally probable (reservoir sampling).
class LineSample {
 public:
  explicit LineSample(const LineSampling& sampling) : sampling_(sampling) {}

  /// False when no more lines are needed.
  bool add(std::string_view line) {
    if (line.empty() || text::TrainingWords::is_ignored(line)) return true;
    ++total_;
    if (sampling_.lines == 0 || lines_.size() < sampling_.lines) {
      lines_.emplace_back(line);
    } else {
      const std::uint64_t high = random_.word(), place = (high << 32 | random_.word()) % total_;
      if (place < lines_.size()) lines_[place] = line;
    }
    return sampling_.lines == 0 || sampling_.choice == LineSampling::Choice::kRandom ||
           lines_.size() < sampling_.lines;
  }

  std::vector<std::string> take() { return std::move(lines_); }

 private:
  const LineSampling sampling_;
  std::vector<std::string> lines_;
  std::uint64_t total_ = 0;
  base::Random random_{1};
};

std::vector<std::string> read_lines(const cli::Options& options, const base::Report& report) {
  const auto files = input_files(options);
  cli::Progress progress(report, {.what = "reading", .unit = "lines", .inputs = files});
  LineSample sample(line_sampling(options));
  std::uint64_t lines = 0, bytes = 0;
  bool needs_more = true;
  for (const std::string& file : files) {
    if (!needs_more) break;
    base::LineReader reader(file, text_policy_of(options));
    for (std::string_view line; needs_more && reader.next(line);) {
      needs_more = sample.add(line);
      progress.update({.done = ++lines, .bytes = bytes + reader.position_bytes()});
    }
    bytes += reader.position_bytes();
    warn_of_input(report, reader);
  }
  if (lines == 0) base::fail("no text to learn from");
  std::vector<std::string> taken = sample.take();
  if (taken.size() < lines)
    report.note(base::concat("learning from ", taken.size(), " of ", lines, " lines read"));
  return taken;
}

// The library cannot be interrupted.  On a signal its thread, which owns all data it uses, is
// detached, and the process exits.
std::string train_by_library(const SentencePieceTraining& settings,
                             std::vector<std::string> lines) {
  std::promise<std::string> promise;
  auto model = promise.get_future();
  std::thread thread([settings, lines = std::move(lines), promise = std::move(promise)]() mutable {
    try {
      std::size_t next = 0;
      promise.set_value(
          text::train_sentencepiece(settings, [&]() -> std::optional<std::string_view> {
            if (next == lines.size()) return std::nullopt;
            return lines[next++];
          }));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  });
  while (model.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
    if (base::stop_signal() == 0) continue;
    thread.detach();
    throw base::Interrupted();
  }
  thread.join();
  return model.get();
}

std::string train_pairs(const SentencePieceTraining& settings, const cli::Options& options,
                        const base::Report& report) {
  const text::PairTrainer trainer(settings);
  Counting counting(options);
  counting.settings.rule = text::WordRule::kPieces;
  counting.settings.pieces = &trainer.words();
  const bool samples = line_sampling(options).lines > 0;
  const text::WordList words = samples ? counting.count(read_lines(options, report), report)
                                       : counting.count(options, report);
  if (words.words().empty()) base::fail("no text to learn from");
  Learning learning(report, "pieces", settings.size);
  report.note("the pieces are those of SentencePiece 0.2.3");
  return trainer.learn(words.words(), counting.memory.get(),
                       [&](std::size_t pieces) { learning(pieces); });
}

}  // namespace

std::string trained_model(const cli::Options& options, const base::Report& report) {
  const SentencePieceTraining settings = sentencepiece_settings(options);
  (void)line_sampling(options);
  const bool pairs = settings.type == SentencePieceTraining::Type::kBpe;
  if (!pairs) report.note("the pieces are those of the installed version of SentencePiece");
  std::string model = pairs ? train_pairs(settings, options, report)
                            : train_by_library(settings, read_lines(options, report));
  const auto size = text::SentencePieceModel(model, "the model").size();
  if (size < settings.size) {
    report.warning(base::concat("the text yields only ", size, " of the ", settings.size,
                                " ids requested; use --size ", size, " or more text"));
  }
  return model;
}

}  // namespace awend::tools

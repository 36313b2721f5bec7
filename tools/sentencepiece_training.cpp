#include "sentencepiece_training.hpp"

#include <chrono>
#include <future>
#include <thread>

#include "base/progress.hpp"
#include "base/signals.hpp"
#include "filter_options.hpp"
#include "learning.hpp"
#include "text/sentencepiece/model.hpp"
#include "text/sentencepiece/trainer.hpp"

namespace awend::tools {
namespace {

using text::SentencePieceTraining;

std::string normalization_of(const base::Options& options) {
  const std::string form = options.has("normalize") ? options.text("normalize") : "nmt_nfkc";
  const bool lowercase = options.flag("lowercase");
  if (form == "none" && !lowercase) return "identity";
  if (form == "nmt_nfkc" || form == "nfkc") return form + (lowercase ? "_cf" : "");
  throw base::UsageError(base::concat("--format sentencepiece supports --normalize ",
                                      lowercase ? "nfkc with --lowercase" : "nfkc and none",
                                      ", not ", form));
}

SentencePieceTraining settings_of(const base::Options& options) {
  const std::string type = options.text("type");
  if (type != "bpe" && type != "unigram")
    throw base::UsageError(
        base::concat("--format sentencepiece supports --type bpe and unigram, not ", type));
  using Type = SentencePieceTraining::Type;
  return {.type = type == "bpe" ? Type::kBpe : Type::kUnigram,
          .size = static_cast<std::uint32_t>(options.integer("size", {1, kMostIds})),
          .character_coverage = options.real("character-coverage", {0.98, 1}),
          .byte_fallback = options.flag("byte-fallback"),
          .split_digits = options.flag("split-digits"),
          .normalization = normalization_of(options),
          .user_symbols = options.list("user-symbols"),
          .control_symbols = options.list("control-symbols")};
}

// Reads all texts into memory, with lines terminated by LF.  The trainer copies them anyway and
// cannot be interrupted while it waits for a line.
std::string read_texts(const base::Options& options, const base::Report& report) {
  const auto files = input_files(options);
  base::Progress progress(report, {.what = "reading", .unit = "lines", .inputs = files});
  std::string text;
  std::uint64_t lines = 0, bytes = 0;
  for (const std::string& file : files) {
    base::LineReader reader(file, text_policy_of(options));
    for (std::string_view line; reader.next(line);) {
      text.append(line) += '\n';
      progress.update({.done = ++lines, .bytes = bytes + reader.position_bytes()});
    }
    bytes += reader.position_bytes();
    warn_of_input(report, reader);
  }
  if (lines == 0) base::fail("no text to learn from");
  return text;
}

text::NextLine lines_of(std::string_view text) {
  return [text]() mutable -> std::optional<std::string_view> {
    if (text.empty()) return std::nullopt;
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    return line;
  };
}

// The library cannot be interrupted.  On a signal its thread, which owns all data it uses, is
// detached, and the process exits.
std::string train(const SentencePieceTraining& settings, std::string text) {
  std::promise<std::string> promise;
  auto model = promise.get_future();
  std::thread thread([settings, text = std::move(text), promise = std::move(promise)]() mutable {
    try {
      promise.set_value(text::train_sentencepiece(settings, lines_of(text)));
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

}  // namespace

std::string trained_model(const base::Options& options, const base::Report& report) {
  const SentencePieceTraining settings = settings_of(options);
  std::string model = train(settings, read_texts(options, report));
  const auto size = text::SentencePieceModel(model, "the model").size();
  if (size < settings.size) {
    report.warning(base::concat("the text yields only ", size, " of the ", settings.size,
                                " ids requested; use --size ", size, " or more text"));
  }
  return model;
}

}  // namespace awend::tools

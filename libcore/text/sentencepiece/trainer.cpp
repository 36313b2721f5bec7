#include "text/sentencepiece/trainer.hpp"

#include <sentencepiece_trainer.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <unordered_map>

#include "base/error.hpp"

namespace awend::text {
namespace {

// Lines from a callback.  The library is not exception-safe, so an exception ends the text and is
// stored.
class Lines : public sentencepiece::SentenceIterator {
 public:
  explicit Lines(const NextLine& next_line) : next_line_(next_line) { Next(); }

  bool done() const override { return done_; }
  void Next() override {
    try {
      const auto line = next_line_();
      done_ = !line;
      if (line) line_ = *line;
    } catch (...) {
      error_ = std::current_exception();
      done_ = true;
    }
  }
  const std::string& value() const override { return line_; }
  sentencepiece::util::Status status() const override { return {}; }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const NextLine& next_line_;
  std::string line_;
  bool done_ = false;
  std::exception_ptr error_;
};

// The library parses lists as a line of CSV.
std::string list_of(const std::vector<std::string>& symbols) {
  std::string list;
  for (const std::string& symbol : symbols) {
    list += list.empty() ? "\"" : ",\"";
    for (const char c : symbol) list += c == '"' ? std::string("\"\"") : std::string(1, c);
    list += '"';
  }
  return list;
}

void check_symbols(const std::vector<std::string>& symbols) {
  for (const std::string& symbol : symbols) {
    if (symbol.empty()) throw base::UsageError("a symbol is empty");
  }
}

using Arguments = std::unordered_map<std::string, std::string>;

std::string type_name(SentencePieceTraining::Type type) {
  using Type = SentencePieceTraining::Type;
  switch (type) {
    case Type::kUnigram:
      return "unigram";
    case Type::kBpe:
      return "bpe";
    case Type::kWord:
      return "word";
    case Type::kCharacter:
      break;
  }
  return "char";
}

// Only what differs from the library's defaults, which a model then does not contain.
void add_special(const std::string& name, const SpecialPiece& piece, const SpecialPiece& usual,
                 Arguments& arguments) {
  if (piece.id != usual.id)
    arguments[name + "_id"] = piece.id ? std::to_string(*piece.id) : std::string("-1");
  if (piece.text != usual.text) arguments[name + "_piece"] = piece.text;
}

Arguments arguments_of(const SentencePieceTraining& settings) {
  check_symbols(settings.user_symbols);
  check_symbols(settings.control_symbols);
  // Nothing is logged, since errors are returned as statuses, and lines have the maximum length of
  // the library.
  constexpr char kNothing[] = "4", kThreads[] = "16", kMaxLineBytes[] = "1073741824";
  Arguments arguments = {{"model_type", type_name(settings.type)},
                         {"vocab_size", base::concat(settings.size)},
                         {"hard_vocab_limit", "false"},
                         {"character_coverage", base::concat(settings.character_coverage)},
                         {"byte_fallback", settings.byte_fallback ? "true" : "false"},
                         {"split_digits", settings.split_digits ? "true" : "false"},
                         {"normalization_rule_name", settings.normalization},
                         {"max_sentence_length", kMaxLineBytes},
                         {"num_threads", kThreads},
                         {"minloglevel", kNothing}};
  if (!settings.user_symbols.empty())
    arguments["user_defined_symbols"] = list_of(settings.user_symbols);
  if (!settings.control_symbols.empty())
    arguments["control_symbols"] = list_of(settings.control_symbols);
  const SentencePieceTraining usual;
  add_special("unk", settings.unknown, usual.unknown, arguments);
  add_special("bos", settings.begin_of_sentence, usual.begin_of_sentence, arguments);
  add_special("eos", settings.end_of_sentence, usual.end_of_sentence, arguments);
  add_special("pad", settings.padding, usual.padding, arguments);
  if (settings.unknown_surface != usual.unknown_surface)
    arguments["unk_surface"] = settings.unknown_surface;
  return arguments;
}

std::string too_small(std::size_t size, std::size_t needed) {
  return base::concat("a vocabulary of ", size,
                      " ids is too small: the text's characters and the symbols need ", needed,
                      "; a lower character coverage leaves rare ones out");
}

// "./src/trainer_interface.cc(580) [condition] words": the words, or the condition if there are no
// words.
std::string reason_of(std::string message) {
  std::ranges::replace(message, '\n', ' ');
  constexpr std::string_view kTooSmall = "required_chars. ";
  const auto numbers = message.find(kTooSmall);
  unsigned size = 0, needed = 0;
  if (numbers != message.npos &&
      std::sscanf(message.c_str() + numbers + kTooSmall.size(), "%u vs %u", &size, &needed) == 2) {
    return too_small(size, needed);
  }
  const auto end = message.find("] ");
  if (end != message.npos && message.find_first_not_of(' ', end + 2) != message.npos)
    return message.substr(end + 2);
  const auto begin = message.find('[');
  return begin == message.npos ? message : "not met: " + message.substr(begin);
}

}  // namespace

std::string train_sentencepiece(const SentencePieceTraining& settings, const NextLine& next_line) {
  Lines lines(next_line);
  std::string model;
  const auto status =
      sentencepiece::SentencePieceTrainer::Train(arguments_of(settings), &lines, &model);
  lines.rethrow();
  if (status.ok()) return model;
  base::fail("SentencePiece: ", reason_of(status.message()));
}

void fail_too_small(std::size_t size, std::size_t needed) {
  base::fail("SentencePiece: ", too_small(size, needed));
}

}  // namespace awend::text

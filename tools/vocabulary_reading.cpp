#include "vocabulary_reading.hpp"

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "foreign_model.hpp"
#include "store/array_file.hpp"
#include "store/checkpoints.hpp"
#include "text/import.hpp"
#include "text/sentencepiece/model.hpp"

namespace awend::tools {
namespace {

using text::Vocabulary;

// Two symbols, then (in fastBPE) a count.  Older codes of subword-nmt have no version line.
bool looks_like_codes(std::string_view content) {
  const std::string_view line = content.substr(0, content.find('\n'));
  const auto spaces = std::ranges::count(line, ' ');
  return (spaces == 1 || spaces == 2) && !line.starts_with("awend-vocabulary ") &&
         line.front() != ' ' && line.back() != ' ' && line.find("  ") == line.npos;
}

// A piece per line; [PAD] and [UNK] are among the first.
bool looks_like_word_pieces(std::string_view content) {
  return content.starts_with("[PAD]\n") || content.starts_with("[PAD]\r\n");
}

Vocabulary read_vocabulary_of(const std::string& named, Side side) {
  const std::string path = store::model_file(named);
  if (!store::looks_like_checkpoint(path)) {
    const std::string content = base::read_file(path, base::kMaxModelBytes),
                      name = base::input_name(path);
    if (text::SentencePieceModel::looks_like_model(content))
      return text::import_model(content, name, text::EndOfSentence::kOptional);
    if (looks_like_codes(content)) {
      base::fail(name, ": not a vocabulary; it looks like codes of subword-nmt or fastBPE, which ",
                 "need --scheme subword-nmt");
    }
    if (looks_like_word_pieces(content)) {
      base::fail(name, ": not a vocabulary; it looks like a list of word pieces of BERT; ",
                 "build-vocab --import-wordpiece makes a vocabulary of it");
    }
    return Vocabulary::parse(content, name);
  }
  const store::ArrayFile checkpoint(path);
  const bool is_source =
      side == Side::kSource && checkpoint.metadata(store::keys::kSourceVocabulary).has_value();
  return Vocabulary::parse(
      checkpoint.metadata_at(is_source ? store::keys::kSourceVocabulary : store::keys::kVocabulary),
      path);
}

}  // namespace

std::string first_bytes(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  std::string begin(64, '\0');
  begin.resize(base::InputFile(path).read(begin.data(), begin.size()));
  return begin;
}

Vocabulary read_model(const std::string& named, Side side) {
  return open_model(named, [&] { return read_vocabulary_of(named, side); });
}

}  // namespace awend::tools

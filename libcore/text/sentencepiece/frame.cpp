#include "text/sentencepiece/frame.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/sentencepiece/protobuf.hpp"

namespace awend::text {

// The library learns the characters of a line that has one for each id up to the last special one.
std::string sentencepiece_frame(const SentencePieceTraining& settings) {
  constexpr char32_t kFirst = U'\u3400', kLast = U'\u9FEF';  // no form changes Chinese characters
  std::uint32_t last = 0;
  for (const SpecialPiece* piece : {&settings.unknown, &settings.begin_of_sentence,
                                    &settings.end_of_sentence, &settings.padding})
    last = std::max(last, piece->id.value_or(0));
  if (last > kLast - kFirst)
    base::fail("SentencePiece: the id ", last, " of a special piece is too large; at most ",
               kLast - kFirst, " is supported with byte pairs");
  std::string line;
  for (char32_t c = kFirst; c <= kFirst + last; ++c) base::append_code_point(line, c);
  SentencePieceTraining characters = settings;
  characters.type = SentencePieceTraining::Type::kCharacter;
  characters.character_coverage = 1;
  bool is_read = false;
  return train_sentencepiece(characters, [&]() -> std::optional<std::string_view> {
    return std::exchange(is_read, true) ? std::nullopt : std::optional<std::string_view>(line);
  });
}

void append_frame(std::string_view frame, const FrameChanges& changes, std::string& model) {
  using namespace protobuf;
  while (const auto field = take_field(frame)) {
    if (field->number == kNormalizer) model += field->whole;
    if (field->number != kTrainer) continue;
    std::string spec;
    for (std::string_view rest = field->bytes; const auto part = take_field(rest);) {
      if (part->number != kModelType && part->number != kVocabularySize &&
          part->number != kCoverage)
        spec += part->whole;
    }
    append_varint(spec, kModelType, static_cast<std::uint64_t>(changes.type));
    append_varint(spec, kVocabularySize, changes.size);
    append_float(spec, kCoverage, static_cast<float>(changes.character_coverage));
    append_bytes(model, kTrainer, spec);
  }
}

}  // namespace awend::text

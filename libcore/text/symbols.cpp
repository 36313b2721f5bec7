#include "text/symbols.hpp"

#include "base/utf8.hpp"
#include "text/characters.hpp"

namespace awend::text {

bool is_always_bytes(char32_t character) {
  if (character == U' ') return false;
  return character == U'\u2581' || is_control(character) || is_separator(character);
}

std::string printed(std::string_view word) {
  static const std::vector<Piece> special = special_pieces();
  std::string out;
  bool apart = false;  // the next character needs a space before it
  for (std::size_t position = 0; position < word.size();) {
    const base::Utf8Step step = base::utf8_step(word, position);
    const std::string_view character = word.substr(position, step.size_bytes);
    position += step.size_bytes;
    if (!is_always_bytes(step.code_point)) {
      out += apart ? " " : "";
      out += step.code_point == U' ' ? kSpaceMarker : character;
      apart = false;
      continue;
    }
    for (const char byte : character) {
      out += out.empty() ? "" : " ";
      out += special[Vocabulary::byte_id(static_cast<unsigned char>(byte))].text;
    }
    apart = true;
  }
  return out;
}

void append_bytes(std::string_view character, Ids& ids) {
  for (const char byte : character)
    ids.push_back(Vocabulary::byte_id(static_cast<unsigned char>(byte)));
}

CharacterIds::CharacterIds(const Vocabulary& vocabulary) {
  for (std::uint32_t id = vocabulary.first_learned(); id < vocabulary.size(); ++id) {
    const std::string_view piece = vocabulary.piece(id);
    const base::Utf8Step step = base::utf8_step(piece, 0);
    if (step.size_bytes != piece.size()) continue;
    const char32_t character = piece == kSpaceMarker ? U' ' : step.code_point;
    if (is_always_bytes(character)) continue;
    if (ids_.size() <= character) ids_.resize(character + 1, 0);
    ids_[character] = id;
  }
}

void CharacterIds::append(std::string_view word, Ids& ids) const {
  for (std::size_t position = 0; position < word.size();) {
    const base::Utf8Step step = base::utf8_step(word, position);
    const std::uint32_t id = step.code_point < ids_.size() ? ids_[step.code_point] : 0;
    if (id != 0) {
      ids.push_back(id);
    } else {
      append_bytes(word.substr(position, step.size_bytes), ids);
    }
    position += step.size_bytes;
  }
}

}  // namespace awend::text

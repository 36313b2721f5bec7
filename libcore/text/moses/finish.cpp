// The last step of Moses' tokenizer: marks become text again, and characters that are special for
// other programs of Moses become entities; and the inverse.
#include <algorithm>
#include <array>

#include "text/moses/characters.hpp"
#include "text/moses/passes.hpp"

namespace awend::text::moses {
namespace {

struct Entity {
  char character;
  std::string_view name;
};
constexpr Entity kEntities[] = {{'&', "&amp;"},   {'|', "&#124;"}, {'<', "&lt;"},  {'>', "&gt;"},
                                {'\'', "&apos;"}, {'"', "&quot;"}, {'[', "&#91;"}, {']', "&#93;"}};

constexpr std::array<std::string_view, 128> entity_table() {
  std::array<std::string_view, 128> table{};
  for (const Entity& entity : kEntities)
    table[static_cast<unsigned char>(entity.character)] = entity.name;
  return table;
}
constexpr auto kEntityTable = entity_table();

void append_escaped(std::string_view text, std::string& out) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 128 || kEntityTable[byte].empty()) continue;
    out.append(text, begin, at - begin);
    out += kEntityTable[byte];
    begin = at + 1;
  }
  out.append(text, begin);
}

// Older tokenizers used other names for three of them.
constexpr Entity kOldEntities[] = {{'|', "&bar;"}, {'[', "&bra;"}, {']', "&ket;"}};

const Entity* entity_at_front(std::string_view text) {
  const auto named = [&](const Entity& entity) { return text.starts_with(entity.name); };
  const Entity* found = std::ranges::find_if(kEntities, named);
  if (found != std::end(kEntities)) return found;
  found = std::ranges::find_if(kOldEntities, named);
  return found != std::end(kOldEntities) ? found : nullptr;
}

}  // namespace

std::string without_entities(std::string_view text) {
  std::string out;
  for (std::size_t at; (at = text.find('&')) != text.npos;) {
    out += text.substr(0, at);
    text.remove_prefix(at);
    const Entity* entity = entity_at_front(text);
    out += entity ? entity->character : '&';
    text.remove_prefix(entity ? entity->name.size() : 1);
  }
  return out += text;
}

void append_finished(std::string_view text, std::span<const std::string> protected_texts,
                     Escape escape, std::string& tokens) {
  const auto append = [&](std::string_view part) {
    if (escape == Escape::kYes)
      append_escaped(part, tokens);
    else
      tokens += part;
  };
  constexpr char kMarks[] = {kDotMark, kProtectedMark, '\0'};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t mark = std::min(text.find_first_of(kMarks, begin), text.size());
    append(text.substr(begin, mark - begin));
    if (mark == text.size()) return;
    if (text[mark] == kDotMark) {
      tokens += '.';
    } else {
      append(protected_texts.front());
      protected_texts = protected_texts.subspan(1);
    }
    begin = mark + 1;
  }
}

}  // namespace awend::text::moses

#include "text/sentencepiece/normalizer.hpp"

#include "base/utf8.hpp"
#include "text/sentencepiece/darts.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

std::vector<PieceTrie::Entry> symbols_of(const std::vector<ModelPiece>& pieces) {
  std::vector<PieceTrie::Entry> symbols;
  for (const ModelPiece& piece : pieces) {
    if (piece.type == PieceType::kUserDefined) symbols.push_back({piece.text, 0});
  }
  return symbols;
}

}  // namespace

PieceNormalizer::PieceNormalizer(const NormalizerSettings& settings,
                                 const std::vector<ModelPiece>& pieces)
    : settings_(settings), symbols_(symbols_of(pieces)) {
  read_table(settings_.charsmap);
  settings_.charsmap.clear();
  const bool has_spaces = visit_rules();
  can_split_ = settings_.add_dummy_prefix && settings_.remove_extra_spaces &&
               settings_.escape_spaces && !settings_.space_suffix && !has_spaces;
  find_plain();
  for (const ModelPiece& piece : pieces) {
    if (piece.type != PieceType::kUserDefined) continue;
    can_split_ = can_split_ && piece.text.find(' ') == piece.text.npos;
    plain_[static_cast<unsigned char>(piece.text[0])] = false;
  }
}

void PieceNormalizer::read_table(std::string_view table) {
  if (table.size() <= 4) return;
  const std::size_t size = darts::number_at(table, 0);
  for (std::size_t at = 4; at + 4 <= 4 + size; at += 4)
    units_.push_back(darts::number_at(table, at));
  replacements_ = table.substr(4 + size);
}

// Sets valid_; returns true if a rule has a space in it.
bool PieceNormalizer::visit_rules() {
  bool has_spaces = false;
  std::vector<bool> visited(units_.size());
  std::vector<std::uint32_t> nodes;
  if (!units_.empty()) nodes.push_back(0);
  while (!nodes.empty()) {
    const std::uint32_t node = nodes.back();
    nodes.pop_back();
    const std::uint32_t unit = units_[node], base = node ^ darts::offset(unit);
    if (node != 0 && darts::has_leaf(unit)) {
      const std::string_view text = replacements_.c_str() + darts::value(units_[base]);
      valid_ = valid_ && base::find_invalid_utf8(text) == text.npos;
    }
    for (std::uint32_t c = 0; c < 256; ++c) {
      const std::uint32_t child = base ^ c;
      if (darts::label(units_[child]) != c || visited[child]) continue;
      has_spaces = has_spaces || c == ' ';
      visited[child] = true;
      nodes.push_back(child);
    }
  }
  return has_spaces;
}

// A rule may begin with an ASCII character that an accent follows.
void PieceNormalizer::find_plain() {
  for (std::uint32_t c = 0; c < 0x80; ++c) {
    plain_[c] = c != ' ';
    if (units_.empty()) continue;
    const std::uint32_t node = darts::offset(units_[0]) ^ c;
    if (darts::label(units_[node]) != c) continue;
    const std::uint32_t base = node ^ darts::offset(units_[node]);
    bool has_rule = darts::has_leaf(units_[node]);
    for (std::uint32_t next = 0; next < 0x80; ++next)
      has_rule = has_rule || darts::label(units_[base ^ next]) == next;
    if (has_rule) plain_[c] = false;
  }
}

PieceNormalizer::Step PieceNormalizer::longest_rule(std::string_view text) const {
  Step longest = {};
  if (units_.empty()) return longest;
  std::uint32_t node = darts::offset(units_[0]);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    node ^= byte;
    const std::uint32_t unit = units_[node];
    if (darts::label(unit) != byte) break;
    node ^= darts::offset(unit);
    if (darts::has_leaf(unit))
      longest = {replacements_.c_str() + darts::value(units_[node]), i + 1};
  }
  return longest;
}

PieceNormalizer::Step PieceNormalizer::step(std::string_view text) const {
  if (const std::size_t size = symbols_.longest(text); size > 0)
    return {text.substr(0, size), size};
  if (const Step rule = longest_rule(text); rule.size_bytes > 0) return rule;
  // Only a damaged rule ends within a character.
  const base::Utf8Step character = base::utf8_step(text, 0);
  if (!character.valid) return {"\uFFFD", 1};
  return {text.substr(0, character.size_bytes), character.size_bytes};
}

void PieceNormalizer::append_line(std::string_view line, std::string& out) const {
  const bool squeezes = settings_.remove_extra_spaces;
  while (squeezes && !line.empty()) {
    const Step first = step(line);
    if (first.text != " ") break;
    line.remove_prefix(first.size_bytes);
  }
  if (line.empty()) return;
  const std::string_view space = settings_.escape_spaces ? kSpaceMarker : " ";
  const std::size_t begin = out.size();
  if (settings_.add_dummy_prefix && !settings_.space_suffix) out += space;
  bool after_space = squeezes;
  while (!line.empty()) {
    Step next = step(line);
    line.remove_prefix(next.size_bytes);
    while (after_space && next.text.starts_with(' ')) next.text.remove_prefix(1);
    if (!next.text.empty()) {
      for (const char c : next.text) {
        if (c == ' ')
          out += space;
        else
          out += c;
      }
      after_space = next.text.ends_with(' ');
    }
    after_space = after_space && squeezes;
  }
  while (squeezes && std::string_view(out).substr(begin).ends_with(space))
    out.erase(out.size() - space.size());
  if (settings_.add_dummy_prefix && settings_.space_suffix) out += space;
}

bool PieceNormalizer::append_word(std::string_view word, std::string& out) const {
  out += kSpaceMarker;
  const std::size_t begin = out.size();
  while (!word.empty()) {
    const auto byte = static_cast<unsigned char>(word[0]);
    if (plain_[byte] && (word.size() == 1 || static_cast<unsigned char>(word[1]) < 0x80)) {
      out += word[0];
      word.remove_prefix(1);
      continue;
    }
    const Step next = step(word);
    out += next.text;
    word.remove_prefix(next.size_bytes);
  }
  const auto added = std::string_view(out).substr(begin);
  return !added.empty() && added.find(' ') == added.npos && added.find(kSpaceMarker) == added.npos;
}

}  // namespace awend::text

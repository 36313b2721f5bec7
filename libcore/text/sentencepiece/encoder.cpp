#include "text/sentencepiece/encoder.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "text/sentencepiece/line_text.hpp"
#include "text/spaced_words.hpp"

namespace awend::text {
namespace {

// An entry of the cache: these bytes, the two numbers of a PathScore, and the tokens.
constexpr char kBeginsUnknown = 1, kEndsUnknown = 2;
constexpr std::size_t kFactsBytes = 1 + 2 * sizeof(float);

// In Chinese, a longer word is a sentence, which rarely occurs again; its parts do.
constexpr std::size_t kWordBytes = 32;

}  // namespace

PieceEncoder::PieceEncoder(const PieceTables& tables, PieceOutput output)
    : tables_(tables), output_(output) {
  if (const auto* index = std::get_if<PieceIndex>(&tables.pieces()))
    merger_.emplace(*index);
  else
    lattice_.emplace(std::get<PieceScores>(tables.pieces()));
}

void PieceEncoder::encode(std::string_view line, std::string& tokens) {
  base::check(output_ == PieceOutput::kPieces, "the encoder makes pieces");
  encode_line(line, tokens);
}

void PieceEncoder::encode_ids(std::string_view line, Ids& ids) {
  base::check(output_ == PieceOutput::kIds, "the encoder makes ids");
  bytes_.clear();
  encode_line(line, bytes_);
  append_ids_of_bytes(bytes_, ids);
}

void PieceEncoder::encode_line(std::string_view line, std::string& tokens) {
  check_length(line);
  tokens_begin_ = tokens.size();
  begin_line(tokens);
  if (tables_.has_separate_words() && tables_.normalizer().can_split() &&
      encode_words(line, tokens) == Outcome::kDone)
    return;
  normalize(line);
  begin_line(tokens);
  if (tables_.has_parts() && encode_parts(normalized_, tokens) == Outcome::kDone) return;
  begin_line(tokens);
  append(segment(normalized_), tokens);
}

// Drops the tokens of the line that were appended in vain.
void PieceEncoder::begin_line(std::string& tokens) {
  tokens.resize(tokens_begin_);
  ends_unknown_ = false;
  magnitude_ = 0;
}

void PieceEncoder::normalize(std::string_view line) {
  normalized_.clear();
  tables_.normalizer().append_line(line, normalized_);
  if (normalized_.size() > std::numeric_limits<std::int32_t>::max())
    base::fail("a line is longer than 2 GiB after normalization");
}

// The words between spaces, which are looked up before they are normalized.
PieceEncoder::Outcome PieceEncoder::encode_words(std::string_view line, std::string& tokens) {
  Outcome outcome = Outcome::kDone;
  for_each_word(line, [&](std::string_view word) {
    if (outcome != Outcome::kDone) return;
    const std::string_view entry = words_.find(word);
    if (entry.data() == nullptr)
      outcome = encode_word(word, tokens);
    else if (!append(cached(entry), tokens))
      outcome = Outcome::kUncertain;
  });
  return outcome;
}

PieceEncoder::Outcome PieceEncoder::encode_word(std::string_view word, std::string& tokens) {
  normalized_.clear();
  if (!tables_.normalizer().append_word(word, normalized_)) return Outcome::kUnsplit;
  if (word.size() > kWordBytes) return encode_parts(normalized_, tokens);
  const Tokens part = segment(normalized_);
  words_.insert(word, entry_);
  return append(part, tokens) ? Outcome::kDone : Outcome::kUncertain;
}

PieceEncoder::Outcome PieceEncoder::encode_parts(std::string_view text, std::string& tokens) {
  if (!parts_) parts_.emplace();
  const bool done = tables_.neighbors().for_each_part(text, [&](std::string_view part) {
    const std::string_view entry = parts_->find(part);
    if (entry.data() != nullptr) return append(cached(entry), tokens);
    const Tokens found = segment(part);
    parts_->insert(part, entry_);
    return append(found, tokens);
  });
  return done ? Outcome::kDone : Outcome::kUncertain;
}

PieceEncoder::Tokens PieceEncoder::cached(std::string_view entry) const {
  Tokens part;
  part.begins_unknown = (entry[0] & kBeginsUnknown) != 0;
  part.ends_unknown = (entry[0] & kEndsUnknown) != 0;
  std::memcpy(&part.score.sum, entry.data() + 1, sizeof(float));
  std::memcpy(&part.score.certain_below, entry.data() + 1 + sizeof(float), sizeof(float));
  part.text = entry.substr(kFactsBytes);
  return part;
}

// The tokens of normalized text, in entry_.
PieceEncoder::Tokens PieceEncoder::segment(std::string_view text) {
  Tokens part;
  spans_.clear();
  if (merger_)
    merger_->segment(text, spans_);
  else
    part.score = lattice_->segment(text, spans_);
  if (!tables_.byte_fallback() && !spans_.empty()) {
    part.begins_unknown = spans_.front().id == tables_.unknown();
    part.ends_unknown = spans_.back().id == tables_.unknown();
  }
  entry_.assign(1, static_cast<char>((part.begins_unknown ? kBeginsUnknown : 0) |
                                     (part.ends_unknown ? kEndsUnknown : 0)));
  entry_.append(reinterpret_cast<const char*>(&part.score.sum), sizeof(float));
  entry_.append(reinterpret_cast<const char*>(&part.score.certain_below), sizeof(float));
  print(text);
  part.text = std::string_view(entry_).substr(kFactsBytes);
  return part;
}

// Appends the tokens of spans_ to entry_; a run of unknown characters is one token.
void PieceEncoder::print(std::string_view text) {
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    const PieceSpan& span = spans_[i];
    std::size_t size = span.size_bytes;
    if (i > 0) entry_ += separator();
    if (span.id != tables_.unknown()) {
      if (output_ == PieceOutput::kIds)
        print_id(span.id);
      else
        entry_ += tables_.printed(span.id);
      continue;
    }
    while (!tables_.byte_fallback() && i + 1 < spans_.size() &&
           spans_[i + 1].id == tables_.unknown())
      size += spans_[++i].size_bytes;
    print_unknown(text.substr(span.begin, size));
  }
}

void PieceEncoder::print_unknown(std::string_view text) {
  if (!tables_.byte_fallback()) {
    if (output_ == PieceOutput::kIds) return print_id(tables_.unknown());
    entry_ += without_breaks(text);
    return;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint32_t id = tables_.byte_id(static_cast<unsigned char>(text[i]));
    if (i > 0) entry_ += separator();
    if (output_ == PieceOutput::kIds)
      print_id(id);
    else
      entry_ += tables_.printed(id);
  }
}

void PieceEncoder::print_id(std::uint32_t id) {
  append_bytes({&id, 1}, entry_);
}

// Appends the tokens of a part; false if the parts before it may change them.
bool PieceEncoder::append(const Tokens& part, std::string& tokens) {
  const bool is_first = magnitude_ == 0;
  magnitude_ += std::fabs(part.score.sum);
  if (lattice_ && !is_first && !(magnitude_ < part.score.certain_below)) return false;
  std::string_view text = part.text;
  if (ends_unknown_ && part.begins_unknown) {
    // An unknown token continues the last one: its text is appended, its id is not repeated.
    if (output_ == PieceOutput::kIds) text.remove_prefix(sizeof(std::uint32_t));
  } else if (tokens.size() > tokens_begin_) {
    tokens += separator();
  }
  tokens += text;
  ends_unknown_ = part.ends_unknown;
  return true;
}

}  // namespace awend::text

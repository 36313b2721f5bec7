#include "text/sentencepiece/check.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/sentencepiece/protobuf.hpp"
#include "text/sentencepiece/trie.hpp"

namespace awend::text {
namespace {

using namespace protobuf;

constexpr std::uint64_t kUserDefined = 4;  // type of a piece
constexpr std::uint64_t kUnigram = 1;      // type of a model; the default

class Checker {
 public:
  explicit Checker(const std::string& name) : name_(name) {}

  std::string run(std::string_view bytes) {
    std::string kept;
    each_field(bytes, [&](const Field& field) {
      if (field.number == kSelfTest) return;
      kept += field.whole;
      if (field.wire != Wire::kBytes) return;
      if (field.number == kPieces) check_piece(field.bytes);
      if (field.number == kTrainer)
        each_field(field.bytes, [&](const Field& part) {
          if (part.number == kModelType && part.wire == Wire::kVarint) model_type_ = part.value;
        });
      if (field.number == kNormalizer || field.number == kDenormalizer)
        each_field(field.bytes, [&](const Field& part) {
          if (part.number != kCharsmap || part.wire != Wire::kBytes || part.bytes.empty()) return;
          const std::string_view fault = fault_of_charsmap(part.bytes);
          if (!fault.empty()) base::fail(name_, ": the model is damaged: ", fault);
        });
    });
    if (pieces_ == 0) base::fail(name_, ": not a SentencePiece model: it has no pieces");
    if (impossible_piece_ && model_type_ == kUnigram) damaged(*impossible_piece_, kNoScore);
    if (nested_prefixes(std::move(user_defined_)) > kMaxNestedSymbols) {
      base::fail(name_, ": more than ", kMaxNestedSymbols, " symbols begin with one another");
    }
    return kept;
  }

 private:
  // The library collects the matches at a position in an array of this size, and reads beyond its
  // end.
  static constexpr std::size_t kMaxNestedSymbols = 64;

  template <class Visit>
  void each_field(std::string_view message, const Visit& visit) {
    while (!message.empty()) {
      const auto field = take_field(message);
      if (!field) base::fail(name_, ": not a SentencePiece model, or truncated");
      visit(*field);
    }
  }

  static constexpr std::string_view kNoScore = "has no finite score";

  [[noreturn]] void damaged(std::size_t piece, std::string_view what) const {
    base::fail(name_, ": the model is damaged: piece ", piece, " ", what);
  }

  void check_piece(std::string_view message) {
    std::string_view text;
    float score = 0;
    std::uint64_t type = 0;
    each_field(message, [&](const Field& field) {
      if (field.number == kPieceText && field.wire == Wire::kBytes) text = field.bytes;
      if (field.number == kPieceScore && field.wire == Wire::kFixed32)
        score = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
      if (field.number == kPieceType && field.wire == Wire::kVarint) type = field.value;
    });
    if (text.empty()) damaged(pieces_, "is empty");
    if (text.find('\0') != text.npos) damaged(pieces_, "has a NUL in it");
    if (base::find_invalid_utf8(text) != text.npos) damaged(pieces_, "is not UTF-8");
    // A required character that does not occur in the text of the trainer gets the logarithm of
    // zero. Only unigram models add scores.
    if (score == -std::numeric_limits<float>::infinity())
      impossible_piece_ = impossible_piece_.value_or(pieces_);
    else if (!std::isfinite(score))
      damaged(pieces_, kNoScore);
    if (type == kUserDefined) user_defined_.push_back(text);
    ++pieces_;
  }

  const std::string& name_;
  std::size_t pieces_ = 0;
  std::optional<std::size_t> impossible_piece_;  // the first with score -inf
  std::uint64_t model_type_ = kUnigram;
  std::vector<std::string_view> user_defined_;
};

}  // namespace

bool begins_like_sentencepiece(std::string_view first_bytes) {
  constexpr char kTag = '\x0A';  // field 1, bytes
  constexpr char kScoreTag = '\x15', kTypeTag = '\x18';
  std::string_view rest = first_bytes;
  if (!rest.starts_with(kTag)) return false;
  rest.remove_prefix(1);
  const auto size = take_varint(rest);
  if (!size || !rest.starts_with(kTag)) return false;
  const std::size_t inner = rest.size();
  rest.remove_prefix(1);
  const auto text_size = take_varint(rest);
  if (!text_size || *text_size == 0) return false;
  const std::uint64_t head = inner - rest.size() + *text_size;
  if (head > *size) return false;
  if (head == *size) return rest.size() <= *text_size || rest[*text_size] == kTag;
  return rest.size() <= *text_size || rest[*text_size] == kScoreTag || rest[*text_size] == kTypeTag;
}

std::string checked_sentencepiece(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) base::fail(name, ": not a SentencePiece model: the file is empty");
  return Checker(name).run(bytes);
}

}  // namespace awend::text

#include "text/token_codec.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/utf8.hpp"
#include "text/bert/codec.hpp"
#include "text/import.hpp"
#include "text/sentencepiece/encoder.hpp"
#include "text/spaced_words.hpp"
#include "text/special_tokens.hpp"
#include "text/symbols.hpp"
#include "text/tokenizer.hpp"

namespace awend::text {
namespace {

// Token lines with the numbers of ids.
class NumberCodec : public TokenCodec {
 public:
  NumberCodec(std::unique_ptr<TokenCodec> codec, std::uint32_t size)
      : codec_(std::move(codec)), size_(size) {}

  void encode(std::string_view line, std::uint64_t number, std::string& tokens) override {
    ids_.clear();
    codec_->encode_ids(line, number, ids_);
    append_numbers(ids_, tokens);
  }
  void decode(std::string_view tokens, std::string& line) override {
    codec_->decode_ids(read_numbers(tokens, size_), line);
  }
  void encode_ids(std::string_view line, std::uint64_t number, Ids& ids) override {
    codec_->encode_ids(line, number, ids);
  }
  void decode_ids(std::span<const std::uint32_t> ids, std::string& line) override {
    codec_->decode_ids(ids, line);
  }
  std::vector<PieceCandidate> best(std::string_view line, int count) const override {
    return codec_->best(line, count);
  }

 private:
  std::unique_ptr<TokenCodec> codec_;
  std::uint32_t size_;
  Ids ids_;
};

// Vocabularies of build-vocab.
class VocabularyCodec : public TokenCodec {
 public:
  VocabularyCodec(const Vocabulary& vocabulary, const SegmentationNoise& noise)
      : vocabulary_(vocabulary), noise_(noise) {}

  void encode(std::string_view line, std::uint64_t number, std::string& tokens) override {
    auto& tokenizer = ready(for_pieces_);
    if (noise_.dropout == 0) return tokenizer.append_pieces(line, tokens);
    append_pieces(vocabulary_, noisy(tokenizer, line, number), tokens);
  }

  void encode_ids(std::string_view line, std::uint64_t number, Ids& ids) override {
    auto& tokenizer = ready(for_ids_);
    if (noise_.dropout == 0) return tokenizer.append_ids(line, ids);
    const Ids noisy_ids = noisy(tokenizer, line, number);
    ids.insert(ids.end(), noisy_ids.begin(), noisy_ids.end());
  }

  void decode(std::string_view tokens, std::string& line) override {
    decode_ids(split_pieces(vocabulary_, tokens), line);
  }

  void decode_ids(std::span<const std::uint32_t> ids, std::string& line) override {
    line += text::decode(vocabulary_, ids);
  }

 private:
  // Most codecs are used in one of two ways.
  Tokenizer& ready(std::optional<Tokenizer>& tokenizer) {
    return tokenizer ? *tokenizer : tokenizer.emplace(vocabulary_);
  }
  // Each line has its own random stream, so that the number of threads does not matter.
  Ids noisy(Tokenizer& tokenizer, std::string_view line, std::uint64_t number) const {
    return tokenizer.encode(line, {noise_.dropout, base::Random(noise_.seed, number)});
  }

  const Vocabulary& vocabulary_;
  const SegmentationNoise noise_;
  std::optional<Tokenizer> for_pieces_, for_ids_;
};

// subword-nmt codes, with or without a vocabulary.  The algorithm makes pieces, not ids.
class SubwordNmtCodec : public TokenCodec {
 public:
  SubwordNmtCodec(const SubwordNmtModel& model, const SegmentationNoise& noise,
                  const Vocabulary* vocabulary)
      : model_(model),
        encoder_(model),
        dropout_{noise.dropout, PythonRandom(noise.seed)},
        vocabulary_(vocabulary) {}

  void encode(std::string_view line, std::uint64_t, std::string& tokens) override {
    encoder_.encode(line, dropout_, tokens);
  }

  void encode_ids(std::string_view line, std::uint64_t, Ids& ids) override {
    scratch_.clear();
    encoder_.encode(line, dropout_, scratch_);
    for_each_word(scratch_, [&](std::string_view piece) { ids.push_back(vocabulary().id(piece)); });
  }

  void decode(std::string_view tokens, std::string& line) override {
    if (!model_.bytes()) return join_subwords(tokens, model_.settings().separator, line);
    // The output of a model may end within a character.
    std::string bytes;
    join_subwords(tokens, model_.settings().separator, bytes);
    base::append_valid_utf8(line, bytes);
  }

  void decode_ids(std::span<const std::uint32_t> ids, std::string& line) override {
    decode(join_pieces(vocabulary(), ids), line);
  }

 private:
  const Vocabulary& vocabulary() const {
    base::check(vocabulary_ != nullptr, "codes without a vocabulary have no ids");
    return *vocabulary_;
  }

  const SubwordNmtModel& model_;
  SubwordNmt encoder_;
  SubwordNmtDropout dropout_;
  const Vocabulary* vocabulary_;  // null: no ids
  std::string scratch_;
};

class SentencePieceCodec : public TokenCodec {
 public:
  /// `tables` are null where the library must encode.
  SentencePieceCodec(const SentencePieceModel& model, const PieceTables* tables,
                     const SegmentationNoise& noise)
      : model_(model), tables_(tables), noise_(noise) {}

  void encode(std::string_view line, std::uint64_t number, std::string& tokens) override {
    if (noise_.sampling == 0 && tables_ != nullptr)
      return ready(for_pieces_, PieceOutput::kPieces).encode(line, tokens);
    std::vector<std::string> pieces;
    if (noise_.sampling == 0) {
      pieces = model_.encode_pieces(line);
    } else {
      for (const std::uint32_t id : sampled(line, number)) pieces.push_back(model_.piece(id));
    }
    tokens += base::join(pieces, " ");
  }

  void encode_ids(std::string_view line, std::uint64_t number, Ids& ids) override {
    if (noise_.sampling == 0 && tables_ != nullptr)
      return ready(for_ids_, PieceOutput::kIds).encode_ids(line, ids);
    const Ids found = noise_.sampling == 0 ? model_.encode(line) : sampled(line, number);
    ids.insert(ids.end(), found.begin(), found.end());
  }

  std::vector<PieceCandidate> best(std::string_view line, int count) const override {
    return model_.best(line, count);
  }

  void decode(std::string_view tokens, std::string& line) override {
    line += model_.decode_pieces(spaced_words(tokens));
  }

  void decode_ids(std::span<const std::uint32_t> ids, std::string& line) override {
    line += model_.decode(ids);
  }

 private:
  // Most codecs are used in one of two ways.
  PieceEncoder& ready(std::optional<PieceEncoder>& encoder, PieceOutput output) const {
    return encoder ? *encoder : encoder.emplace(*tables_, output);
  }
  Ids sampled(std::string_view line, std::uint64_t number) const {
    base::Random random(noise_.seed, number);
    return model_.sample(line, {.alpha = noise_.sampling}, random);
  }

  const SentencePieceModel& model_;
  const PieceTables* tables_;
  const SegmentationNoise noise_;
  std::optional<PieceEncoder> for_pieces_, for_ids_;
};

/// The tag with which a line begins, as in "<2de> text", if the vocabulary has it.
std::string_view tag_of(const Vocabulary& vocabulary, std::string_view line) {
  if (!line.starts_with("<2") || !has_language_tags(vocabulary)) return {};
  const auto tag = line.substr(0, line.find('>') + 1);
  const auto id = vocabulary.find(tag);
  return id && vocabulary.is_language(*id) ? tag : std::string_view();
}

// A list of tokens.  Text consists of tokens, or a SentencePiece model splits it, whose pieces have
// other ids than the list.
class TokenListCodec : public TokenCodec {
 public:
  /// Without a model, text is split at spaces.
  TokenListCodec(const Vocabulary& vocabulary, const SentencePieceModel* model,
                 std::unique_ptr<TokenCodec> splitter)
      : vocabulary_(vocabulary), model_(model), splitter_(std::move(splitter)) {}

  void encode(std::string_view line, std::uint64_t number, std::string& tokens) override {
    const auto token = take_language_token(line);
    if (!token.empty()) tokens.append(token) += ' ';
    const auto size = tokens.size();
    if (splitter_) {
      splitter_->encode(line, number, tokens);
    } else {
      tokens += base::join(spaced_words(line), " ");
    }
    if (!token.empty() && tokens.size() == size) tokens.pop_back();
  }

  void encode_ids(std::string_view line, std::uint64_t number, Ids& ids) override {
    if (const auto token = take_language_token(line); !token.empty())
      ids.push_back(vocabulary_.id(token));
    if (splitter_ == nullptr) return append_ids_of(line, ids);
    pieces_.clear();
    splitter_->encode_ids(line, number, pieces_);
    if (std::ranges::find(pieces_, model_->unknown()) == pieces_.end()) {
      for (const std::uint32_t piece : pieces_) ids.push_back(id_of_piece(piece));
      return;
    }
    // What is unknown to the model may be in the list.
    std::string tokens;
    splitter_->encode(line, number, tokens);
    append_ids_of(tokens, ids);
  }

  void decode(std::string_view tokens, std::string& line) override {
    std::string rest;
    if (!vocabulary_.content().languages.empty()) tokens = without_languages(tokens, rest);
    if (!splitter_) {
      line += tokens;
      return;
    }
    std::string text;
    splitter_->decode(tokens, text);
    line += with_spaces(text);
  }

  void decode_ids(std::span<const std::uint32_t> ids, std::string& line) override {
    Ids rest;
    std::ranges::copy_if(ids, std::back_inserter(rest),
                         [&](std::uint32_t id) { return !vocabulary_.is_language(id); });
    if (model_ == nullptr) return append_pieces(vocabulary_, rest, line);
    std::vector<std::string> pieces;
    for (const std::uint32_t id : rest) pieces.emplace_back(vocabulary_.piece(id));
    line += with_spaces(model_->decode_pieces(pieces));
  }

 private:
  /// Text in which no piece has the mark of a space: the model leaves those of pieces that it
  /// lacks, such as those of the other language in OPUS-MT.
  static std::string with_spaces(std::string_view text) {
    if (text.starts_with(kSpaceMarker)) text.remove_prefix(kSpaceMarker.size());
    return base::replaced(text, kSpaceMarker, " ");
  }

  /// The tokens that are text; `rest` holds them.
  std::string_view without_languages(std::string_view tokens, std::string& rest) const {
    for_each_word(tokens, [&](std::string_view token) {
      const auto id = vocabulary_.find(token);
      if (id && vocabulary_.is_language(*id)) return;
      if (!rest.empty()) rest += ' ';
      rest += token;
    });
    return rest;
  }

  /// Removes the token before the text that selects the language of the translation, as in
  /// ">>deu<< text" or "<2de> text".
  std::string_view take_language_token(std::string_view& line) const {
    auto token = tag_of(vocabulary_, line);
    if (token.empty()) {
      const std::size_t end = line.find("<<");
      if (!splitter_ || !line.starts_with(">>") || end == line.npos) return {};
      token = line.substr(0, end + 2);
      if (!vocabulary_.find(token)) return {};
    }
    line.remove_prefix(token.size());
    while (line.starts_with(' ')) line.remove_prefix(1);
    return token;
  }

  std::uint32_t id_of_piece(std::uint32_t piece) {
    const auto found = ids_of_pieces_.find(piece);
    if (found != ids_of_pieces_.end()) return found->second;
    return ids_of_pieces_[piece] = vocabulary_.id(model_->piece(piece));
  }

  void append_ids_of(std::string_view tokens, Ids& ids) const {
    for_each_word(tokens, [&](std::string_view token) { ids.push_back(vocabulary_.id(token)); });
  }

  const Vocabulary& vocabulary_;
  const SentencePieceModel* model_;
  std::unique_ptr<TokenCodec> splitter_;                            // of the model
  std::unordered_map<std::uint32_t, std::uint32_t> ids_of_pieces_;  // by the ids of the model
  Ids pieces_;
};

// Lines after the token of a language, or after the tag with which they begin.  One without tokens
// has no language.
class LanguageCodec : public TokenCodec {
 public:
  LanguageCodec(std::unique_ptr<TokenCodec> codec, const Vocabulary& vocabulary,
                std::uint32_t language)
      : codec_(std::move(codec)), vocabulary_(vocabulary), language_(language) {}

  void encode(std::string_view line, std::uint64_t number, std::string& tokens) override {
    const auto begin = tokens.size();
    codec_->encode(line, number, tokens);
    if (tokens.size() > begin && !has_tag(line))
      tokens.insert(begin, base::concat(vocabulary_.piece(language_), ' '));
  }
  void encode_ids(std::string_view line, std::uint64_t number, Ids& ids) override {
    const auto begin = std::ssize(ids);
    codec_->encode_ids(line, number, ids);
    if (std::ssize(ids) > begin && !has_tag(line)) ids.insert(ids.begin() + begin, language_);
  }
  void decode(std::string_view tokens, std::string& line) override { codec_->decode(tokens, line); }
  void decode_ids(std::span<const std::uint32_t> ids, std::string& line) override {
    codec_->decode_ids(ids, line);
  }

 private:
  bool has_tag(std::string_view line) const { return !tag_of(vocabulary_, line).empty(); }

  std::unique_ptr<TokenCodec> codec_;
  const Vocabulary& vocabulary_;
  std::uint32_t language_;
};

class MosesCodec : public TokenCodec {
 public:
  MosesCodec(const MosesSettings& settings, Punctuation punctuation) : moses_(settings) {
    if (punctuation == Punctuation::kNormalize) punctuation_.emplace(settings.language);
  }
  void encode(std::string_view line, std::uint64_t, std::string& tokens) override {
    if (!punctuation_) return moses_.tokenize(line, tokens);
    normalized_.clear();
    punctuation_->normalize(line, normalized_);
    moses_.tokenize(normalized_, tokens);
  }
  void decode(std::string_view tokens, std::string& line) override {
    moses_.detokenize(tokens, line);
  }

 private:
  MosesTokenizer moses_;
  std::optional<MosesPunctuation> punctuation_;
  std::string normalized_;
};

class WordCodec : public TokenCodec {
 public:
  explicit WordCodec(const TextForm& form) : normalizer_(form) {}
  void encode(std::string_view line, std::uint64_t, std::string& tokens) override {
    tokens += join_words(breaker_, normalizer_.apply(line));
  }
  void decode(std::string_view, std::string&) override {
    base::check(false, "words are not decoded");
  }

 private:
  WordBreaker breaker_;
  Normalizer normalizer_;
};

}  // namespace

void TokenCodec::encode_ids(std::string_view, std::uint64_t, Ids&) {
  base::check(false, "the tokens have ids");
}

void TokenCodec::decode_ids(std::span<const std::uint32_t>, std::string&) {
  base::check(false, "the tokens have ids");
}

std::vector<PieceCandidate> TokenCodec::best(std::string_view, int) const {
  base::check(false, "only unigram models have candidates");
  return {};
}

TokenCodecModel::TokenCodecModel(const Vocabulary& vocabulary, const SegmentationNoise& noise,
                                 const PieceRules& rules)
    : vocabulary_(vocabulary), noise_(noise) {
  base::require_in("the probability of BPE dropout", noise.kDropoutRange, noise.dropout);
  base::require_in("the exponent of sampling", noise.kSamplingRange, noise.sampling);
  const auto type = vocabulary.type();
  if (type == VocabularyType::kSubwordNmt) codes_.emplace(subword_nmt_model(vocabulary.content()));
  const bool has_model = type == VocabularyType::kSentencePiece ||
                         (type == VocabularyType::kTokens && !vocabulary.content().model.empty());
  if (has_model) {
    const std::string& bytes = vocabulary.content().model;
    pieces_.emplace(bytes, "the vocabulary's model", rules);
    if (!rules.vocabulary && rules.extra.empty()) tables_ = PieceTables::make(bytes, *pieces_);
  } else if (rules.vocabulary || !rules.extra.empty())
    throw base::UsageError("rules of SentencePiece need a model of SentencePiece");
  const bool has_merges = type == VocabularyType::kBpe || type == VocabularyType::kSubwordNmt;
  if (noise.dropout > 0 && !has_merges)
    throw base::UsageError(base::Message(kBpeDropout, " needs a vocabulary of byte pairs"));
  if (noise.sampling > 0 && !(pieces_ && pieces_->can_sample()))
    throw base::UsageError(base::Message(kSampling, " needs a unigram model"));
}

TokenCodecModel::~TokenCodecModel() = default;

std::unique_ptr<TokenCodec> TokenCodecModel::make(TokenForm form) const {
  if (form == TokenForm::kPieces) return make_for_pieces();
  return std::make_unique<NumberCodec>(make_for_pieces(), vocabulary_.size());
}

std::unique_ptr<TokenCodec> TokenCodecModel::make_for_pieces() const {
  if (codes_) return std::make_unique<SubwordNmtCodec>(*codes_, noise_, &vocabulary_);
  std::unique_ptr<TokenCodec> pieces;
  if (pieces_) pieces = std::make_unique<SentencePieceCodec>(*pieces_, tables_.get(), noise_);
  if (vocabulary_.type() == VocabularyType::kTokens) {
    std::unique_ptr<TokenCodec> list = std::make_unique<TokenListCodec>(
        vocabulary_, pieces_ ? &*pieces_ : nullptr, std::move(pieces));
    if (pieces_ && vocabulary_.find(kMaskToken)) {
      list = std::make_unique<SpecialTokenCodec>(std::move(list), vocabulary_,
                                                 std::span(&kMaskToken, 1));
    }
    if (!language_) return list;
    return std::make_unique<LanguageCodec>(std::move(list), vocabulary_, *language_);
  }
  if (pieces) return pieces;
  if (vocabulary_.type() == VocabularyType::kBert) return make_bert_codec(vocabulary_);
  return std::make_unique<VocabularyCodec>(vocabulary_, noise_);
}

std::unique_ptr<TokenCodec> make_codec(const SubwordNmtModel& model,
                                       const SegmentationNoise& noise) {
  return std::make_unique<SubwordNmtCodec>(model, noise, nullptr);
}

std::unique_ptr<TokenCodec> make_codec(const MosesSettings& settings, Punctuation punctuation) {
  return std::make_unique<MosesCodec>(settings, punctuation);
}

std::unique_ptr<TokenCodec> make_word_codec(const TextForm& form) {
  return std::make_unique<WordCodec>(form);
}

}  // namespace awend::text

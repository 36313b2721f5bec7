#include "text/token_codec.hpp"

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/bert/codec.hpp"
#include "text/import.hpp"
#include "text/sentencepiece/encoder.hpp"
#include "text/spaced_words.hpp"
#include "text/symbols.hpp"
#include "text/tokenizer.hpp"

namespace awend::text {
namespace {

// Vocabularies of build-vocab.
class VocabularyCodec : public TokenCodec {
 public:
  VocabularyCodec(const Vocabulary& vocabulary, TokenForm form, const SegmentationNoise& noise)
      : vocabulary_(vocabulary), form_(form), noise_(noise), tokenizer_(vocabulary) {}

  void encode(std::string_view line, std::uint64_t number, std::string& tokens) override {
    const auto print = [&](std::span<const std::uint32_t> ids, std::string& out) {
      form_ == TokenForm::kIds ? append_numbers(ids, out) : append_pieces(vocabulary_, ids, out);
    };
    if (noise_.dropout == 0) return tokenizer_.append_line(line, print, tokens);
    // Each line has its own random stream, so that the number of threads does not matter.
    print(tokenizer_.encode(line, {noise_.dropout, base::Random(noise_.seed, number)}), tokens);
  }

  void decode(std::string_view tokens, std::string& line) override {
    const Ids ids = form_ == TokenForm::kIds ? read_numbers(tokens, vocabulary_.size())
                                             : split_pieces(vocabulary_, tokens);
    line += text::decode(vocabulary_, ids);
  }

 private:
  const Vocabulary& vocabulary_;
  const TokenForm form_;
  const SegmentationNoise noise_;
  Tokenizer tokenizer_;
};

// subword-nmt codes, with or without the ids of a vocabulary.
class SubwordNmtCodec : public TokenCodec {
 public:
  SubwordNmtCodec(const SubwordNmtModel& model, const SegmentationNoise& noise,
                  const Vocabulary* vocabulary)
      : model_(model),
        encoder_(model),
        dropout_{noise.dropout, PythonRandom(noise.seed)},
        vocabulary_(vocabulary) {}

  void encode(std::string_view line, std::uint64_t, std::string& tokens) override {
    if (vocabulary_ == nullptr) return encoder_.encode(line, dropout_, tokens);
    scratch_.clear();
    encoder_.encode(line, dropout_, scratch_);
    append_numbers(split_pieces(*vocabulary_, scratch_), tokens);
  }

  void decode(std::string_view tokens, std::string& line) override {
    if (vocabulary_ != nullptr)
      tokens = scratch_ = join_pieces(*vocabulary_, read_numbers(tokens, vocabulary_->size()));
    if (!model_.bytes()) return join_subwords(tokens, model_.settings().separator, line);
    // The output of a model may end within a character.
    std::string bytes;
    join_subwords(tokens, model_.settings().separator, bytes);
    base::append_valid_utf8(line, bytes);
  }

 private:
  const SubwordNmtModel& model_;
  SubwordNmt encoder_;
  SubwordNmtDropout dropout_;
  const Vocabulary* vocabulary_;  // null: pieces instead of ids
  std::string scratch_;
};

class SentencePieceCodec : public TokenCodec {
 public:
  /// `tables` are null where the library must encode.
  SentencePieceCodec(const SentencePieceModel& model, const PieceTables* tables, TokenForm form,
                     const SegmentationNoise& noise)
      : model_(model), form_(form), noise_(noise) {
    if (tables != nullptr)
      encoder_.emplace(*tables, form == TokenForm::kIds ? PieceOutput::kIds : PieceOutput::kPieces);
  }

  void encode(std::string_view line, std::uint64_t number, std::string& tokens) override {
    if (noise_.sampling > 0) {
      base::Random random(noise_.seed, number);
      return print(model_.sample(line, {.alpha = noise_.sampling}, random), tokens);
    }
    if (encoder_) return encoder_->encode(line, tokens);
    if (form_ == TokenForm::kIds) return append_numbers(model_.encode(line), tokens);
    print_texts(model_.encode_pieces(line), tokens);
  }

  void encode_best(std::string_view line, std::uint64_t number, int count,
                   std::string& out) override {
    const auto candidates = model_.best(line, count);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      out += base::concat(i > 0 ? "\n" : "", number, "\t", candidates[i].score, "\t");
      if (form_ == TokenForm::kIds)
        append_numbers(candidates[i].ids, out);
      else
        print_texts(candidates[i].pieces, out);
    }
  }

  void decode(std::string_view tokens, std::string& line) override {
    if (form_ == TokenForm::kIds) {
      line += model_.decode(read_numbers(tokens, model_.size()));
      return;
    }
    std::vector<std::string> pieces;
    for_each_word(tokens, [&](std::string_view piece) { pieces.emplace_back(piece); });
    line += model_.decode_pieces(pieces);
  }

 private:
  void print(std::span<const std::uint32_t> ids, std::string& tokens) const {
    if (form_ == TokenForm::kIds) return append_numbers(ids, tokens);
    std::vector<std::string> pieces;
    for (const std::uint32_t id : ids) pieces.push_back(model_.piece(id));
    print_texts(pieces, tokens);
  }
  static void print_texts(const std::vector<std::string>& pieces, std::string& tokens) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (i > 0) tokens += ' ';
      tokens += pieces[i];
    }
  }

  const SentencePieceModel& model_;
  const TokenForm form_;
  const SegmentationNoise noise_;
  std::optional<PieceEncoder> encoder_;
};

// A list of tokens.  Text consists of tokens, or a SentencePiece model splits it, whose pieces have
// other ids than the list.
class TokenListCodec : public TokenCodec {
 public:
  TokenListCodec(const Vocabulary& vocabulary, TokenForm form, std::unique_ptr<TokenCodec> splitter)
      : vocabulary_(vocabulary), form_(form), splitter_(std::move(splitter)) {}

  void encode(std::string_view line, std::uint64_t number, std::string& tokens) override {
    pieces_.clear();
    split(line, number);
    if (form_ == TokenForm::kIds) return append_numbers(split_pieces(vocabulary_, pieces_), tokens);
    tokens += pieces_;
  }

  void decode(std::string_view tokens, std::string& line) override {
    if (form_ == TokenForm::kIds)
      tokens = pieces_ = join_pieces(vocabulary_, read_numbers(tokens, vocabulary_.size()));
    if (splitter_) return splitter_->decode(tokens, line);
    line += tokens;
  }

 private:
  /// The token before the text that selects the language of the translation, as in ">>deu<< text".
  std::string_view language_token(std::string_view line) const {
    const std::size_t end = line.find("<<");
    if (!line.starts_with(">>") || end == line.npos) return {};
    const auto token = line.substr(0, end + 2);
    return vocabulary_.find(token) ? token : std::string_view();
  }

  void split(std::string_view line, std::uint64_t number) {
    if (const auto token = language_token(line); splitter_ && !token.empty()) {
      pieces_.append(token) += ' ';
      line.remove_prefix(token.size());
      while (line.starts_with(' ')) line.remove_prefix(1);
    }
    if (splitter_) return splitter_->encode(line, number, pieces_);
    for_each_word(line, [&](std::string_view token) {
      if (!pieces_.empty()) pieces_ += ' ';
      pieces_ += token;
    });
  }

  const Vocabulary& vocabulary_;
  const TokenForm form_;
  std::unique_ptr<TokenCodec> splitter_;  // null: at spaces
  std::string pieces_;
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

void TokenCodec::encode_best(std::string_view, std::uint64_t, int, std::string&) {
  base::check(false, "only unigram models have candidates");
}

TokenCodecModel::TokenCodecModel(const Vocabulary& vocabulary, TokenForm form,
                                 const SegmentationNoise& noise, const PieceRules& rules)
    : vocabulary_(vocabulary), form_(form), noise_(noise) {
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

std::unique_ptr<TokenCodec> TokenCodecModel::make() const {
  if (codes_) {
    const bool has_ids = form_ == TokenForm::kIds;
    return std::make_unique<SubwordNmtCodec>(*codes_, noise_, has_ids ? &vocabulary_ : nullptr);
  }
  if (vocabulary_.type() == VocabularyType::kTokens) {
    std::unique_ptr<TokenCodec> splitter;
    if (pieces_)
      splitter =
          std::make_unique<SentencePieceCodec>(*pieces_, tables_.get(), TokenForm::kPieces, noise_);
    return std::make_unique<TokenListCodec>(vocabulary_, form_, std::move(splitter));
  }
  if (pieces_) return std::make_unique<SentencePieceCodec>(*pieces_, tables_.get(), form_, noise_);
  if (vocabulary_.type() == VocabularyType::kBert) return make_bert_codec(vocabulary_, form_);
  return std::make_unique<VocabularyCodec>(vocabulary_, form_, noise_);
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

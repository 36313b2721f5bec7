// Writes the files of the tokenizers of M2M100, NLLB-200 and mBART-50.
#include <algorithm>

#include "base/error.hpp"
#include "base/json.hpp"
#include "interchange/hugging_face_languages.hpp"
#include "text/sentencepiece/model.hpp"

namespace awend::interchange {
namespace {

using text::Vocabulary;

constexpr std::string_view kMask = "<mask>";
constexpr std::string_view kFirstTokens[] = {"<s>", "<pad>", "</s>", "<unk>"};

enum class Tokenizer { kM2m100, kNllb, kMbart50 };

/// The tokenizer whose languages have the form of the first one.
Tokenizer tokenizer_of(const Vocabulary& vocabulary) {
  const auto& [code, id] = vocabulary.content().languages.front();
  if (code != vocabulary.piece(id)) return Tokenizer::kM2m100;
  return code.find('_') == 2 ? Tokenizer::kMbart50 : Tokenizer::kNllb;
}

std::string_view class_of(Tokenizer tokenizer) {
  switch (tokenizer) {
    case Tokenizer::kM2m100:
      return "M2M100Tokenizer";
    case Tokenizer::kMbart50:
      return "MBart50Tokenizer";
    default:
      return "NllbTokenizer";
  }
}

/// The lists that M2M100's tokenizer knows by name.
std::string_view list_of(const Vocabulary& vocabulary) {
  const auto& languages = vocabulary.content().languages;
  for (const std::string_view name : {"m2m100", "wmt21"}) {
    const auto codes = m2m100_languages(name);
    const bool is_same = std::ranges::equal(languages, codes, {}, &text::Language::code) &&
                         languages.back().id - languages.front().id + 1 == languages.size();
    if (is_same) return name;
  }
  base::fail("the languages must be those of M2M100's tokenizer, whose files do not list them");
}

/// Throws Error unless the ids are those of fairseq: <s>, <pad>, </s>, <unk>, then the pieces of
/// the SentencePiece model after its first three.
void require_ids_of_fairseq(const Vocabulary& vocabulary, const text::SentencePieceModel& model) {
  const auto require = [&](std::uint32_t id, std::string_view piece) {
    if (id >= vocabulary.size() || vocabulary.piece(id) != piece)
      base::fail("id ", id, " must be '", piece, "' for the tokenizer of Hugging Face");
  };
  for (std::uint32_t id = 0; id < std::size(kFirstTokens); ++id) require(id, kFirstTokens[id]);
  for (std::uint32_t id = 3; id < model.size(); ++id) require(id + 1, model.piece(id));
}

std::string token_json(std::string_view token) {
  base::JsonObject object;
  object.text("content", token).flag("lstrip", token == kMask).flag("normalized", token == kMask);
  return object.flag("rstrip", false).flag("single_word", false).flag("special", true).str();
}

/// The names that all tokenizers give their first tokens.
void add_names(base::JsonObject& object) {
  object.text("bos_token", "<s>").text("eos_token", "</s>").text("pad_token", "<pad>");
  object.text("sep_token", "</s>").text("unk_token", "<unk>");
}

std::string listed_tokens(const Vocabulary& vocabulary) {
  return base::json_list(vocabulary.content().languages, [&](const text::Language& language) {
    return base::json_string(vocabulary.piece(language.id));
  });
}

std::string special_tokens(const Vocabulary& vocabulary, Tokenizer tokenizer) {
  base::JsonObject object(base::kObjectOfLines);
  object.value("additional_special_tokens", listed_tokens(vocabulary));
  add_names(object);
  if (tokenizer != Tokenizer::kM2m100) object.text("cls_token", "<s>").text("mask_token", kMask);
  return object.str() + "\n";
}

/// vocab.json: the tokens before those of languages.
std::string first_tokens(const Vocabulary& vocabulary) {
  base::JsonObject ids(base::kObjectOfLines);
  for (std::uint32_t id = 0; id < vocabulary.content().languages.front().id; ++id)
    ids.count(vocabulary.piece(id), id);
  return ids.str() + "\n";
}

std::string added_tokens(const Vocabulary& vocabulary) {
  base::JsonObject ids(base::kObjectOfLines);
  if (const auto mask = vocabulary.find(kMask)) ids.count(kMask, *mask);
  for (const auto& language : vocabulary.content().languages)
    ids.count(vocabulary.piece(language.id), language.id);
  return ids.str() + "\n";
}

std::string settings(const Vocabulary& vocabulary, Tokenizer tokenizer) {
  const auto& languages = vocabulary.content().languages;
  base::JsonObject decoder;
  const auto add = [&](std::uint32_t id) {
    decoder.value(base::concat(id), token_json(vocabulary.piece(id)));
  };
  for (std::uint32_t id = 0; id < std::size(kFirstTokens); ++id) add(id);
  base::JsonObject object(base::kObjectOfLines);
  add_names(object);
  object.text("tokenizer_class", class_of(tokenizer));
  object.flag("clean_up_tokenization_spaces", false);
  if (tokenizer == Tokenizer::kM2m100) {
    object.text("language_codes", list_of(vocabulary));
    object.count("num_madeup_words", vocabulary.size() - languages.back().id - 1);
  } else {
    object.text("cls_token", "<s>").text("mask_token", kMask);
    object.value("additional_special_tokens", listed_tokens(vocabulary));
    if (const auto mask = vocabulary.find(kMask)) add(*mask);
    for (const auto& language : languages) add(language.id);
  }
  if (tokenizer == Tokenizer::kNllb) object.flag("legacy_behaviour", false);
  object.text("src_lang", languages.front().code).text("tgt_lang", languages.back().code);
  return object.value("added_tokens_decoder", decoder.str()).str() + "\n";
}

}  // namespace

void write_multilingual_tokens(base::OutputDirectory& output, const Vocabulary& vocabulary) {
  const auto& pieces = vocabulary.content().model;
  if (pieces.empty())
    base::fail("the vocabulary has no SentencePiece model, which Hugging Face needs");
  const auto tokenizer = tokenizer_of(vocabulary);
  if (tokenizer != Tokenizer::kM2m100)
    require_ids_of_fairseq(vocabulary, text::SentencePieceModel(pieces, "the vocabulary's model"));
  output.write("tokenizer_config.json", settings(vocabulary, tokenizer));
  output.write("special_tokens_map.json", special_tokens(vocabulary, tokenizer));
  output.write("sentencepiece.bpe.model", pieces);
  if (tokenizer == Tokenizer::kM2m100) {
    output.write("vocab.json", first_tokens(vocabulary));
  } else {
    output.write("added_tokens.json", added_tokens(vocabulary));
  }
}

}  // namespace awend::interchange

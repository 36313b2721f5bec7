#include "interchange/hugging_face_languages.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "interchange/foreign_settings.hpp"
#include "store/json_text.hpp"
#include "text/languages.hpp"
#include "text/sentencepiece/model.hpp"

namespace awend::interchange {
namespace {

const std::string kPieces = "sentencepiece.bpe.model", kIds = "vocab.json",
                  kTokenizer = "tokenizer_config.json", kAdded = "added_tokens.json",
                  kSpecial = "special_tokens_map.json", kFast = "tokenizer.json",
                  kT5Pieces = "spiece.model";

constexpr std::string_view kFirstTokens[] = {"<s>", "<pad>", "</s>", "<unk>"};
// <unk>, <s> and </s> of a SentencePiece model.
constexpr std::uint32_t kFirstPieces = 3;

constexpr std::string_view kM2m100[] = {
    "af", "am", "ar", "ast", "az", "ba", "be", "bg", "bn", "br",  "bs", "ca", "ceb", "cs", "cy",
    "da", "de", "el", "en",  "es", "et", "fa", "ff", "fi", "fr",  "fy", "ga", "gd",  "gl", "gu",
    "ha", "he", "hi", "hr",  "ht", "hu", "hy", "id", "ig", "ilo", "is", "it", "ja",  "jv", "ka",
    "kk", "km", "kn", "ko",  "lb", "lg", "ln", "lo", "lt", "lv",  "mg", "mk", "ml",  "mn", "mr",
    "ms", "my", "ne", "nl",  "no", "ns", "oc", "or", "pa", "pl",  "ps", "pt", "ro",  "ru", "sd",
    "si", "sk", "sl", "so",  "sq", "sr", "ss", "su", "sv", "sw",  "ta", "th", "tl",  "tn", "tr",
    "uk", "ur", "uz", "vi",  "wo", "xh", "yi", "yo", "zh", "zu"};
constexpr std::string_view kWmt21[] = {"en", "ha", "is", "ja", "cs", "ru", "zh", "de"};

/// The tokens before those of languages, by id.
std::vector<std::string> first_tokens(ModelFiles& files, std::string_view model) {
  if (files.has(kIds))
    return with_name_once(files.path_of(kIds), [&] { return tokens_of_json(files.text(kIds)); });
  const auto path = files.path_of(kPieces);
  const text::SentencePieceModel pieces(model, path);
  if (pieces.size() < kFirstPieces || pieces.unknown() != 0)
    base::fail(path, ": its first pieces are not <unk>, <s> and </s>");
  std::vector<std::string> tokens(std::begin(kFirstTokens), std::end(kFirstTokens));
  for (std::uint32_t id = kFirstPieces; id < pieces.size(); ++id)
    tokens.push_back(pieces.piece(id));
  return tokens;
}

using Added = std::map<std::uint32_t, std::string>;

/// Calls read(member) for a member of a file, if both exist.
template <class Read>
void read_member(ModelFiles& files, const std::string& name, const std::string& member,
                 const Read& read) {
  if (!files.has(name)) return;
  with_name_once(files.path_of(name), [&] {
    const auto members = store::json_members(files.text(name));
    if (const auto found = members.find(member); found != members.end()) read(found->second);
  });
}

/// The tokens that the settings of the tokenizer give an id, added to the first ones or among them.
Added added_in_settings(ModelFiles& files) {
  Added added;
  read_member(files, kTokenizer, "added_tokens_decoder", [&](const std::string& tokens) {
    for (const auto& [id, token] : store::json_members(tokens)) {
      const auto text = store::json_text_at(token, {"content"});
      if (!text) base::fail("setting 'added_tokens_decoder': '", id, "' has no 'content'");
      added[base::to_number<std::uint32_t>(id, "an id in 'added_tokens_decoder'")] = *text;
    }
  });
  return added;
}

/// The same in the file that only has these.
Added added_in_list(ModelFiles& files) {
  Added added;
  if (!files.has(kAdded)) return added;
  with_name_once(files.path_of(kAdded), [&] {
    for (const auto& [token, id] : store::json_members(files.text(kAdded)))
      added[base::to_number<std::uint32_t>(id, "an id")] = token;
  });
  return added;
}

/// The same in the file of the tokenizers library, which also has all pieces.
Added added_in_tokenizer(ModelFiles& files) {
  Added added;
  read_member(files, kFast, "added_tokens", [&](const std::string& tokens) {
    for (const auto& element : store::json_elements(tokens)) {
      auto token = ForeignSettings::from_json(element);
      added[token.count("id")] = token.text("content");
    }
  });
  return added;
}

/// The tokens that any of the files gives an id; tokenizer.json, which libraries write beside the
/// other files, has them all.
Added added_tokens(ModelFiles& files) {
  auto added = added_in_list(files);
  added.merge(added_in_settings(files));
  added.merge(added_in_tokenizer(files));
  return added;
}

/// The file from which added_tokens() has an id.
const std::string& file_of(ModelFiles& files, std::uint32_t id) {
  if (added_in_list(files).contains(id)) return kAdded;
  return added_in_settings(files).contains(id) ? kTokenizer : kFast;
}

/// A list of tokens in one of the files, if it has any.
std::vector<std::string> listed_languages(ModelFiles& files) {
  for (const auto& name : {kSpecial, kTokenizer}) {
    if (!files.has(name)) continue;
    const auto listed = with_name_once(files.path_of(name), [&] {
      const auto members = store::json_members(files.text(name));
      for (const char* key : {"additional_special_tokens", "extra_special_tokens"}) {
        const auto found = members.find(key);
        // The second one may be an object of other tokens.
        if (found != members.end() && found->second.starts_with('['))
          return store::json_texts(found->second);
      }
      return std::vector<std::string>();
    });
    if (!listed.empty()) return listed;
  }
  return {};
}

bool has_languages(const Added& added) {
  return std::ranges::any_of(
      added, [](const auto& entry) { return text::language_code_in(entry.second).has_value(); });
}

/// The tokens of languages without ids in the files: those that are listed, or that M2M100's
/// tokenizer has.  In the other tokenizers <mask> follows.
std::vector<std::string> languages_in_order(ModelFiles& files) {
  auto tokens = listed_languages(files);
  const bool is_m2m100 = files.has(kIds);
  if (tokens.empty() && is_m2m100) {
    std::string name = "m2m100";
    if (files.has(kTokenizer)) {
      with_name_once(files.path_of(kTokenizer), [&] {
        name = ForeignSettings::from_json(files.text(kTokenizer)).text("language_codes", name);
        if (m2m100_languages(name).empty())
          base::fail("setting 'language_codes': '", name, "' is not supported");
      });
    }
    for (const auto code : m2m100_languages(name)) tokens.push_back(base::concat("__", code, "__"));
  }
  if (!is_m2m100 && !tokens.empty()) tokens.emplace_back("<mask>");
  return tokens;
}

void require_supported(ModelFiles& files) {
  if (!files.has(kTokenizer)) return;
  with_name_once(files.path_of(kTokenizer), [&] {
    auto settings = ForeignSettings::from_json(files.text(kTokenizer));
    settings.require("tokenizer_class",
                     {"M2M100Tokenizer", "NllbTokenizer", "NllbTokenizerFast", "MBart50Tokenizer",
                      "MBart50TokenizerFast", "null"},
                     "another tokenizer");
    settings.require("legacy_behaviour", {"false", "null"}, "a language after the source");
  });
}

}  // namespace

std::vector<std::string_view> m2m100_languages(std::string_view name) {
  if (name == "m2m100") return {std::begin(kM2m100), std::end(kM2m100)};
  if (name == "wmt21") return {std::begin(kWmt21), std::end(kWmt21)};
  return {};
}

void append_added_tokens(ModelFiles& files, std::uint32_t vocabulary,
                         std::vector<std::string>& tokens) {
  const auto first = tokens.size();
  if (first >= vocabulary) return;
  tokens.resize(vocabulary);
  for (const auto& [id, token] : added_tokens(files)) {
    if (id >= vocabulary)
      base::fail(files.path_of(file_of(files, id)), ": token '", token, "' has id ", id,
                 ", but the model has ", vocabulary, " tokens");
    if (id >= first) tokens[id] = token;
  }
}

TokenList read_t5_tokens(ModelFiles& files, std::uint32_t vocabulary) {
  if (files.has(kTokenizer)) {
    with_name_once(files.path_of(kTokenizer), [&] {
      ForeignSettings::from_json(files.text(kTokenizer))
          .require("tokenizer_class",
                   {"T5Tokenizer", "T5TokenizerFast", "MT5Tokenizer", "MT5TokenizerFast", "null"},
                   "another tokenizer");
    });
  }
  TokenList list;
  list.splitter = splitter_in(files, {&kT5Pieces, 1});
  const auto path = files.path_of(kT5Pieces);
  if (list.splitter.empty()) base::fail(path, ": no such file; copy it from the original model");
  const text::SentencePieceModel pieces(list.splitter, path);
  for (std::uint32_t id = 0; id < pieces.size(); ++id) list.tokens.push_back(pieces.piece(id));
  auto added = added_tokens(files);
  const auto last = added.empty() ? 0 : added.rbegin()->first + std::uint64_t{1};
  if (const auto tokens = std::max<std::uint64_t>(list.tokens.size(), last); tokens > vocabulary)
    base::fail(path, ": with added tokens, ", tokens, " tokens, but the model has ", vocabulary);
  list.tokens.resize(vocabulary);
  for (auto& [id, token] : added) list.tokens[id] = std::move(token);
  find_language_tags(list);
  return list;
}

TokenList read_multilingual_tokens(ModelFiles& files, std::uint32_t vocabulary) {
  require_supported(files);
  TokenList list;
  list.splitter = splitter_in(files, {&kPieces, 1});
  if (list.splitter.empty())
    base::fail(files.path_of(kPieces), ": no such file; copy it from the original model");
  list.tokens = first_tokens(files, list.splitter);
  auto added = added_tokens(files);
  if (!has_languages(added)) {
    auto id = static_cast<std::uint32_t>(list.tokens.size());
    for (auto& token : languages_in_order(files)) added.try_emplace(id++, std::move(token));
  }
  const auto last = added.empty() ? 0 : added.rbegin()->first + std::uint64_t{1};
  if (const auto tokens = std::max<std::uint64_t>(list.tokens.size(), last); tokens > vocabulary) {
    base::fail(files.path_of(files.has(kIds) ? kIds : kPieces), ": with the tokens of languages, ",
               tokens, " tokens, but the model has ", vocabulary);
  }
  list.tokens.resize(vocabulary);
  for (auto& [id, token] : added) {
    if (const auto code = text::language_code_in(token))
      list.languages.push_back({std::string(*code), id});
    list.tokens[id] = std::move(token);
  }
  if (list.languages.empty())
    base::fail(files.path_of(kSpecial), ": no languages ('additional_special_tokens')");
  return list;
}

}  // namespace awend::interchange

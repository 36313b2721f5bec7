// Vocabularies of other toolkits: lists of tokens with ids.
//
// Test: tests/unit/interchange/token_list_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interchange/model_files.hpp"
#include "text/vocabulary.hpp"

namespace awend::interchange {

struct TokenList {
  std::vector<std::string> tokens;  ///< By id; empty where an id has no token.
  std::string unknown = "<unk>";
  std::string end = "</s>";
  std::string splitter;  ///< The bytes of the SentencePiece model that splits text, if any.
  std::vector<text::Language> languages = {};  ///< By ascending id.
};

/// The bytes of the first of these SentencePiece models that is there, or nothing.  Throws Error if
/// it is damaged.
std::string splitter_in(ModelFiles& files, std::span<const std::string> names);

/// Sets the languages of a list that does not name them: the tokens that have the form of one, if
/// some of them have adjacent ids.
void find_languages(TokenList& list);

/// Sets the languages of a list to those of its tags, such as <2de>.
void find_language_tags(TokenList& list);

/// A vocabulary of type tokens.  Tokens that no token line can contain, because they are empty,
/// contain white space, are not UTF-8 or occur again, are replaced by <id:N>.  Throws Error if the
/// list has no unknown token or no end.
text::Vocabulary vocabulary_of(const TokenList& list);

/// Lines `token: id` of YAML as Marian writes it, where a token may be quoted or follow a question
/// mark.  Throws Error naming the line.
std::vector<std::string> tokens_of_yaml(std::string_view text);
/// {"token": id}.  Throws Error for other JSON, and for an id that two tokens have.
std::vector<std::string> tokens_of_json(std::string_view text);
/// A token on each line, without what follows the last `separator`, if it is not NUL.
std::vector<std::string> tokens_of_lines(std::string_view text, char separator = '\0');

}  // namespace awend::interchange

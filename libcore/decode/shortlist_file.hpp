// Files of shortlists.  Test: tests/cli/shortlist.sh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/lines.hpp"
#include "base/mapped_file.hpp"
#include "store/lexical_shortlist.hpp"
#include "text/vocabularies.hpp"

namespace awend::decode {

/// A file of tokens to which the output is restricted, one per line; or a lexical shortlist, which
/// has them for each source word: lines `target source probability`, or Marian's binary form.
struct ShortlistFile {
  std::string path = {};  ///< Empty: the shortlist of the model, if it has one.
  bool is_off = false;    ///< All tokens are allowed.
  base::InvalidUtf8 invalid = base::InvalidUtf8::kError;
  /// Of lines with probabilities: the most frequent tokens are always allowed …
  std::optional<std::uint32_t> first = std::nullopt;  ///< Default: 100.
  /// … and the best tokens of each source word, with more than this probability.
  std::optional<std::uint32_t> best = std::nullopt;  ///< Default: 100.
  std::optional<double> threshold = std::nullopt;    ///< Default: 0.
};

/// The content of such a file, which may be a pipe.
class ShortlistContent {
 public:
  /// Throws Error naming the file if it cannot be read.  `file` must outlive the content.
  explicit ShortlistContent(const ShortlistFile& file);

  /// Whether it has tokens for each source word: it is binary, has probabilities, or the file comes
  /// with numbers of words.
  bool is_lexical() const;
  /// Tokens for each source word, in the order of the ids of the source; the ids of the source are
  /// allowed, too, if both sides have one vocabulary.  Throws Error naming the file, and the line.
  store::LexicalShortlist lists(const text::Vocabularies& vocabularies) const;
  /// The ids of lines with one token each.  Throws Error naming the file, and the line of a token
  /// that is not in the vocabulary.
  text::Ids tokens(const text::Vocabulary& vocabulary) const;

 private:
  std::span<const std::byte> bytes() const;
  bool is_binary() const;
  base::LineReader lines() const;
  store::LexicalShortlist binary_lists(const store::ShortlistSizes& sizes) const;
  store::LexicalShortlist text_lists(const text::Vocabularies& vocabularies) const;

  const ShortlistFile& file_;
  std::optional<base::MappedFile> mapped_ = std::nullopt;
  std::string text_;  ///< Of a pipe.
};

}  // namespace awend::decode

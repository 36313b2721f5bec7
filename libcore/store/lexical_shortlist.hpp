// Lexical shortlists: for each source word, the target words that a translation may have.
//
// A translation may have the first words of the target vocabulary, the words of the lists of its
// source words, and its end (decode/sentence_shortlist.hpp).  A shortlist is a file of Marian, or
// two arrays of a checkpoint, which averages keep:
//
//   shortlist.begins  U32 (source words + 1): where the list of each source word begins
//   shortlist.ids     U32 (entries): target ids, those of a list in ascending order
//
// with the settings in the metadata awend.shortlist.  Test:
// tests/unit/store/lexical_shortlist_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/array_file.hpp"

namespace awend::store {

namespace keys {
/// The settings of the lexical shortlist of a checkpoint, if it has one.
inline constexpr std::string_view kShortlist = "awend.shortlist";
}  // namespace keys

/// Whether a translation may also have the ids of its source: useful with one vocabulary.
enum class SourceIds { kExcluded, kAllowed };

struct LexicalShortlist {
  std::uint32_t first = 0;  ///< Target ids below this one are always allowed.
  std::uint32_t best = 0;   ///< The most target words of a source word.
  SourceIds source_ids = SourceIds::kExcluded;
  std::vector<std::uint32_t> begins = {0};  ///< (source words + 1)
  std::vector<std::uint32_t> ids = {};

  std::uint32_t source_words() const { return static_cast<std::uint32_t>(begins.size()) - 1; }
  /// The list of a source word.
  std::span<const std::uint32_t> of(std::uint32_t source_id) const {
    return std::span(ids).subspan(begins[source_id], begins[source_id + 1] - begins[source_id]);
  }
  void append(std::span<const std::uint32_t> list);

  bool operator==(const LexicalShortlist&) const = default;
};

/// The sizes of the vocabularies that a shortlist must fit.
struct ShortlistSizes {
  std::uint32_t source, target;
};

bool looks_like_marian_shortlist(std::span<const std::byte> bytes);
/// Reads Marian's binary form, which does not tell whether the ids of the source are allowed.
/// Throws Error naming what is damaged, or the vocabulary that it does not fit.
LexicalShortlist read_marian_shortlist(std::span<const std::byte> bytes,
                                       const ShortlistSizes& sizes);
/// The bytes of Marian's binary form.  Marian refuses a last source word without a list: it gets
/// the first target word, which is always allowed; throws Error if none is.  Requires: there are
/// source words.
std::string write_marian_shortlist(const LexicalShortlist& shortlist);

/// The arrays of a checkpoint; views of the shortlist.
std::vector<Array> arrays_of(const LexicalShortlist& shortlist);
/// The value of keys::kShortlist.
std::string settings_of(const LexicalShortlist& shortlist);
/// Whether an array belongs to the shortlist of a checkpoint, not to the weights.
bool is_shortlist(const Array& array);
/// The shortlist of a checkpoint, if it has one.  Throws Error naming the file if it is damaged, or
/// does not fit the vocabularies.
std::optional<LexicalShortlist> shortlist_of(const ArrayFile& file, const ShortlistSizes& sizes);

}  // namespace awend::store

// Reading safetensors files: eight bytes with the length of the header, a JSON header, then the
// concatenated arrays.
//
// The file is mapped, not copied.  The whole header is checked before any array is returned: a
// truncated, damaged or foreign file is an Error `FILE: what`, never a crash
// (tests/fuzz/safetensors_test.cpp).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.hpp"
#include "store/array.hpp"
#include "store/header.hpp"

namespace awend::store {

/// The keys of the metadata that make a safetensors file a checkpoint of awend.
namespace keys {
inline constexpr std::string_view kFormat = "awend.format";  // "1"
inline constexpr std::string_view kConfig =
    "awend.config";  // a JSON object, see store/stored_settings.hpp
inline constexpr std::string_view kVocabulary = "awend.vocabulary";  // complete vocabulary file
/// That of the source, if it has its own.
inline constexpr std::string_view kSourceVocabulary = "awend.source-vocabulary";
/// Settings of the search by default (decode/search_settings.hpp), as a JSON object; converted
/// models have them.
inline constexpr std::string_view kSearch = "awend.search";
inline constexpr std::string_view kRecipe = "awend.recipe";      // settings of the training
inline constexpr std::string_view kState = "awend.state";        // only of a training state
inline constexpr std::string_view kStep = "awend.step";          // updates done, in decimal
inline constexpr std::string_view kSeconds = "awend.seconds";    // durations and other history
inline constexpr std::string_view kAverage = "awend.average";    // names of the averaged files
inline constexpr std::string_view kQuantize = "awend.quantize";  // "int8", or no such key
inline constexpr std::string_view kDigest = "awend.digest";      // see store/digest.hpp
inline constexpr std::string_view kMetadataDigest = "awend.metadata-digest";
}  // namespace keys

/// A safetensors file that is open for reading.  Its arrays are views that are valid as long as
/// the object, including after it is moved.
class ArrayFile {
 public:
  /// Checks the header and the digest of the metadata, but not the arrays.  Throws Error naming
  /// the file and the problem.
  explicit ArrayFile(std::string path);

  const std::string& path() const { return file_.path(); }

  /// All arrays, in file order.
  const std::vector<Array>& arrays() const { return header_.arrays; }

  /// The array of this name, or nullptr.
  const Array* find(std::string_view name) const;

  /// The array of this name; throws Error naming the file if there is none.
  const Array& at(std::string_view name) const;

  /// The elements of an F32 array that must have exactly this shape; throws Error naming file and
  /// array otherwise.
  std::span<const float> floats(std::string_view name, std::span<const std::uint64_t> shape) const;

  /// As above, for U64 arrays.
  std::span<const std::uint64_t> integers(std::string_view name,
                                          std::span<const std::uint64_t> shape) const;

  /// Reads all arrays and compares them with the digest in the file; a file without a digest
  /// passes, and a second call is free.  Throws Error naming the file if they differ. Not
  /// thread-safe.
  void verify() const;

  const Metadata& metadata() const { return header_.metadata; }
  std::optional<std::string> metadata(std::string_view key) const;

  /// The value of a required key; throws Error naming the file if it is missing.
  const std::string& metadata_at(std::string_view key) const;

 private:
  template <class Element>
  std::span<const Element> elements(std::string_view name, Type type,
                                    std::span<const std::uint64_t> shape) const;

  base::MappedFile file_;
  Header header_;
  std::map<std::string, std::size_t, std::less<>> index_;  // name -> index in arrays()
  mutable bool verified_ = false;
};

/// Throws Error naming the file unless it is a checkpoint of this version of the format.
void require_format(const ArrayFile& file);

}  // namespace awend::store

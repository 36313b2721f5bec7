// Reads a safetensors file: eight bytes of header length, a JSON header, then the arrays end to
// end.
//
// The file is mapped, not copied.  Everything the header says is checked before the first array is
// handed out: a truncated, a damaged or a foreign file is an Error `FILE: what`, never a crash
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
    "awend.config";  // a JSON object, see store/settings.hpp
inline constexpr std::string_view kVocabulary = "awend.vocabulary";  // a whole vocabulary file
inline constexpr std::string_view kRecipe = "awend.recipe";          // settings of the training
inline constexpr std::string_view kStep = "awend.step";              // updates done, in decimal
inline constexpr std::string_view kSeconds = "awend.seconds";        // durations, as JSON
inline constexpr std::string_view kDigest = "awend.digest";          // see store/digest.hpp
inline constexpr std::string_view kMetadataDigest = "awend.metadata-digest";
}  // namespace keys

/// A safetensors file, open for reading.  Its arrays are views that live as long as the object,
/// moves included.
class ArrayFile {
 public:
  /// Checks the header, the metadata against its digest included, but not the arrays.  Throws Error
  /// naming the file and what is wrong with it.
  explicit ArrayFile(std::string path);

  const std::string& path() const { return file_.path(); }

  /// All arrays, in the order in which they lie in the file.
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

  /// Reads all arrays and compares them with the digest that the file carries; a file without a
  /// digest passes, and a second call costs nothing.  Throws Error naming the file if they differ.
  /// Not safe to call from several threads at once.
  void verify() const;

  const Metadata& metadata() const { return header_.metadata; }
  std::optional<std::string> metadata(std::string_view key) const;

  /// The value of a key that must be there; throws Error naming the file otherwise.
  const std::string& metadata_at(std::string_view key) const;

 private:
  template <class Element>
  std::span<const Element> elements(std::string_view name, Type type,
                                    std::span<const std::uint64_t> shape) const;

  base::MappedFile file_;
  Header header_;
  std::map<std::string, std::size_t, std::less<>> index_;  // name -> place in arrays()
  mutable bool verified_ = false;
};

}  // namespace awend::store

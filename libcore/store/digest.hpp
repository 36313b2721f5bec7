// Digests in the metadata of a safetensors file, which detect bits that changed since the file was
// written.
//
//   awend.digest           "xxh3:0123456789abcdef", of all arrays
//   awend.metadata-digest  in the same form, of all other metadata "awend.*", with awend.digest
//
// The digest of arrays depends only on their names, types, shapes and bytes, not on their order or
// position in a file: equal weights have equal digests in any file, so that one file can refer to
// another by it.  The digest of the metadata excludes awend.seconds, which differs whenever a run
// is repeated, and the keys of other software.  Files without digests are accepted.  Test:
// tests/unit/store/digest_test.cpp.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "base/checksum.hpp"
#include "store/array.hpp"
#include "store/array_file.hpp"

namespace awend::store {

/// Computes the digest of arrays that are added one after another, each in any number of parts.
class ArrayDigest {
 public:
  /// Starts the next array.  Only its name, type and shape are used, not its bytes.
  void begin(const Array& layout);
  /// Adds bytes of the last array begun.
  void add(std::span<const std::byte> bytes);
  /// The digest of the arrays so far, in the form of awend.digest.
  std::string value() const;

 private:
  std::map<std::string, base::Checksum> arrays_;  // by name
  base::Checksum* current_ = nullptr;
};

/// The digest of arrays in memory or in an open file.
std::string digest_of(std::span<const Array> arrays);

/// The digest stored in the file, without reading its arrays; nothing if there is none.
std::optional<std::string> stored_digest(const ArrayFile& file);

/// The metadata with the digests of the arrays and of the metadata itself.
Metadata with_digests(Metadata metadata, const std::string& array_digest);

/// Throws Error, without the name of the file, if the metadata has a digest that does not match, or
/// only one of the two.
void check_metadata_digest(const Metadata& metadata);

}  // namespace awend::store

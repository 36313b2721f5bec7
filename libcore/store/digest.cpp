#include "store/digest.hpp"

#include "base/error.hpp"

namespace awend::store {
namespace {

constexpr std::string_view kAlgorithm = "xxh3:";
constexpr std::string_view kOwnKeys = "awend.";

// The size comes first, so that concatenated texts are unambiguous.
void add_text(base::Checksum& checksum, std::string_view text) {
  checksum.add(std::uint64_t{text.size()});
  checksum.add(text);
}

std::string text_of(const base::Checksum& checksum) {
  return base::concat(kAlgorithm, base::hex(checksum.value()));
}

std::string metadata_digest(const Metadata& metadata) {
  base::Checksum checksum;
  for (const auto& [key, value] : metadata) {
    if (!key.starts_with(kOwnKeys) || key == keys::kMetadataDigest || key == keys::kSeconds)
      continue;
    add_text(checksum, key);
    add_text(checksum, value);
  }
  return text_of(checksum);
}

}  // namespace

void ArrayDigest::begin(const Array& layout) {
  auto& checksum = arrays_[layout.name];
  add_text(checksum, layout.name);
  add_text(checksum, name_of(layout.type));
  checksum.add(std::uint64_t{layout.shape.size()});
  for (const auto size : layout.shape) checksum.add(size);
  current_ = &checksum;
}

void ArrayDigest::add(std::span<const std::byte> bytes) {
  base::check(current_ != nullptr, "an array has begun");
  current_->add(bytes);
}

std::string ArrayDigest::value() const {
  base::Checksum all;
  for (const auto& [name, checksum] : arrays_) all.add(checksum.value());
  return text_of(all);
}

std::string digest_of(std::span<const Array> arrays) {
  ArrayDigest digest;
  for (const auto& array : arrays) {
    digest.begin(array);
    digest.add(array.bytes);
  }
  return digest.value();
}

std::optional<std::string> stored_digest(const ArrayFile& file) {
  return file.metadata(keys::kDigest);
}

Metadata with_digests(Metadata metadata, const std::string& array_digest) {
  metadata[std::string(keys::kDigest)] = array_digest;
  metadata[std::string(keys::kMetadataDigest)] = metadata_digest(metadata);
  return metadata;
}

void check_metadata_digest(const Metadata& metadata) {
  const auto stored = metadata.find(std::string(keys::kMetadataDigest));
  const bool has_arrays_digest = metadata.contains(std::string(keys::kDigest));
  const bool matches = stored == metadata.end()
                           ? !has_arrays_digest
                           : has_arrays_digest && stored->second == metadata_digest(metadata);
  if (!matches) base::fail("damaged: the metadata does not match its digest");
}

}  // namespace awend::store

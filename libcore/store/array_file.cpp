#include "store/array_file.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "store/digest.hpp"

namespace awend::store {
namespace {

/// The digest of arrays in a mapped file, of which only a part is resident at once.
std::string digest_of_mapped(std::span<const Array> arrays) {
  constexpr std::size_t kPieceBytes = std::size_t{16} << 20;
  ArrayDigest digest;
  for (const auto& array : arrays) {
    digest.begin(array);
    for (std::size_t at = 0; at < array.bytes.size(); at += kPieceBytes) {
      const auto piece = array.bytes.subspan(at, std::min(kPieceBytes, array.bytes.size() - at));
      digest.add(piece);
      base::forget_mapped(piece);
    }
  }
  return digest.value();
}

}  // namespace

ArrayFile::ArrayFile(std::string path) : file_(std::move(path)) {
  base::with_name(this->path(), [&] {
    header_ = read_header(file_.bytes());
    check_metadata_digest(header_.metadata);
  });
  for (std::size_t i = 0; i < arrays().size(); ++i) index_[arrays()[i].name] = i;
}

void ArrayFile::verify() const {
  if (verified_) return;
  const auto stored = metadata(keys::kDigest);
  if (stored && *stored != digest_of_mapped(arrays())) {
    base::fail(path(), ": damaged: its arrays do not match their digest ", *stored);
  }
  verified_ = true;
}

const Array* ArrayFile::find(std::string_view name) const {
  auto found = index_.find(name);
  return found == index_.end() ? nullptr : &arrays()[found->second];
}

const Array& ArrayFile::at(std::string_view name) const {
  if (auto array = find(name)) return *array;
  base::fail(path(), ": no array '", name, "'");
}

template <class Element>
std::span<const Element> ArrayFile::elements(std::string_view name, Type type,
                                             std::span<const std::uint64_t> shape) const {
  const auto& array = at(name);
  if (array.type != type || !std::ranges::equal(array.shape, shape)) {
    base::fail(path(), ": array '", name, "' is ", describe(array.type, array.shape), ", not ",
               describe(type, shape));
  }
  const auto* start = array.bytes.data();
  if (reinterpret_cast<std::uintptr_t>(start) % alignof(Element) != 0) {
    base::fail(path(), ": array '", name, "' does not start at a multiple of ", alignof(Element),
               " bytes");
  }
  return {reinterpret_cast<const Element*>(start), array.bytes.size() / sizeof(Element)};
}

std::span<const float> ArrayFile::floats(std::string_view name,
                                         std::span<const std::uint64_t> shape) const {
  return elements<float>(name, Type::F32, shape);
}

std::span<const std::uint64_t> ArrayFile::integers(std::string_view name,
                                                   std::span<const std::uint64_t> shape) const {
  return elements<std::uint64_t>(name, Type::U64, shape);
}

std::optional<std::string> ArrayFile::metadata(std::string_view key) const {
  auto found = metadata().find(std::string(key));
  if (found == metadata().end()) return std::nullopt;
  return found->second;
}

const std::string& ArrayFile::metadata_at(std::string_view key) const {
  auto found = metadata().find(std::string(key));
  if (found == metadata().end())
    base::fail(path(), ": no '", key, "' in its metadata; not a checkpoint of awend");
  return found->second;
}

void require_format(const ArrayFile& file) {
  const auto format = file.metadata(keys::kFormat);
  if (!format) base::fail(file.path(), ": not a checkpoint of awend: no metadata ", keys::kFormat);
  if (*format != "1")
    base::fail(file.path(), ": unsupported checkpoint format ", *format, " (expected 1)");
}

}  // namespace awend::store

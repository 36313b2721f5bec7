#include "store/array_writer.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/json.hpp"
#include "store/json.hpp"

namespace awend::store {
namespace {

constexpr std::size_t kAlignmentBytes =
    64;  // of the first array: a cache line, and any vector register

constexpr std::size_t kKeptInMemoryBytes = std::size_t{256} << 20;

// Length and header, padded, as written before the first array.
std::string header_of(std::span<const Array> layout, const Metadata& metadata) {
  base::JsonObject header, texts;
  for (const auto& [name, value] : metadata) texts.text(valid_utf8(name), valid_utf8(value));
  if (!metadata.empty()) header.value("__metadata__", texts.str());
  std::set<std::string_view> names = {"__metadata__"};
  std::uint64_t offset = 0;
  for (const auto& array : layout) {
    if (!names.insert(array.name).second) base::fail("two arrays '", array.name, "'");
    const std::uint64_t offsets[] = {offset, offset + size_bytes(array)};
    offset = offsets[1];
    base::JsonObject entry;
    entry.text("dtype", name_of(array.type)).value("shape", base::json_values(array.shape));
    header.value(valid_utf8(array.name),
                 entry.value("data_offsets", base::json_values(offsets)).str());
  }
  auto text = header.str();
  const auto length_bytes = sizeof(std::uint64_t);
  text.append((kAlignmentBytes - (length_bytes + text.size()) % kAlignmentBytes) % kAlignmentBytes,
              ' ');
  std::string length;
  for (std::size_t i = 0; i < length_bytes; ++i)
    length += static_cast<char>(text.size() >> (8 * i) & 0xFF);
  return length + text;
}

}  // namespace

ArrayWriter::ArrayWriter(const std::string& path, std::span<const Array> layout, Metadata metadata)
    : file_(path),
      layout_(layout.begin(), layout.end()),
      metadata_(std::move(metadata)),
      memory_(kKeptInMemoryBytes, base::temporary_directory()) {
  base::with_name(path, [&] {
    for (const auto& array : layout_) bytes_left_ += size_bytes(array);
    const auto text = header(ArrayDigest().value());
    if (!file_.can_overwrite()) kept_.reserve(text.size() + bytes_left_);
    put(text);
  });
  begin_arrays();
}

std::string ArrayWriter::header(const std::string& array_digest) const {
  return header_of(layout_, with_digests(metadata_, array_digest));
}

void ArrayWriter::put(std::string_view bytes) {
  if (file_.can_overwrite()) return file_.write(bytes);
  kept_.insert(kept_.end(), bytes.begin(), bytes.end());
}

// Begins the next nonempty array, and the empty ones before it.
void ArrayWriter::begin_arrays() {
  while (array_bytes_left_ == 0 && begun_ < layout_.size()) {
    const auto& array = layout_[begun_++];
    digest_.begin(array);
    array_bytes_left_ = size_bytes(array);
  }
}

void ArrayWriter::write(std::span<const std::byte> bytes) {
  base::check(bytes.size() <= bytes_left_, "no more bytes than were announced");
  bytes_left_ -= bytes.size();
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min<std::uint64_t>(bytes.size(), array_bytes_left_));
    digest_.add(part);
    put({reinterpret_cast<const char*>(part.data()), part.size()});
    array_bytes_left_ -= part.size();
    begin_arrays();
    bytes = bytes.subspan(part.size());
  }
}

std::string ArrayWriter::digest() const {
  base::check(bytes_left_ == 0, "all arrays that were announced");
  return digest_.value();
}

void ArrayWriter::commit() {
  const auto text = header(digest());
  if (file_.can_overwrite()) {
    file_.overwrite(0, text);
  } else {
    std::ranges::copy(text, kept_.begin());
    file_.write({kept_.data(), kept_.size()});
  }
  file_.commit();
}

void write_arrays(const std::string& path, std::span<const Array> arrays,
                  const Metadata& metadata) {
  std::vector<Array> sorted(arrays.begin(), arrays.end());
  std::ranges::stable_sort(sorted, std::greater(),
                           [](const Array& array) { return size_bytes(array.type); });
  ArrayWriter writer(path, sorted, metadata);
  for (const auto& array : sorted) {
    base::check(array.bytes.size() == size_bytes(array), "an array has the size of its shape");
    writer.write(array.bytes);
  }
  writer.commit();
}

}  // namespace awend::store

#include "store/array_writer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "store/json.hpp"

namespace awend::store {
namespace {

constexpr std::size_t kAlignmentBytes =
    64;  // of the first array: a cache line, and any vector register

// Length and header, padded, as they stand before the first array.
std::string header_of(std::span<const Array> layout, const Metadata& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const auto& array : layout) {
    if (header.contains(array.name)) base::fail("two arrays '", array.name, "'");
    const auto end = offset + size_bytes(array);
    header[array.name] = {
        {"dtype", name_of(array.type)}, {"shape", array.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  auto text = print_json(header);
  const auto length_bytes = sizeof(std::uint64_t);
  text.append((kAlignmentBytes - (length_bytes + text.size()) % kAlignmentBytes) % kAlignmentBytes,
              ' ');
  std::string length;
  for (std::size_t i = 0; i < length_bytes; ++i)
    length += static_cast<char>(text.size() >> (8 * i) & 0xFF);
  return length + text;
}

}  // namespace

ArrayWriter::ArrayWriter(const std::string& path, std::span<const Array> layout,
                         const Metadata& metadata)
    : file_(path) {
  try {
    file_.write(header_of(layout, metadata));
  } catch (const base::Error& error) {
    base::fail(path, ": ", error.what());
  }
  for (const auto& array : layout) missing_bytes_ += size_bytes(array);
}

void ArrayWriter::write(std::span<const std::byte> bytes) {
  base::check(bytes.size() <= missing_bytes_, "no more bytes than were announced");
  file_.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  missing_bytes_ -= bytes.size();
}

void ArrayWriter::commit() {
  base::check(missing_bytes_ == 0, "all arrays that were announced");
  file_.commit();
}

void write_arrays(const std::string& path, std::span<const Array> arrays,
                  const Metadata& metadata) {
  std::vector<Array> sorted(arrays.begin(), arrays.end());
  std::ranges::stable_sort(sorted, std::greater(),
                           [](const Array& array) { return size_bytes(array.type); });
  ArrayWriter writer(path, sorted, metadata);
  for (const auto& array : sorted) {
    base::check(array.bytes.size() == size_bytes(array),
                "an array has the bytes that its shape says");
    writer.write(array.bytes);
  }
  writer.commit();
}

}  // namespace awend::store

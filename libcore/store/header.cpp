#include "store/header.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "store/json.hpp"

namespace awend::store {
namespace {

using Json = nlohmann::json;

// The limit of the format; it keeps a foreign file from exhausting memory.
constexpr std::uint64_t kHeaderLimitBytes = 100'000'000;

// The length of the header, in the first eight bytes, little-endian.
std::uint64_t header_size_of(std::span<const std::byte> file) {
  if (file.size() < 8) base::fail("too short for a safetensors file");
  std::uint64_t size = 0;
  for (int i = 7; i >= 0; --i) size = size << 8 | static_cast<std::uint64_t>(file[i]);
  if (size > kHeaderLimitBytes) base::fail("not a safetensors file");
  if (size > file.size() - 8) {
    base::fail("truncated: the header has ", size, " bytes and the file ", file.size());
  }
  if (size == 0 || file[8] != std::byte{'{'}) base::fail("not a safetensors file");
  return size;
}

std::uint64_t unsigned_of(const Json& value, std::string_view what) {
  if (!value.is_number_unsigned()) base::fail(what, " is not a whole number");
  return value.get<std::uint64_t>();
}

const Json& member(const Json& object, const char* key) {
  auto found = object.find(key);
  if (found == object.end()) base::fail("no '", key, "'");
  return *found;
}

Type type_of(const Json& value) {
  if (!value.is_string()) base::fail("'dtype' is not a text");
  const auto& name = value.get_ref<const std::string&>();
  if (auto type = type_named(name)) return *type;
  base::fail("unknown element type '", name, "'");
}

// Parses one entry of the header.  Its bytes are a part of `buffer`, the part of the file after
// the header.
Array read_entry(const std::string& name, const Json& entry, std::span<const std::byte> buffer) {
  if (!entry.is_object()) base::fail("not an object");
  Array array;
  array.name = name;
  array.type = type_of(member(entry, "dtype"));
  const auto& shape = member(entry, "shape");
  if (!shape.is_array()) base::fail("'shape' is not a list");
  for (const auto& size : shape) array.shape.push_back(unsigned_of(size, "a size in 'shape'"));
  const auto& offsets = member(entry, "data_offsets");
  if (!offsets.is_array() || offsets.size() != 2) base::fail("'data_offsets' is not a pair");
  const auto begin = unsigned_of(offsets[0], "an offset");
  const auto end = unsigned_of(offsets[1], "an offset");
  if (begin > end) base::fail("its end lies before its beginning");
  if (end > buffer.size()) base::fail("truncated: it ends at byte ", end, " of ", buffer.size());
  if (end - begin != size_bytes(array)) {
    base::fail(describe(array.type, array.shape), " cannot have ", end - begin, " bytes");
  }
  array.bytes = buffer.subspan(begin, end - begin);
  return array;
}

Metadata read_metadata(const Json& entry) {
  if (!entry.is_object()) base::fail("the metadata is not an object");
  Metadata metadata;
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) base::fail("the metadata '", key, "' is not a text");
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

void add_array(std::vector<Array>& arrays, const std::string& name, const Json& entry,
               std::span<const std::byte> buffer) {
  base::with_name(base::concat("array '", name, "'"),
                  [&] { arrays.push_back(read_entry(name, entry, buffer)); });
}

// The format requires the arrays to fill the buffer without gaps, which could hide data, and
// without overlaps.
void check_cover(const std::vector<Array>& arrays, std::span<const std::byte> buffer) {
  const std::byte* place = buffer.data();
  for (const auto& array : arrays) {
    if (array.bytes.data() > place) base::fail("a hole before array '", array.name, "'");
    if (array.bytes.data() < place) base::fail("array '", array.name, "' overlaps another");
    place += array.bytes.size();
  }
  const auto rest = buffer.data() + buffer.size() - place;
  if (rest > 0) base::fail(rest, " trailing bytes after the last array");
}

}  // namespace

Header read_header(std::span<const std::byte> file) {
  const auto size = header_size_of(file);
  const auto text = file.subspan(8, size);
  const auto buffer = file.subspan(8 + size);
  const auto json = parse_json({reinterpret_cast<const char*>(text.data()), text.size()});
  Header header;
  for (const auto& [name, entry] : json.items()) {
    if (name == "__metadata__") {
      header.metadata = read_metadata(entry);
    } else {
      add_array(header.arrays, name, entry, buffer);
    }
  }
  // Of arrays at the same position, an empty one comes first.
  std::ranges::stable_sort(header.arrays, {}, [](const Array& array) {
    return std::pair(array.bytes.data(), array.bytes.size());
  });
  check_cover(header.arrays, buffer);
  return header;
}

}  // namespace awend::store

#include "store/array_file.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "store/json.hpp"

namespace awend::store {
namespace {

using Json = nlohmann::json;

// The format's own limit; it keeps a foreign file from asking for all the memory there is.
constexpr std::uint64_t kHeaderLimitBytes = 100'000'000;

constexpr Type kTypes[] = {Type::F64, Type::F32, Type::F16, Type::BF16, Type::I64,
                           Type::I32, Type::I16, Type::I8,  Type::U64,  Type::U32,
                           Type::U16, Type::U8,  Type::Bool};

// The length of the header, which the first eight bytes give, little end first.
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
  for (auto type : kTypes) {
    if (name_of(type) == name) return type;
  }
  base::fail("unknown element type '", name, "'");
}

// One entry of the header; its bytes are cut from `buffer`, the part of the file behind the header.
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

// The format wants the arrays to fill the buffer end to end: a hole could hide data, an overlap is
// damage.
void check_cover(const std::vector<Array>& arrays, std::span<const std::byte> buffer) {
  const std::byte* place = buffer.data();
  for (const auto& array : arrays) {
    if (array.bytes.data() > place) base::fail("a hole before array '", array.name, "'");
    if (array.bytes.data() < place) base::fail("array '", array.name, "' overlaps another");
    place += array.bytes.size();
  }
  const auto rest = buffer.data() + buffer.size() - place;
  if (rest > 0) base::fail(rest, " bytes behind the last array");
}

}  // namespace

ArrayFile::ArrayFile(std::string path) : file_(std::move(path)) {
  try {
    const auto header_size = header_size_of(file_.bytes());
    const auto text = file_.bytes().subspan(8, header_size);
    const auto buffer = file_.bytes().subspan(8 + header_size);
    const auto header = parse_json({reinterpret_cast<const char*>(text.data()), text.size()});
    if (!header.is_object()) base::fail("the header is not an object");
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") {
        metadata_ = read_metadata(entry);
        continue;
      }
      try {
        arrays_.push_back(read_entry(name, entry, buffer));
      } catch (const base::Error& error) {
        base::fail("array '", name, "': ", error.what());
      }
    }
    std::ranges::stable_sort(arrays_, {}, [](const Array& array) {
      return std::pair(array.bytes.data(),
                       array.bytes.size());  // an empty array goes before its neighbour
    });
    check_cover(arrays_, buffer);
  } catch (const base::Error& error) {
    base::fail(this->path(), ": ", error.what());
  }
  for (std::size_t i = 0; i < arrays_.size(); ++i) index_[arrays_[i].name] = i;
}

const Array* ArrayFile::find(std::string_view name) const {
  auto found = index_.find(name);
  return found == index_.end() ? nullptr : &arrays_[found->second];
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
  auto found = metadata_.find(std::string(key));
  if (found == metadata_.end()) return std::nullopt;
  return found->second;
}

const std::string& ArrayFile::metadata_at(std::string_view key) const {
  auto found = metadata_.find(std::string(key));
  if (found == metadata_.end())
    base::fail(path(), ": no '", key, "' in its metadata; not a checkpoint of awend");
  return found->second;
}

}  // namespace awend::store

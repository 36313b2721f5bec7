#include "store/npy.hpp"

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "store/byte_cursor.hpp"
#include "store/zip_archive.hpp"

namespace awend::store {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct NumpyType {
  std::string_view name;
  Type type;
};
constexpr NumpyType kTypes[] = {{"f8", Type::F64}, {"f4", Type::F32}, {"f2", Type::F16},
                                {"i8", Type::I64}, {"i4", Type::I32}, {"i2", Type::I16},
                                {"i1", Type::I8},  {"u8", Type::U64}, {"u4", Type::U32},
                                {"u2", Type::U16}, {"u1", Type::U8},  {"b1", Type::Bool}};

/// The text after "'KEY':" in the header, which is a dictionary of Python.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::string quoted = base::concat("'", key, "':");
  const auto begin = header.find(quoted);
  if (begin == header.npos) base::fail("the header has no ", quoted);
  header.remove_prefix(begin + quoted.size());
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  return header;
}

Type type_of(std::string_view header) {
  const std::string_view text = value_of(header, "descr").substr(0, 5);
  for (const auto& [name, type] : kTypes) {
    for (const char order : {'<', '|', '='}) {
      if (text == base::concat("'", order, name, "'")) return type;
    }
  }
  base::fail("elements of type ", text, " are not supported");
}

std::vector<std::uint64_t> shape_of(std::string_view header) {
  std::string_view text = value_of(header, "shape");
  const auto end = text.find(')');
  if (!text.starts_with('(') || end == text.npos) base::fail("the header has no shape");
  text = text.substr(1, end - 1);
  std::vector<std::uint64_t> shape;
  while (!text.empty()) {
    auto item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ') || item.ends_with('L')) item.remove_suffix(1);
    if (item.empty()) continue;
    shape.push_back(base::to_number<std::uint64_t>(item, "a size"));
  }
  return shape;
}

}  // namespace

StridedArray read_npy(std::span<const std::byte> bytes) {
  ByteCursor cursor(bytes);
  if (cursor.text(kMagic.size()) != kMagic) base::fail("not an array of NumPy");
  const auto version = cursor.number<std::uint8_t>();
  cursor.number<std::uint8_t>();
  const std::uint64_t size =
      version == 1 ? cursor.number<std::uint16_t>() : cursor.number<std::uint32_t>();
  const auto header = cursor.text(size);
  StridedArray array{
      .type = type_of(header), .shape = shape_of(header), .strides = {}, .bytes = {}};
  if (value_of(header, "fortran_order").starts_with("True")) {
    std::uint64_t stride = 1;
    for (const auto dimension : array.shape) {
      array.strides.push_back(stride);
      if (__builtin_mul_overflow(stride, dimension, &stride)) base::fail("the shape is too large");
    }
  }
  array.bytes = cursor.take(cursor.rest());
  require_within(array);
  return array;
}

NpzFile::NpzFile(std::span<const std::byte> bytes) {
  ZipArchive archive(bytes);
  for (std::size_t i = 0; i < archive.names().size(); ++i) {
    std::string name = archive.names()[i];
    if (!name.ends_with(".npy")) continue;
    name.resize(name.size() - 4);
    const auto entry = entries_.keep(archive.read(i));
    base::with_name(base::concat("array '", name, "'"), [&] {
      if (!arrays_.emplace(name, read_npy(entry)).second) base::fail("is duplicated");
    });
  }
}

}  // namespace awend::store

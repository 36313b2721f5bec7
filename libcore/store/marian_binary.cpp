#include "store/marian_binary.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/numbers.hpp"
#include "store/byte_cursor.hpp"

namespace awend::store {
namespace {

constexpr std::uint64_t kVersion = 1;
constexpr std::string_view kSettings = "special:model.yml";
constexpr std::uint64_t kMaxDimensions = 8;

struct ItemHeader {
  std::uint64_t name_bytes, type, dimensions, data_bytes;
};

// A type's class, of which a number has one, and the bytes of an element.
constexpr std::uint64_t kSigned = 0x100, kFloat = 0x400, kClasses = 0xFFFFFF00;
constexpr std::uint64_t kIntgemm[] = {0x10000, 0x4000};  // of Marian, and of its fork for browsers

// Embeddings, which only the fork for browsers quantizes, have the order of rows.
constexpr std::string_view kEmbeddings = "Wemb";

bool is_intgemm(std::uint64_t type) {
  return (type & kClasses) == kIntgemm[0] || (type & kClasses) == (kIntgemm[1] | kSigned);
}

Type type_of(std::uint64_t type) {
  const auto size = type & 0xFF;
  if (is_intgemm(type) && size == 1) return Type::I8;
  if (is_intgemm(type) && size == 2) return Type::I16;
  switch (type) {
    case kFloat + 2:
      return Type::F16;
    case kFloat + 4:
      return Type::F32;
    case kFloat + 8:
      return Type::F64;
    case kSigned + 1:
      return Type::I8;
    case kSigned + 2:
      return Type::I16;
    case kSigned + 4:
      return Type::I32;
    case kSigned + 8:
      return Type::I64;
    default:
      base::fail("its type ", type, " is not supported; convert the model to float32 or intgemm8");
  }
}

StridedArray array_of(const ItemHeader& header, ByteCursor& shapes,
                      std::span<const std::byte> data) {
  StridedArray array{.type = type_of(header.type), .shape = {}, .strides = {}, .bytes = data};
  if (header.dimensions > kMaxDimensions) base::fail("it has ", header.dimensions, " dimensions");
  for (std::uint64_t i = 0; i < header.dimensions; ++i) {
    const auto size = shapes.number<std::int32_t>();
    if (size < 0) base::fail("it has the size ", size);
    array.shape.push_back(static_cast<std::uint64_t>(size));
  }
  return array;
}

/// The factor after the integers.
float factor_of(const StridedArray& array) {
  ByteCursor cursor(array.bytes);
  cursor.take(count_of(array.shape) * size_bytes(array.type));
  const auto multiplier = cursor.number<float>();
  if (!(multiplier > 0)) base::fail("its quantization multiplier is ", multiplier);
  return 1 / multiplier;
}

}  // namespace

std::string marian_settings(const StridedArray& array) {
  const std::string_view text(reinterpret_cast<const char*>(array.bytes.data()),
                              array.bytes.size());
  return std::string(text.substr(0, text.find('\0')));
}

bool looks_like_marian_binary(std::span<const std::byte> bytes) {
  if (bytes.size() < 48) return false;
  ByteCursor cursor(bytes);
  if (cursor.number<std::uint64_t>() != kVersion) return false;
  const auto count = cursor.number<std::uint64_t>();
  return count > 0 && count <= bytes.size() / sizeof(ItemHeader);
}

MarianItems read_marian_binary(std::span<const std::byte> bytes) {
  ByteCursor cursor(bytes);
  const auto version = cursor.number<std::uint64_t>();
  if (version != kVersion)
    base::fail("version ", version, " of Marian's format is unknown (expected 1)");
  const auto count = cursor.number<std::uint64_t>();
  if (count > cursor.rest() / sizeof(ItemHeader)) base::fail("truncated at byte ", bytes.size());
  std::vector<ItemHeader> headers;
  for (std::uint64_t i = 0; i < count; ++i) {
    // In this order: arguments of a function would be read in any.
    const auto name_bytes = cursor.number<std::uint64_t>(), type = cursor.number<std::uint64_t>(),
               dimensions = cursor.number<std::uint64_t>(),
               data_bytes = cursor.number<std::uint64_t>();
    headers.push_back({name_bytes, type, dimensions, data_bytes});
  }
  std::vector<std::string> names;
  for (const auto& header : headers) {
    const auto name = cursor.text(header.name_bytes);
    names.emplace_back(name.substr(0, name.find('\0')));
  }
  std::uint64_t shape_bytes = 0;
  for (const auto& header : headers) {
    if (header.dimensions > kMaxDimensions)
      base::fail("an array has ", header.dimensions, " dimensions");
    shape_bytes += header.dimensions * sizeof(std::int32_t);
  }
  ByteCursor shapes(cursor.take(shape_bytes));
  cursor.take(cursor.number<std::uint64_t>());  // padding
  MarianItems items;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    try {
      auto array = array_of(headers[i], shapes, cursor.take(headers[i].data_bytes));
      require_within(array);
      if (names[i] == kSettings) {
        items.settings = marian_settings(array);
        continue;
      }
      if (is_intgemm(headers[i].type)) {
        items.factors[names[i]] = factor_of(array);
        if (array.shape.size() == 2 && !names[i].ends_with(kEmbeddings))
          array.strides = {1, array.shape[0]};
      }
      if (!items.arrays.emplace(names[i], array).second) base::fail("is duplicated");
    } catch (const base::Error& error) {
      base::fail("array '", names[i], "': ", error.what());
    }
  }
  return items;
}

void write_marian_binary(const std::string& path, std::span<const StreamedArray> arrays,
                         const std::string& settings) {
  constexpr std::size_t kAlignment = 256;
  const auto padded = [](std::uint64_t bytes) {
    return base::divide_up(bytes, std::uint64_t{kAlignment}) * kAlignment;
  };
  std::string headers, names, shapes;
  const auto put = [](std::string& out, auto number) {
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  const auto declare = [&](const std::string& name, std::uint64_t type,
                           std::span<const std::uint64_t> shape, std::uint64_t bytes) {
    const std::uint64_t fields[] = {name.size() + 1, type, shape.size(), padded(bytes)};
    for (const auto field : fields) put(headers, field);
    names.append(name).push_back('\0');
    for (const auto size : shape) put(shapes, static_cast<std::int32_t>(size));
  };
  put(headers, kVersion);
  put(headers, static_cast<std::uint64_t>(arrays.size() + 1));
  for (const auto& array : arrays) declare(array.name, kFloat + 4, array.shape, array.size_bytes());
  auto text = settings + '\0';
  text.resize(padded(text.size()));
  const std::uint64_t text_shape[] = {text.size()};
  declare(std::string(kSettings), kSigned + 1, text_shape, text.size());
  std::string head = headers + names + shapes;
  const auto padding = kAlignment - (head.size() + sizeof(std::uint64_t)) % kAlignment;
  put(head, static_cast<std::uint64_t>(padding));
  head.append(padding, '\0');
  base::OutputFile out(path);
  out.write(head);
  for (const auto& array : arrays) {
    array.write([&](std::span<const float> part) {
      out.write({reinterpret_cast<const char*>(part.data()), part.size_bytes()});
    });
    out.write(std::string(padded(array.size_bytes()) - array.size_bytes(), '\0'));
  }
  out.write(text);
  out.commit();
}

}  // namespace awend::store

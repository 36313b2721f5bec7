// Files as other programs write them, from arrays and texts: zip archives, NumPy's and Marian's
// arrays, and both forms of torch.save().
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/ctranslate2_binary.hpp"
#include "store/strided_array.hpp"

namespace awend::tests {

template <class Number>
std::string bytes_of(Number value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
template <class Number>
std::string bytes_of(const std::vector<Number>& values) {
  std::string bytes;
  for (const Number value : values) bytes += bytes_of(value);
  return bytes;
}
inline std::span<const std::byte> view(std::string_view bytes) {
  return std::as_bytes(std::span(bytes));
}

using Entries = std::vector<std::pair<std::string, std::string>>;

inline std::uint32_t crc32_of(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

/// A zip archive without compression.
inline std::string zip_of(const Entries& entries) {
  std::string out, directory;
  for (const auto& [name, content] : entries) {
    const std::string fields = bytes_of<std::uint16_t>(20) + bytes_of<std::uint16_t>(0) +
                               bytes_of<std::uint16_t>(0) + bytes_of<std::uint32_t>(0x210000) +
                               bytes_of(crc32_of(content)) +
                               bytes_of(static_cast<std::uint32_t>(content.size())) +
                               bytes_of(static_cast<std::uint32_t>(content.size())) +
                               bytes_of(static_cast<std::uint16_t>(name.size()));
    directory += "PK\1\2" + bytes_of<std::uint16_t>(20) + fields + std::string(12, '\0') +
                 bytes_of(static_cast<std::uint32_t>(out.size())) + name;
    out += "PK\3\4" + fields + bytes_of<std::uint16_t>(0) + name + content;
  }
  const auto count = static_cast<std::uint16_t>(entries.size());
  return out + directory + "PK\5\6" + std::string(4, '\0') + bytes_of(count) + bytes_of(count) +
         bytes_of(static_cast<std::uint32_t>(directory.size())) +
         bytes_of(static_cast<std::uint32_t>(out.size())) + std::string(2, '\0');
}

/// An array of NumPy with F32 elements.  `shape` is as Python prints it: "(2, 3)".
inline std::string npy_of(const std::string& shape, const std::vector<float>& values) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n";
  return std::string("\x93NUMPY\1\0", 8) + bytes_of(static_cast<std::uint16_t>(header.size())) +
         header + bytes_of(values);
}

/// A file of CTranslate2.
inline std::string ctranslate2_of(const store::CTranslate2Items& items) {
  store::CTranslate2Output output{
      .spec = items.spec, .revision = items.revision, .variables = {}, .aliases = items.aliases};
  for (const auto& [name, variable] : items.variables) {
    output.variables[name] = {variable.type, variable.shape,
                              [bytes = variable.bytes](const auto& write) { write(bytes); }};
  }
  std::string file;
  store::write_ctranslate2(output, [&](std::string_view bytes) { file += bytes; });
  return file;
}

/// An array of a Marian file; type 0x404 is float32.
struct MarianItem {
  std::string name;
  std::uint64_t type = 0x404;
  std::vector<std::int32_t> shape;
  std::string data;
};
inline std::string marian_binary_of(const std::vector<MarianItem>& items) {
  std::string headers = bytes_of<std::uint64_t>(1) + bytes_of<std::uint64_t>(items.size());
  std::string names, shapes, data;
  for (const auto& item : items) {
    headers += bytes_of<std::uint64_t>(item.name.size() + 1) + bytes_of(item.type) +
               bytes_of<std::uint64_t>(item.shape.size()) +
               bytes_of<std::uint64_t>(item.data.size());
    names += item.name + '\0';
    shapes += bytes_of(item.shape);
    data += item.data;
  }
  return headers + names + shapes + bytes_of<std::uint64_t>(3) + std::string(3, '\0') + data;
}

/// The parts of a pickle of protocol 2.
namespace pickled {
inline std::string text(std::string_view value) {
  return "X" + bytes_of(static_cast<std::uint32_t>(value.size())) + std::string(value);
}
inline std::string number(std::int32_t value) {
  return "J" + bytes_of(value);
}
inline std::string tuple(const std::vector<std::string>& items) {
  std::string out = "(";
  for (const auto& item : items) out += item;
  return out + "t";
}
inline std::string sizes(const std::vector<std::int32_t>& values) {
  std::vector<std::string> items;
  for (const auto value : values) items.push_back(number(value));
  return tuple(items);
}
inline std::string dictionary(const Entries& items) {
  std::string out = "}(";
  for (const auto& [key, value] : items) out += text(key) + value;
  return out + "u";
}
/// A tensor with the elements of the storage `key`.
inline std::string tensor(std::string_view key, const std::vector<std::int32_t>& shape,
                          const std::vector<std::int32_t>& strides) {
  const std::string storage =
      tuple({text("storage"), "ctorch\nFloatStorage\n", text(key), text("cpu"), number(0)}) + "Q";
  return "ctorch._utils\n_rebuild_tensor_v2\n" +
         tuple({storage, number(0), sizes(shape), sizes(strides), "\x89", "}"}) + "R";
}
inline std::string file(const std::string& value) {
  return "\x80\x02" + value + ".";
}
}  // namespace pickled

/// A file of torch.save(): a pickled value, and the elements of storages by key.
using Storages = std::vector<std::pair<std::string, std::vector<float>>>;
inline std::string torch_zip_of(const std::string& value, const Storages& storages) {
  Entries entries = {{"model/data.pkl", pickled::file(value)}};
  for (const auto& [key, values] : storages)
    entries.emplace_back("model/data/" + key, bytes_of(values));
  return zip_of(entries);
}
inline std::string torch_legacy_of(const std::string& value, const Storages& storages) {
  std::string keys = "](", data;
  for (const auto& [key, values] : storages) {
    keys += pickled::text(key);
    data += bytes_of<std::uint64_t>(values.size()) + bytes_of(values);
  }
  return "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19." +
         pickled::file(pickled::number(1001)) + pickled::file("}") + pickled::file(value) +
         pickled::file(keys + "e") + data;
}

}  // namespace awend::tests

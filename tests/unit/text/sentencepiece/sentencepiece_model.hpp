// A SentencePiece model of eight pieces, written by hand as its protocol buffer: what the tests
// have where the conformance data is not at hand.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace awend::tests {

enum class ModelKind { kUnigram = 1, kBpe = 2, kWord = 3, kCharacter = 4 };

inline std::string bytes_field(int number, std::string_view bytes) {
  std::string field{static_cast<char>(number << 3 | 2)};
  for (std::size_t size = bytes.size();; size >>= 7) {
    field += static_cast<char>((size & 0x7F) | (size > 0x7F ? 0x80 : 0));
    if (size <= 0x7F) break;
  }
  return field.append(bytes);
}

inline std::string piece_field(std::string_view text, float score, int type) {
  std::string piece = bytes_field(1, text);
  piece += '\x15';
  const auto bits = std::bit_cast<std::uint32_t>(score);
  for (int i = 0; i < 4; ++i) piece += static_cast<char>(bits >> (8 * i));
  if (type != 1) piece += {'\x18', static_cast<char>(type)};
  return bytes_field(1, piece);
}

/// A normalizer's table whose only rule makes A an a, as a double array of two blocks.
inline std::string small_charsmap() {
  constexpr std::uint32_t kSize = 512;
  std::string table;
  const auto add = [&](std::uint32_t number) {
    for (int i = 0; i < 4; ++i) table += static_cast<char>(number >> (8 * i));
  };
  add(kSize * 4);
  for (std::uint32_t at = 0; at < kSize; ++at) {
    if (at == 0)
      add(256u << 10);  // the root's children begin at 256
    else if (at == (256u ^ 'A'))
      add('A' | 1u << 8 | (at ^ 2u) << 10);  // its value lies at 2
    else if (at == 2)
      add(1u << 31);  // the first of the texts
    else
      add(at == (256u ^ 1u) ? 3u : 1u);  // labels at wrong positions
  }
  table += std::string_view("a\0", 2);
  return table;
}

inline std::string small_model(ModelKind kind) {
  std::string model =
      piece_field("<unk>", 0, 2) + piece_field("<s>", 0, 3) + piece_field("</s>", 0, 3);
  const bool words = kind == ModelKind::kWord;
  model += piece_field("▁a", -1, 1) + piece_field(words ? "▁b" : "b", -2, 1) +
           piece_field("▁", -3, 1) + piece_field("a", -4, 1) + piece_field("\n", 0, 4);
  model += bytes_field(2, std::string("\x18") + static_cast<char>(kind));
  model += bytes_field(3, bytes_field(1, "small") + bytes_field(2, small_charsmap()));
  return model;
}

/// The same without `</s>`, as spm_train --eos_id=-1 leaves it out.
inline std::string small_model_without_end(ModelKind kind) {
  std::string model = small_model(kind);
  const std::string end = piece_field("</s>", 0, 3);
  return model.erase(model.find(end), end.size());
}

}  // namespace awend::tests

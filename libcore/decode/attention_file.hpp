// Attention of translated lines as a file that pictures are made of: JSON, a line for each line
// (man/awend-attention.5).  Test: tests/unit/decode/attention_file_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "store/attention_file.hpp"

namespace awend::decode {

/// What is known of one line; tokens without the ends.
struct AttentionLine {
  std::uint64_t line;  ///< From 0.
  std::span<const std::string_view> source, target;
  const Attentions& attentions;
};

/// The first line of the file.
std::string attention_header(const store::AttentionLayout& layout);

/// A line of it.
std::string to_json(const AttentionLine& line);

}  // namespace awend::decode

#include "data/pair_reader.hpp"

#include "base/error.hpp"

namespace awend::data {
namespace {

constexpr std::size_t kChunkBytes = 2 * base::LineChunkReader::kChunkBytes;

/// The bytes of lines in memory, including their ends, so that empty lines count as well.
std::size_t bytes_of(const base::LineChunk& chunk) {
  return chunk.text.size() + chunk.size() * sizeof(chunk.ends[0]);
}

void add(std::string_view line, base::LineChunk& chunk) {
  chunk.text += line;
  chunk.ends.push_back(chunk.text.size());
}

/// Reads to the end, and returns the number of lines.
std::uint64_t count_lines(base::LineReader& reader) {
  std::string_view line;
  while (reader.next(line)) continue;
  return reader.line_number();
}

}  // namespace

std::optional<PairLines> PairReader::next() {
  PairLines lines;
  lines.source.first_number = lines.target.first_number = source_.line_number() + 1;
  while (bytes_of(lines.source) + bytes_of(lines.target) < kChunkBytes) {
    std::string_view line;
    const bool has_source = source_.next(line);
    if (has_source) add(line, lines.source);
    if (!target_) {
      if (!has_source) break;
      continue;
    }
    const bool has_target = target_->next(line);
    if (has_source != has_target) fail_unequal();
    if (!has_target) break;
    add(line, lines.target);
  }
  lines.source.end_bytes = source_.position_bytes();
  if (target_) lines.target.end_bytes = target_->position_bytes();
  return lines.source.size() == 0 ? std::nullopt : std::optional(std::move(lines));
}

void PairReader::fail_unequal() {
  const auto source_lines = count_lines(source_);
  const auto target_lines = count_lines(*target_);
  base::fail(source_.name(), " has ", source_lines, " lines, but ", target_->name(), " has ",
             target_lines);
}

}  // namespace awend::data

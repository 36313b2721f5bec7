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
}  // namespace

std::optional<PairLines> PairReader::next() {
  PairLines lines;
  const auto bytes = [&] {
    return bytes_of(lines.source) + bytes_of(lines.target) + bytes_of(lines.alignments);
  };
  for (auto* chunk : {&lines.source, &lines.target, &lines.alignments})
    chunk->first_number = source_.line_number() + 1;
  for (bool has_source = true; has_source && bytes() < kChunkBytes;) {
    std::string_view line;
    has_source = source_.next(line);
    if (has_source) add(line, lines.source);
    read_next(has_source, target_, lines.target);
    read_next(has_source, alignments_, lines.alignments);
  }
  lines.source.end_bytes = source_.position_bytes();
  if (target_) lines.target.end_bytes = target_->position_bytes();
  if (alignments_) lines.alignments.end_bytes = alignments_->position_bytes();
  return lines.source.size() == 0 ? std::nullopt : std::optional(std::move(lines));
}

void PairReader::read_next(bool has_source, std::optional<base::LineReader>& from,
                           base::LineChunk& to) {
  if (!from) return;
  std::string_view line;
  if (from->next(line) != has_source) fail_unequal(*from);
  if (has_source) add(line, to);
}

void PairReader::fail_unequal(base::LineReader& other) {
  const auto source_lines = base::count_lines(source_);
  const auto other_lines = base::count_lines(other);
  base::fail(source_.name(), " has ", source_lines, " lines, but ", other.name(), " has ",
             other_lines);
}

}  // namespace awend::data

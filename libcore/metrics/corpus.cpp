#include "metrics/corpus.hpp"

#include <algorithm>
#include <span>

#include "base/error.hpp"

namespace awend::metrics {
namespace {

constexpr std::size_t kChunkSegments = 256;
constexpr std::size_t kChunkBytes = 256 * 1024;  // exceeded if lines are long

// The allowed fields of a line: one for each column, or more, which are part of the last column, as
// in references of sacreBLEU.
enum class Fields { kExact, kOrMore };

// Appends the fields of a line to the columns.
void add_fields(const base::LineReader& reader, std::string_view line, Fields fields,
                std::span<Column> columns) {
  if (columns.size() == 1) return columns.front().add(line);
  const auto found = static_cast<std::size_t>(std::ranges::count(line, '\t')) + 1;
  if (found < columns.size() || (found > columns.size() && fields == Fields::kExact)) {
    base::fail(reader.place(), ": expected ", columns.size(), " fields with tabs between, found ",
               found);
  }
  for (auto& column : columns.first(columns.size() - 1)) {
    const auto end = line.find('\t');
    column.add(line.substr(0, end));
    line.remove_prefix(end + 1);
  }
  columns.back().add(line);
}

}  // namespace

CorpusReader::CorpusReader(const CorpusFiles& files)
    : system_columns_(files.system_columns), reference_columns_(files.reference_columns) {
  for (const auto& path : files.systems) systems_.emplace_back(path, files.policy);
  for (const auto& path : files.references) references_.emplace_back(path, files.policy);
  if (files.source) source_.emplace_back(*files.source, files.policy);
  base::check(!systems_.empty(), "a corpus has systems");
}

std::optional<CorpusChunk> CorpusReader::next() {
  CorpusChunk chunk;
  chunk.first_number = segments_ + 1;
  chunk.systems.resize(systems());
  chunk.references.resize(references_.size() * reference_columns_);
  std::vector<Column> source(source_.size());
  std::size_t bytes = 0;
  while (chunk.size() < kChunkSegments && bytes < kChunkBytes && read_segment(chunk, source)) {
    bytes += chunk.systems.front()[chunk.size() - 1].size();
    ++segments_;
  }
  chunk.end_bytes = position_bytes();
  if (!source.empty()) chunk.source = std::move(source.front());
  return chunk.size() == 0 ? std::nullopt : std::optional(std::move(chunk));
}

std::vector<std::string> CorpusReader::files_with_marks() const {
  std::vector<std::string> names;
  for (const auto* readers : {&systems_, &references_, &source_}) {
    for (const auto& reader : *readers) {
      if (reader.has_mark()) names.push_back(reader.name());
    }
  }
  return names;
}

std::uint64_t CorpusReader::position_bytes() const {
  std::uint64_t sum_bytes = 0;
  for (const auto& reader : systems_) sum_bytes += reader.position_bytes();
  for (const auto& reader : references_) sum_bytes += reader.position_bytes();
  for (const auto& reader : source_) sum_bytes += reader.position_bytes();
  return sum_bytes;
}

bool CorpusReader::read_segment(CorpusChunk& chunk, std::vector<Column>& source) {
  std::string_view line;
  const bool more = systems_.front().next(line);
  if (more)
    add_fields(systems_.front(), line, Fields::kExact,
               std::span(chunk.systems).first(system_columns_));
  const auto read_others = [&](std::vector<base::LineReader>& readers, std::size_t first,
                               std::vector<Column>& columns, std::size_t width, Fields fields) {
    for (std::size_t i = first; i < readers.size(); ++i) {
      if (readers[i].next(line) != more) fail_on_counts(readers[i]);
      if (more) add_fields(readers[i], line, fields, std::span(columns).subspan(i * width, width));
    }
  };
  read_others(references_, 0, chunk.references, reference_columns_, Fields::kOrMore);
  read_others(systems_, 1, chunk.systems, system_columns_, Fields::kExact);
  read_others(source_, 0, source, 1, Fields::kExact);
  return more;
}

void CorpusReader::fail_on_counts(base::LineReader& other) {
  const auto expected = base::count_lines(systems_.front()), found = base::count_lines(other);
  base::fail(other.name(), ": ", found, " lines, but ", systems_.front().name(), " has ", expected);
}

}  // namespace awend::metrics

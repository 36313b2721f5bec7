// Counting the words of build-vocab's texts, with its limits of threads and memory.
// Test: tests/cli/build_vocab.sh.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/line_chunks.hpp"
#include "base/parallel.hpp"
#include "base/report.hpp"
#include "base/spill.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "filter_options.hpp"
#include "text/learn/word_counts.hpp"

namespace awend::tools {

struct Reading {
  const cli::Options& options;
  const base::Report& report;
  unsigned threads;
};

// Calls add(worker, line) for the lines of all texts, with one thread per worker, and
// at_chunk(worker) after each chunk of lines.
template <class Add, class AtChunk>
void for_each_line(const Reading& reading, const Add& add, const AtChunk& at_chunk) {
  const auto files = input_files(reading.options);
  cli::Progress progress(reading.report, {.what = "counting", .unit = "lines", .inputs = files});
  std::uint64_t lines = 0, bytes = 0;
  struct Counted {
    std::size_t lines;
    std::uint64_t end_bytes;
  };
  for (const std::string& file : files) {
    base::LineReader reader(file, text_policy_of(reading.options));
    base::LineChunkReader chunks(reader);
    const auto transform = [&](unsigned worker, const base::LineChunk& chunk) {
      for (std::size_t i = 0; i < chunk.size(); ++i) add(worker, chunk.line(i));
      at_chunk(worker);
      return Counted{chunk.size(), chunk.end_bytes};
    };
    const auto consume = [&](const Counted& counted) {
      lines += counted.lines;
      progress.update({.done = lines, .bytes = bytes + counted.end_bytes});
    };
    base::ordered_map<base::LineChunk, Counted>(
        reading.threads, {[&] { return chunks.next(); }, transform, consume});
    bytes += reader.position_bytes();
    warn_of_input(reading.report, reader);
  }
}

// State shared by counting and learning: settings and memory.
struct Counting {
  text::CountSettings settings;
  std::unique_ptr<base::SpillResource> memory;

  explicit Counting(const cli::Options& options);

  /// The words of all texts.
  text::WordList count(const cli::Options& options, const base::Report& report) const;
  /// The words of these lines.
  text::WordList count(std::span<const std::string> lines, const base::Report& report) const;

 private:
  text::WordList finish(text::WordCounter& counter, const base::Report& report) const;
};

}  // namespace awend::tools

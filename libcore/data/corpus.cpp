#include "data/corpus.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/lines.hpp"

namespace awend::data {
namespace {

/// One file of the two, line by line.
class Side {
 public:
  Side(const std::string& path, const text::Vocabulary& vocabulary)
      : reader_(path), vocabulary_(vocabulary) {}

  bool next() {
    std::string_view line;
    if (!reader_.next(line)) return false;
    ids_.clear();
    const auto unknown = append_ids(line, vocabulary_, ids_);
    first_unknown_.assign(unknown);
    return true;
  }

  /// Reads on to the end, and says how many lines there were.
  std::uint64_t count_lines() {
    std::string_view line;
    while (reader_.next(line)) continue;
    return reader_.line_number();
  }

  const std::vector<std::uint32_t>& ids() const { return ids_; }
  const std::string& name() const { return reader_.name(); }

  void count(CorpusCounts& counts) const {
    counts.pieces += ids_.size();
    counts.unknown_pieces += static_cast<std::uint64_t>(
        std::count(ids_.begin(), ids_.end(), vocabulary_.unknown()));
    if (counts.first_unknown.empty() && !first_unknown_.empty()) {
      counts.first_unknown =
          base::concat(reader_.name(), ":", reader_.line_number(), ": ", first_unknown_);
    }
  }

 private:
  base::LineReader reader_;
  const text::Vocabulary& vocabulary_;
  std::vector<std::uint32_t> ids_;
  std::string first_unknown_;
};

[[noreturn]] void fail_unequal(Side& source, Side& target) {
  const auto source_lines = source.count_lines();
  const auto target_lines = target.count_lines();
  base::fail(source.name(), " has ", source_lines, " lines, but ", target.name(), " has ",
             target_lines);
}

void add_pair(const Side& source, const Side& target, std::size_t longest_ids, Corpus& corpus) {
  ++corpus.counts.lines;
  if (source.ids().empty() || target.ids().empty()) {
    ++corpus.counts.empty_pairs;
  } else if (std::max(source.ids().size(), target.ids().size()) > longest_ids) {
    ++corpus.counts.long_pairs;
  } else {
    corpus.pairs.source.add(source.ids());
    corpus.pairs.target.add(target.ids());
    source.count(corpus.counts);
    target.count(corpus.counts);
  }
}

}  // namespace

std::string_view append_ids(std::string_view line, const text::Vocabulary& vocabulary,
                            std::vector<std::uint32_t>& ids) {
  std::string_view first_unknown;
  while (!line.empty()) {
    const auto piece = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(piece.size() + 1, line.size()));
    if (piece.empty()) continue;
    const auto id = vocabulary.id(piece);
    const bool is_known = !vocabulary.is_special(id);
    ids.push_back(is_known ? id : vocabulary.unknown());
    if (!is_known && first_unknown.empty()) first_unknown = piece;
  }
  return first_unknown;
}

Corpus read_corpus(const CorpusFiles& files, const text::Vocabulary& vocabulary,
                   std::uint32_t longest_tokens) {
  base::check(longest_tokens > 0, "a sentence has at least its end");
  if (files.source == "-" && files.target == "-") {
    throw base::UsageError("source and target cannot both be standard input");
  }
  Corpus corpus;
  corpus.pairs.end_of_sentence = vocabulary.end_of_sentence();
  Side source(files.source, vocabulary);
  Side target(files.target, vocabulary);
  while (true) {
    const bool has_source = source.next();
    const bool has_target = target.next();
    if (has_source != has_target) fail_unequal(source, target);
    if (!has_source) break;
    add_pair(source, target, longest_tokens - 1, corpus);
  }
  if (corpus.pairs.size() == 0) {
    base::fail(source.name(), ", ", target.name(),
               ": no pair of sentences left: ", corpus.counts.lines, " lines, ",
               corpus.counts.empty_pairs, " of them empty, ", corpus.counts.long_pairs,
               " longer than ", longest_tokens - 1, " pieces");
  }
  return corpus;
}

}  // namespace awend::data

#include "data/corpus.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/parallel.hpp"
#include "data/fingerprint.hpp"
#include "data/labels.hpp"
#include "data/pair_reader.hpp"
#include "text/spaced_words.hpp"
#include "text/word_alignment.hpp"

namespace awend::data {
namespace {

/// Converts lines into ids; shared by all threads.
class Encoder {
 public:
  Encoder(const PairReader& reader, const EncodeSettings& settings)
      : reader_(reader), settings_(settings), labels_(settings.labeling.labels) {}

  EncodedPairs encode(const PairLines& lines) const {
    EncodedPairs encoded;
    encoded.ids.reserve(lines.source.text.size() / 2);
    for (std::size_t i = 0; i < lines.source.size(); ++i) encode_pair(lines, i, encoded);
    encoded.counts.lines = lines.source.size();
    encoded.end_bytes =
        lines.source.end_bytes + lines.target.end_bytes + lines.alignments.end_bytes;
    return encoded;
  }

 private:
  void encode_pair(const PairLines& lines, std::size_t i, EncodedPairs& encoded) const {
    auto& [ids, lengths, words, counts, end_bytes] = encoded;
    const std::size_t begin = ids.size();
    const auto unknown_source = append_source(lines, i, ids);
    const std::size_t middle = ids.size();
    check_source(std::span(ids).subspan(begin), lines.source.first_number + i);
    const auto unknown_target = append_target(lines, i, ids, middle - begin);
    const std::size_t end = ids.size();
    check_target(std::span(ids).subspan(middle), lines.target.first_number + i);
    if (reader_.has_alignments())
      append_links(lines, i, {.source = middle - begin, .target = end - middle}, ids);
    const auto source = std::span(ids).subspan(begin, middle - begin);
    const auto target = std::span(ids).subspan(middle, end - middle);
    const auto links = std::span(ids).subspan(end);
    const bool is_running = settings_.labeling.kind == CorpusKind::kRunning;
    const bool is_empty = source.empty() || (target.empty() && !is_running);
    if (is_empty || std::max(source.size(), target.size()) >= settings_.longest_tokens) {
      ++(is_empty ? counts.empty_pairs : counts.long_pairs);
      ids.resize(begin);
      if (!is_running) return;
      lengths.insert(lengths.end(), 2, 0);  // the end of a document
      words.push_back(pair_word({}, {}));
      return;
    }
    lengths.push_back(static_cast<std::uint32_t>(source.size()));
    lengths.push_back(static_cast<std::uint32_t>(target.size()));
    words.push_back(pair_word(source, target));
    if (reader_.has_alignments()) {
      lengths.push_back(static_cast<std::uint32_t>(links.size()));
      words.back() = aligned_word(words.back(), links);
    }
    add_pieces(source, settings_.vocabularies.source, counts.source);
    if (settings_.labeling.kind == CorpusKind::kPairs)
      add_pieces(target, settings_.vocabularies.target, counts.target);
    const bool is_known = unknown_source.empty() && unknown_target.empty();
    if (is_known || !counts.first_unknown.empty()) return;
    const bool in_source = !unknown_source.empty();
    counts.first_unknown = base::concat(in_source ? reader_.source_name() : reader_.target_name(),
                                        ':', lines.source.first_number + i, ": ",
                                        in_source ? unknown_source : unknown_target);
  }

  static void add_pieces(std::span<const std::uint32_t> side, const text::Vocabulary& vocabulary,
                         SideCounts& counts) {
    counts.pieces += side.size();
    counts.unknown += static_cast<std::uint64_t>(std::ranges::count(side, vocabulary.unknown()));
  }

  void check_source(std::span<const std::uint32_t> source, std::uint64_t number) const {
    if (!settings_.pair_check || source.empty()) return;
    if (const auto problem = settings_.pair_check->source_problem(source))
      base::fail(reader_.source_name(), ':', number, ": ", *problem);
  }

  void check_target(std::span<const std::uint32_t> target, std::uint64_t number) const {
    if (!settings_.pair_check || target.empty()) return;
    if (const auto problem = settings_.pair_check->target_problem(target))
      base::fail(reader_.target_name(), ':', number, ": ", *problem);
  }

  struct PairLengths {
    std::size_t source, target;
  };
  /// Appends the numbers of the linked tokens.
  void append_links(const PairLines& lines, std::size_t i, const PairLengths& pair,
                    std::vector<std::uint32_t>& ids) const {
    const auto place =
        base::concat(reader_.alignments_name(), ':', lines.alignments.first_number + i);
    const auto alignment = base::with_name(
        place, [&] { return text::parse_word_alignment(lines.alignments.line(i)); });
    if (!alignment.possible.empty()) {
      const auto& [source, target] = alignment.possible.front();
      base::fail(place, ": a possible link of ", source, " and ", target,
                 "; expected only sure links, such as ", source, '-', target);
    }
    for (const auto& [source, target] : alignment.sure) {
      if (source >= pair.source || target >= pair.target) {
        base::fail(place, ": the link ", source, '-', target, " is outside of the pair, which has ",
                   pair.source, " source and ", pair.target, " target tokens");
      }
      ids.insert(ids.end(), {source, target});
    }
  }

  /// These return the first unknown piece, as append_ids().
  std::string_view append_source(const PairLines& lines, std::size_t i,
                                 std::vector<std::uint32_t>& ids) const {
    const auto line = lines.source.line(i);
    const auto kind = settings_.labeling.kind;
    const bool has_segments = kind != CorpusKind::kPairs && kind != CorpusKind::kRunning;
    if (!has_segments) return append_ids(line, settings_.vocabularies.source, ids);
    return base::with_name(
        base::concat(reader_.source_name(), ':', lines.source.first_number + i), [&] {
          return append_segments(line, settings_.vocabularies.source, settings_.labeling, ids);
        });
  }

  std::string_view append_target(const PairLines& lines, std::size_t i,
                                 std::vector<std::uint32_t>& ids, std::size_t source_tokens) const {
    const auto kind = settings_.labeling.kind;
    if (kind == CorpusKind::kRunning) return {};
    if (kind == CorpusKind::kPairs)
      return append_ids(lines.target.line(i), settings_.vocabularies.target, ids);
    const auto source = std::span(ids).last(source_tokens);
    if (kind == CorpusKind::kSpans) {
      if (source_tokens > 0) append_answer(lines, i, ids, source);
      return {};
    }
    const auto separators =
        static_cast<std::size_t>(std::ranges::count(source, settings_.labeling.separator));
    const std::size_t expected = kind == CorpusKind::kLabeledLines ? 1 : source_tokens - separators;
    const std::size_t begin = ids.size();
    const auto place = [&] {
      return base::concat(reader_.target_name(), ':', lines.target.first_number + i, ": ");
    };
    text::for_each_word(lines.target.line(i), [&](std::string_view label) {
      const auto id = labels_.find(label);
      if (!id) base::fail(place(), "the label '", label, "' does not occur in training");
      ids.push_back(*id);
    });
    const std::size_t labels = ids.size() - begin;
    if (labels != expected && source_tokens > 0) {
      base::fail(place(), "expected ", expected,
                 kind == CorpusKind::kLabeledLines ? " label for the line" : " labels of tokens",
                 ", got ", labels);
    }
    return {};
  }

  /// `source` is a part of `ids`.
  void append_answer(const PairLines& lines, std::size_t i, std::vector<std::uint32_t>& ids,
                     std::span<const std::uint32_t> source) const {
    const auto separator = std::ranges::find(source, settings_.labeling.separator);
    if (separator == source.end()) {
      base::fail(reader_.source_name(), ':', lines.source.first_number + i,
                 ": expected a question and a passage with a tab between them");
    }
    const auto passage =
        static_cast<std::uint32_t>(source.end() - separator) - settings_.labeling.separators;
    const auto place =
        base::concat(reader_.target_name(), ':', lines.target.first_number + i, ": ");
    const auto line = lines.target.line(i);
    std::vector<std::uint32_t> ends;
    text::for_each_word(line, [&](std::string_view word) {
      const auto number = base::find_number<std::uint32_t>(word);
      if (!number) base::fail(place, "expected numbers of tokens, got '", word, "'");
      ends.push_back(*number);
    });
    if (ends.size() != 2)
      base::fail(place, "expected the first and the last token of an answer, got '", line, "'");
    const bool has_none = ends[0] == kNoAnswer && ends[1] == kNoAnswer;
    if (!has_none && (ends[0] == 0 || ends[0] > ends[1] || ends[1] > passage)) {
      base::fail(place, "an answer from token ", ends[0], " to ", ends[1],
                 " is not in the passage of ", passage, " tokens");
    }
    ids.insert(ids.end(), ends.begin(), ends.end());
  }

  const PairReader& reader_;
  const EncodeSettings& settings_;
  LabelIds labels_;
};

[[noreturn]] void fail_without_pairs(const PairReader& reader, const EncodeSettings& settings,
                                     const CorpusCounts& counts) {
  const bool has_target = settings.labeling.kind != CorpusKind::kRunning;
  base::fail(reader.source_name(), has_target ? ", " + reader.target_name() : "",
             ": no pair of sentences left: ", counts.lines, " lines, ", counts.empty_pairs,
             " of them empty, ", counts.long_pairs, " longer than ", settings.longest_tokens - 1,
             " pieces");
}

}  // namespace

void CorpusCounts::add(const CorpusCounts& later) {
  lines += later.lines;
  empty_pairs += later.empty_pairs;
  long_pairs += later.long_pairs;
  source.pieces += later.source.pieces;
  source.unknown += later.source.unknown;
  target.pieces += later.target.pieces;
  target.unknown += later.target.unknown;
  if (first_unknown.empty()) first_unknown = later.first_unknown;
}

std::string_view append_ids(std::string_view line, const text::Vocabulary& vocabulary,
                            std::vector<std::uint32_t>& ids) {
  std::string_view first_unknown;
  text::for_each_word(line, [&](std::string_view piece) {
    const auto id = vocabulary.id(piece);
    const bool is_known = !vocabulary.is_special(id);
    ids.push_back(is_known ? id : vocabulary.unknown());
    if (!is_known && first_unknown.empty()) first_unknown = piece;
  });
  return first_unknown;
}

std::string_view append_segments(std::string_view line, const text::Vocabulary& vocabulary,
                                 const Labeling& labeling, std::vector<std::uint32_t>& ids) {
  const auto tab = std::min(line.find('\t'), line.size());
  auto unknown = append_ids(line.substr(0, tab), vocabulary, ids);
  if (tab == line.size()) return unknown;
  const auto second = line.substr(tab + 1);
  if (second.find('\t') != std::string_view::npos)
    base::fail("expected one or two segments, got another tab");
  ids.insert(ids.end(), labeling.separators, labeling.separator);
  const auto unknown_second = append_ids(second, vocabulary, ids);
  return unknown.empty() ? unknown_second : unknown;
}

CorpusCounts encode_corpus(const CorpusFiles& files, const EncodeSettings& settings,
                           const std::function<void(const EncodedPairs&)>& take) {
  base::check(settings.longest_tokens > 0, "a sentence has at least its end token");
  base::check(settings.longest_tokens <= kLongestSentence, "a length fits its 16 bits");
  if (files.source == "-" && files.target == "-") {
    throw base::UsageError("source and target cannot both be standard input");
  }
  PairReader reader(files);
  const Encoder encoder(reader, settings);
  CorpusCounts counts;
  base::ordered_map<PairLines, EncodedPairs>(
      settings.threads,
      {.produce = [&] { return reader.next(); },
       .transform = [&](unsigned, const PairLines& lines) { return encoder.encode(lines); },
       .consume =
           [&](const EncodedPairs& pairs) {
             take(pairs);
             counts.add(pairs.counts);
             if (settings.progress) settings.progress(counts.lines, pairs.end_bytes);
           }});
  counts.removed_marks = reader.removed_marks();
  if (counts.pairs() == 0) fail_without_pairs(reader, settings, counts);
  if (settings.judge) settings.judge(counts);
  return counts;
}

Corpus read_corpus(const CorpusFiles& files, const EncodeSettings& settings) {
  Corpus corpus;
  auto& pairs_of_corpus = corpus.pairs;
  pairs_of_corpus.end_of_sentence = settings.vocabularies.target.end_of_sentence();
  std::vector<Sentences*> sides{&pairs_of_corpus.source, &pairs_of_corpus.target};
  if (!files.alignments.empty()) sides.push_back(&pairs_of_corpus.alignments.emplace());
  corpus.counts = encode_corpus(files, settings, [&](const EncodedPairs& pairs) {
    std::span<const std::uint32_t> rest = pairs.ids;
    for (std::size_t i = 0; i < pairs.lengths.size(); ++i) {
      sides[i % sides.size()]->add(rest.first(pairs.lengths[i]));
      rest = rest.subspan(pairs.lengths[i]);
    }
  });
  return corpus;
}

}  // namespace awend::data

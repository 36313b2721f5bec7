#include "train/corpora.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/format.hpp"

namespace awend::train {
namespace {

constexpr double kSuspiciousShare = 0.01;
constexpr double kHopelessShare = 0.5;

void warn_of_long(const data::CorpusFiles& files, const data::CorpusCounts& counts,
                  std::uint32_t longest_tokens, const base::Report& report) {
  if (counts.long_pairs == 0) return;
  const bool has_targets = !files.target.empty();
  report.warning(base::concat(data::names_of(files), ": ", counts.long_pairs, " of ", counts.lines,
                              has_targets ? " pairs left out, a side has more than "
                                          : " sentences left out, they have more than ",
                              longest_tokens - 1, " pieces"));
}

/// How one text is encoded.
struct TextSettings {
  const data::CorpusFiles& files;
  const text::Vocabularies& vocabularies;
  std::uint32_t longest_tokens;
  const std::optional<data::PairCheck>& pair_check;
  const data::Labeling& labeling;
};

// The masks of validation texts are the same in all runs.
constexpr std::uint64_t kValidationSeed = 1;

data::ExampleSettings for_validation(data::ExampleSettings settings) {
  settings.masking.seed = kValidationSeed;
  return settings;
}

/// `text`, `report` and `view` must outlive the settings.
data::EncodeSettings encode_settings(const TextSettings& text, const base::Report& report,
                                     TaskView& view) {
  return {.vocabularies = text.vocabularies,
          .longest_tokens = text.longest_tokens,
          .labeling = text.labeling,
          .progress = [&](std::uint64_t lines,
                          std::uint64_t bytes) { view.update({.done = lines, .bytes = bytes}); },
          .judge =
              [&](const data::CorpusCounts& counts) {
                judge(text.files, counts, report);
                warn_of_long(text.files, counts, text.longest_tokens, report);
              },
          .pair_check = text.pair_check};
}

double share_unknown(const data::SideCounts& side) {
  return static_cast<double>(side.unknown) /
         static_cast<double>(std::max<std::uint64_t>(side.pieces, 1));
}

}  // namespace

void judge(const data::CorpusFiles& files, const data::CorpusCounts& counts,
           const base::Report& report) {
  const auto names = data::names_of(files);
  const double of_source = share_unknown(counts.source), of_target = share_unknown(counts.target);
  report.note(base::concat(names, ": ", counts.lines, " pairs, ",
                           counts.source.pieces + counts.target.pieces, " pieces, ",
                           counts.empty_pairs, " pairs with an empty side left out, ",
                           base::percent(of_source, 1), " of the pieces of the source and ",
                           base::percent(of_target, 1), " of the target unknown"));
  if (counts.removed_marks > 0)
    report.note(base::concat(names, ": removed ", counts.removed_marks, " byte order marks"));
  const double share = std::max(of_source, of_target);
  if (share <= kSuspiciousShare) return;
  const auto what = base::concat(of_source < of_target ? files.target : files.source, ": ",
                                 base::percent(share, 1), " of the pieces are unknown, the first ",
                                 "of the corpus is ", counts.first_unknown);
  if (share > kHopelessShare) throw base::Error(what + "; the text does not fit the vocabulary");
  report.warning(what);
}

Corpora::Corpora(const CorporaFiles& files, const CorporaSettings& settings,
                 const base::Report& report)
    : end_of_sentence_(settings.vocabularies.target.end_of_sentence()),
      packing_(data::make_packing(settings.vocabularies.target, settings.examples)),
      validation_packing_(
          data::make_packing(settings.vocabularies.target, for_validation(settings.examples))) {
  // One status line for each text; a cached text takes no time.
  const auto encoded = [&](const data::CorpusFiles& text, std::uint32_t longest_tokens,
                           const auto& encode) {
    std::vector<std::string> paths{text.source};
    for (const auto& path : {text.target, text.alignments}) {
      if (!path.empty()) paths.push_back(path);
    }
    const auto view = settings.show_task(
        report, {.what = "encoding", .unit = "pairs", .total_bytes = base::bytes_to_read(paths)});
    const TextSettings text_settings{text, settings.vocabularies, longest_tokens,
                                     settings.pair_check, settings.examples.labeling};
    return encode(encode_settings(text_settings, report, *view));
  };
  if (files.validation) {
    validation_ = encoded(*files.validation, settings.longest_validation,
                          [&](const data::EncodeSettings& encoding) {
                            return data::read_corpus(*files.validation, encoding).pairs;
                          });
  }
  for (const auto& [text, weight] : files.training) {
    training_.push_back({encoded(text, settings.longest_training,
                                 [&](const data::EncodeSettings& encoding) {
                                   return data::CorpusCache::of(text, encoding, settings.cache);
                                 }),
                         weight});
    const auto& cache = training_.back().cache;
    report.note(cache.story());
    if (!cache.warning().empty()) report.warning(cache.warning());
  }
}

data::PairsView Corpora::training() const {
  std::vector<data::CorpusView> views;
  for (const auto& [cache, weight] : training_) views.push_back(cache.view(weight));
  return data::PairsView(std::move(views), end_of_sentence_).packed_by(packing_.get());
}

data::PairsView Corpora::validation_view() const {
  return data::PairsView(*validation_).packed_by(validation_packing_.get());
}

bool Corpora::has_alignments() const {
  return std::ranges::any_of(training().corpora(), [](const data::CorpusView& corpus) {
    return corpus.alignments.has_value();
  });
}

std::uint64_t Corpora::fingerprint() const {
  std::vector<data::WeightedFingerprint> each;
  for (const auto& [cache, weight] : training_) each.push_back({cache.fingerprint(), weight});
  return data::joint_fingerprint(each);
}

}  // namespace awend::train

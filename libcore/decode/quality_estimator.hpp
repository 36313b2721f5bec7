// Scores of translations by a metric that is learned from human scores (COMET), whose features are
// vectors of texts.
//
// The score of a segment does not depend on the other segments, on the batch or on the number of
// threads.  Test: tests/cli/comet.sh.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decode/estimator.hpp"
#include "decode/loaded_encoder.hpp"
#include "decode/sentence_encoder.hpp"
#include "model/config.hpp"
#include "nn/engine.hpp"
#include "store/array_file.hpp"
#include "text/special_tokens.hpp"

namespace awend::decode {

/// The features of a text.
using TextVector = std::vector<float>;

/// The texts of a translation.
struct QualitySegment {
  std::string_view source, translation;
  std::string_view reference = {};  ///< Empty for metrics without one.
};

/// Whether the metric is asked for a score with a reference.
enum class QualityReference { kNone, kGiven };

/// Whether a model can score translations with or without a reference, or why not.
enum class MetricFit { kFits, kNoMetric, kReadsNoReference, kNeedsReference };
MetricFit fit_of(const model::Config& config, QualityReference reference);

class QualityEstimator {
 public:
  struct Settings {
    QualityReference reference = QualityReference::kGiven;
    std::uint32_t batch_tokens = 2048;
    nn::Element precision = nn::Element::kFloat32;
  };
  /// Reads the weights.  The engine and the checkpoint must outlive the object.  Throws Error
  /// naming the checkpoint if it is not a metric that scores so.
  QualityEstimator(nn::Engine& engine, const store::ArrayFile& checkpoint,
                   const Settings& settings);
  ~QualityEstimator();

  /// The number of sequences that were encoded so far.
  std::uint64_t encoded() const { return encoded_; }

  /// The score of each segment.  Texts that occur several times are encoded once.
  std::vector<double> score(std::span<const QualitySegment> segments);

  /// Whether the metric has a vector for each text and reads references, so that it can score all
  /// pairs of some texts without encoding one twice.
  bool encodes_texts_alone() const;
  /// The vector of each text.  Equal texts are encoded once.
  std::vector<TextVector> vectors_of(std::span<const std::string_view> texts);
  /// The score of each translation with each reference, (translations, references), from their
  /// vectors.  Requires: encodes_texts_alone().
  std::vector<double> score(const TextVector& source,
                            std::span<const TextVector* const> translations,
                            std::span<const TextVector* const> references);

 private:
  class Sequences;
  void add(const QualitySegment& segment, Sequences& sequences);
  std::vector<TextVector> encode(const Sequences& sequences);

  text::Ids sequence_of(std::string_view text);
  text::Ids joined(std::span<const std::string_view> texts);

  model::Config config_;
  QualityReference reference_;
  text::Vocabulary vocabulary_;
  data::EncoderIds special_;
  text::TokenCodecModel tokens_;
  text::SpecialTokenCodec codec_;
  LoadedEncoder encoder_;
  Estimator estimator_;
  SentenceEncoder sentences_;
  std::uint64_t encoded_ = 0;
};

}  // namespace awend::decode

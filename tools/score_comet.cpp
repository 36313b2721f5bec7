#include "score_comet.hpp"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/lines.hpp"
#include "base/report.hpp"
#include "decode/device.hpp"
#include "decode/model_files.hpp"
#include "decode/quality_estimator.hpp"
#include "decode/quality_pairs.hpp"
#include "filter_options.hpp"
#include "foreign_model.hpp"
#include "metrics/python_space.hpp"
#include "metrics/real_rows.hpp"
#include "model/checkpoint.hpp"
#include "score_metrics.hpp"
#include "store/digest.hpp"

namespace awend::tools {
namespace {

using decode::QualityEstimator;
using decode::QualityReference;
using decode::QualitySegment;

constexpr std::string_view kComet = "comet", kCometQe = "comet-qe";

bool asks_for(const cli::Options& options, std::string_view metric) {
  const auto names = metric_names(options);
  return std::ranges::find(names, metric) != names.end();
}

void require_fit(decode::MetricFit fit, const std::string& path) {
  using decode::MetricFit;
  if (fit == MetricFit::kNoMetric) {
    base::fail(path,
               ": not a metric; convert one with: convert-model --encoder DIR -o FILE COMET-DIR");
  }
  if (fit == MetricFit::kReadsNoReference)
    base::fail(path, ": a metric without references; use --metric comet-qe");
  if (fit == MetricFit::kNeedsReference)
    base::fail(path, ": a metric with references; use --metric comet");
}

std::string note_of(std::uint64_t encoded) {
  return base::concat("COMET encoded ", encoded, " different texts");
}

/// An estimator for the workers of all threads, which compute in turn.
class SharedEstimator {
 public:
  SharedEstimator(const decode::DeviceOptions& device, const std::string& path,
                  const QualityEstimator::Settings& settings, const base::Report& report)
      : checkpoint_(open_model(path, [&] { return decode::open_checkpoint(path); })) {
    require_fit(decode::fit_of(model::read_config(*checkpoint_), settings.reference), path);
    engine_ = decode::open_device(device, report);
    estimator_.emplace(*engine_, *checkpoint_, settings);
  }

  const store::ArrayFile& checkpoint() const { return *checkpoint_; }
  std::string note() const { return note_of(estimator_->encoded()); }
  /// For a single caller.
  QualityEstimator& unshared() { return *estimator_; }
  std::vector<double> score(std::span<const QualitySegment> segments) {
    const std::lock_guard lock(mutex_);
    return estimator_->score(segments);
  }

 private:
  decode::Checkpoint checkpoint_;
  std::unique_ptr<nn::Engine> engine_;
  std::optional<QualityEstimator> estimator_;
  std::mutex mutex_;
};

/// Scores all segments of a chunk at once.
class CometWorker : public metrics::MetricWorker {
 public:
  CometWorker(SharedEstimator& estimator, QualityReference reference)
      : estimator_(estimator), reference_(reference) {}

  void prepare(const metrics::CorpusChunk& chunk) override {
    base::check(chunk.source.has_value(), "the corpus has a source");
    std::vector<QualitySegment> segments;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      for (const auto& system : chunk.systems) {
        auto& segment = segments.emplace_back();
        segment.source = metrics::python_rstrip((*chunk.source)[i]);
        segment.translation = metrics::python_rstrip(system[i]);
        if (reference_ == QualityReference::kGiven)
          segment.reference = metrics::python_rstrip(chunk.references.front()[i]);
      }
    }
    scores_ = estimator_.score(segments);
    next_ = 0;
  }
  void set_references(std::span<const std::string_view> /*references*/) override {}
  void measure(std::string_view /*hypothesis*/, std::span<std::int64_t> statistics) override {
    statistics[0] = metrics::bits_of(scores_.at(next_++));
    statistics[1] = metrics::bits_of(1);
  }

 private:
  SharedEstimator& estimator_;
  QualityReference reference_;
  std::vector<double> scores_;  // of the segments, each for all systems
  std::size_t next_ = 0;
};

/// The statistics of a segment are its score, and 1.
class CometMetric : public metrics::Metric {
 public:
  CometMetric(std::unique_ptr<SharedEstimator> estimator, QualityReference reference)
      : estimator_(std::move(estimator)), reference_(reference) {}

  std::string name() const override { return needs_references() ? "COMET" : "COMET-QE"; }
  bool needs_references() const override { return reference_ == QualityReference::kGiven; }
  std::size_t width() const override { return 2; }
  bool has_real_rows() const override { return true; }
  using Metric::score;
  metrics::Score score(std::span<const std::int64_t> sums) const override {
    const auto segments = metrics::real_of(sums[1]);
    return {.value = segments == 0 ? 0 : metrics::real_of(sums[0]) / segments};
  }
  std::vector<metrics::SignatureField> signature() const override {
    const auto& checkpoint = estimator_->checkpoint();
    const auto digest = store::stored_digest(checkpoint).value_or("none");
    return {{"model", "m", std::filesystem::path(checkpoint.path()).filename().string()},
            {"digest", "d", digest.substr(digest.find(':') + 1)}};
  }
  std::string note() const override { return estimator_->note(); }
  std::unique_ptr<metrics::MetricWorker> make_worker() const override {
    return std::make_unique<CometWorker>(*estimator_, reference_);
  }

 private:
  std::unique_ptr<SharedEstimator> estimator_;
  QualityReference reference_;
};

std::unique_ptr<SharedEstimator> open_estimator(const cli::Options& options,
                                                QualityReference reference) {
  const base::Report report = cli::report_for(options);
  const QualityEstimator::Settings settings{
      .reference = reference,
      .batch_tokens = options.integer<std::uint32_t>("batch-tokens", {.min = 1, .max = 1 << 24})};
  const decode::DeviceOptions device{.name = options.text("device"),
                                     .threads = threads_of(options)};
  return std::make_unique<SharedEstimator>(device, options.text("model"), settings, report);
}

std::unique_ptr<metrics::Metric> make(const cli::Options& options, QualityReference reference) {
  const bool has_several =
      options.operands().size() > 1 || options.integer("references-in-tsv") > 1;
  if (reference == QualityReference::kGiven && has_several)
    throw base::UsageError("--metric comet takes one reference");
  return std::make_unique<CometMetric>(open_estimator(options, reference), reference);
}

/// The scorer of --mbr.
class OwnedCometPairs : public CometPairs {
 public:
  explicit OwnedCometPairs(std::unique_ptr<SharedEstimator> estimator)
      : estimator_(std::move(estimator)), pairs_(estimator_->unshared()) {}

  void set_source(std::string_view source) override { pairs_.set_source(source); }
  std::string note() const override { return estimator_->note(); }
  void score(std::span<const std::string_view> hypotheses,
             std::span<const std::string_view> references, std::span<double> values) override {
    pairs_.score(hypotheses, references, values);
  }

 private:
  std::unique_ptr<SharedEstimator> estimator_;
  decode::QualityPairs pairs_;
};

}  // namespace

bool needs_source(const cli::Options& options) {
  return asks_for(options, kComet) || asks_for(options, kCometQe);
}

bool needs_references(const cli::Options& options) {
  const auto names = metric_names(options);
  return std::ranges::any_of(names, [](const auto& name) { return name != kCometQe; });
}

void require_equal_line_counts(const metrics::CorpusFiles& files) {
  auto paths = files.systems;
  paths.insert(paths.end(), files.references.begin(), files.references.end());
  paths.push_back(files.source.value());
  std::optional<std::pair<std::string, std::uint64_t>> first;
  for (const auto& path : paths) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) continue;
    base::LineReader reader(path, files.policy);
    const auto lines = base::count_lines(reader);
    if (!first) first = {path, lines};
    if (lines != first->second)
      base::fail(path, ": ", lines, " lines, but ", first->first, " has ", first->second);
  }
}

std::unique_ptr<metrics::Metric> make_comet(const cli::Options& options) {
  return make(options, QualityReference::kGiven);
}

std::unique_ptr<metrics::Metric> make_comet_qe(const cli::Options& options) {
  return make(options, QualityReference::kNone);
}

std::unique_ptr<CometPairs> make_comet_pairs(const cli::Options& options) {
  auto estimator = open_estimator(options, QualityReference::kGiven);
  if (!estimator->unshared().encodes_texts_alone()) {
    base::fail(options.text("model"),
               ": a metric that encodes a translation and a reference together; --mbr comet needs "
               "one that encodes each text alone, such as wmt22-comet-da");
  }
  return std::make_unique<OwnedCometPairs>(std::move(estimator));
}

}  // namespace awend::tools

#include "inspect/curves.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/numbers.hpp"
#include "base/utf8.hpp"
#include "inspect/layout.hpp"
#include "inspect/svg.hpp"
#include "train/scores.hpp"

namespace awend::tools {
namespace {

// Lengths in pixels.
constexpr double kPanelWidth = 440, kPanelHeight = 210;
constexpr double kLeft = 64, kAbove = 46, kBelow = 52, kBetween = 88, kMargin = 28;
constexpr double kLegendLine = 20;
constexpr std::size_t kMaxMarks = 16;  // of a curve

/// A column of the log in a panel.
struct Series {
  std::string column;
  std::string_view name;   // in the panel's legend
  std::string_view style;  // a class of the style sheet: training, validation or second
};

struct Panel {
  std::string_view title;
  Scale scale;
  std::vector<Series> series;
};

using train::ValidationMetric;

/// Scores of the output for the validation text; a log has one of whole answers and one of parts.
std::vector<Series> scores(std::initializer_list<ValidationMetric> metrics) {
  std::vector<Series> series;
  for (const auto metric : metrics) {
    const bool is_whole = metric == ValidationMetric::kBleu ||
                          metric == ValidationMetric::kAccuracy ||
                          metric == ValidationMetric::kExactMatch;
    series.push_back({train::column_of(metric), train::row_of(metric).title,
                      is_whole ? "validation" : "second"});
  }
  return series;
}

const std::vector<Panel>& panels() {
  static const std::vector<Panel> all = {
      {"Loss a token",
       Scale::kLinear,
       {{"loss", "training", "training"}, {"valid_loss", "validation", "validation"}}},
      {"Perplexity",
       Scale::kLogarithmic,
       {{"perplexity", "training", "training"}, {"valid_perplexity", "validation", "validation"}}},
      {"Translations of the validation text", Scale::kLinear,
       scores({ValidationMetric::kBleu, ValidationMetric::kChrf})},
      {"Predictions for the validation text", Scale::kLinear,
       scores({ValidationMetric::kAccuracy, ValidationMetric::kNextSentenceAccuracy,
               ValidationMetric::kF1, ValidationMetric::kExactMatch})},
      {"Learning rate", Scale::kLinear, {{"rate", "", "plain"}}},
      {"Norm of the gradient", Scale::kLogarithmic, {{"gradient_norm", "", "plain"}}},
      {"Target tokens a second", Scale::kLinear, {{"tokens_per_second", "", "plain"}}},
  };
  return all;
}

/// The quantity on the x axis, and its unit.
struct Unit {
  std::string_view name;
  double size;
};

Unit unit_of(Over over, double max) {
  if (over == Over::kStep) return {"updates", 1};
  if (over == Over::kEpoch) return {"epochs", 1};
  if (max < 600) return {"seconds", 1};
  return max < 3 * 3600 ? Unit{"minutes", 60} : Unit{"hours", 3600};
}

struct Range {
  double min = INFINITY, max = -INFINITY;
  void add(double value) {
    min = std::min(min, value);
    max = std::max(max, value);
  }
};

class Drawing {
 public:
  Drawing(const std::vector<RunLog>& logs, Over over)
      : logs_(logs), x_column_(base::word_for(kOverWords, over)) {
    Range range;
    for (const auto& log : logs) {
      for (const auto& [x, same] : points_of(log, x_column_, x_column_, Scale::kLinear))
        range.add(x);
    }
    if (range.min > range.max) range = {0, 0};
    unit_ = unit_of(over, range.max);
    x_.emplace(0, std::max(range.max / unit_.size, 1e-9), Scale::kLinear);
  }

  std::string svg() {
    std::string names;
    for (const auto& log : logs_) names += base::concat(names.empty() ? "" : ", ", log.name);
    const double legend = legend_text();
    std::size_t drawn = 0;
    for (const auto& panel : panels()) {
      const double left =
          kMargin + kLeft + static_cast<double>(drawn % 2) * (kPanelWidth + kBetween);
      const double top =
          legend + kAbove + static_cast<double>(drawn / 2) * (kAbove + kPanelHeight + kBelow);
      drawn += draw(panel, left, top) ? 1 : 0;
    }
    const double width = 2 * kMargin + kLeft + 2 * kPanelWidth + kBetween;
    const double height =
        legend + static_cast<double>((drawn + 1) / 2) * (kAbove + kPanelHeight + kBelow) + 4;
    return svg_document({.title = "Training of " + names,
                         .description = description_,
                         .width = width,
                         .height = height,
                         .body = body_});
  }

 private:
  /// The attribute class of a line of a run: its style and its color.
  static std::string line_class(std::string_view style, std::size_t run) {
    return base::concat("class=\"", style, " s", run % kColors, "\"");
  }

  /// A column of the legend, which ends at `end`.
  struct Fact {
    double end;
    std::string name;
  };

  static std::string shortened(const std::string& name) {
    std::size_t begin = base::count_characters(name) > 52
                            ? name.size() - std::min<std::size_t>(name.size(), 50)
                            : 0;
    while (begin > 0 && begin < name.size() && (name[begin] & 0xC0) == 0x80) ++begin;
    return (begin > 0 ? "…" : "") + name.substr(begin);
  }

  /// A row of names and best validations for each run; returns its end.
  double legend_text() {
    const auto& score = train::row_of(score_of_legend());
    const Fact facts[] = {{500, "updates"},
                          {590, "time"},
                          {790, "lowest validation perplexity"},
                          {1000, base::concat("highest ", score.title)}};
    double y = kMargin + 4;
    for (const auto& fact : facts) body_ += svg_text({fact.end, y, "end"}, fact.name);
    for (std::size_t run = 0; run < logs_.size(); ++run) {
      y += kLegendLine;
      body_ += base::concat("<path d=\"M", coordinate(kMargin), " ", coordinate(y - 4), "h24\" ",
                            line_class("validation", run), "/>\n");
      body_ += svg_mark({kMargin + 12, y - 4}, run);
      const auto& log = logs_[run];
      body_ += svg_text({kMargin + 34, y}, shortened(log.name));
      const auto last = log.rows.back();
      const auto seconds = log.column("seconds");
      const bool is_timed = seconds < last.size() && std::isfinite(last[seconds]);
      const std::string values[] = {tick_label(last[0]), is_timed ? duration(last[seconds]) : "-",
                                    best(log, "valid_perplexity", -1),
                                    best(log, train::column_of(score.value), 1)};
      description_ += base::concat(run > 0 ? "; " : "", log.name, ":");
      for (std::size_t i = 0; i < std::size(values); ++i) {
        body_ += svg_text({facts[i].end, y, "end"}, values[i]);
        description_ += base::concat(i > 0 ? ", " : " ", facts[i].name, " ", values[i]);
      }
    }
    return y + 8;
  }

  /// The first that a log has; BLEU if none has any.
  ValidationMetric score_of_legend() const {
    for (const auto& metric : train::kMetrics) {
      const auto has = [&, column = train::column_of(metric.value)](const RunLog& log) {
        return !points_of(log, "step", column, Scale::kLinear).empty();
      };
      if (metric.better == train::Better::kHigher && std::ranges::any_of(logs_, has))
        return metric.value;
    }
    return ValidationMetric::kBleu;
  }

  /// The minimum (sign -1) or maximum (1) of a column, and its position.
  static std::string best(const RunLog& log, std::string_view column, int sign) {
    const auto points = points_of(log, "step", column, Scale::kLinear);
    if (points.empty()) return "-";
    const auto found = std::ranges::max_element(
        points, {}, [&](const auto& point) { return sign * point.second; });
    return base::concat(base::significant(found->second, 4), " at ", tick_label(found->first));
  }

  bool draw(const Panel& panel, double left, double top) {
    std::vector<std::vector<Points>> curves;  // by series, by run
    Range range;
    for (const auto& series : panel.series) {
      auto& runs = curves.emplace_back();
      for (const auto& log : logs_) {
        runs.push_back(points_of(log, x_column_, series.column, panel.scale));
        for (auto& [x, y] : runs.back()) {
          x /= unit_.size;
          range.add(y);
        }
      }
    }
    if (range.min > range.max) return false;
    const Axis y(range.min, range.max, panel.scale);
    frame(panel, y, left, top);
    for (std::size_t s = 0; s < curves.size(); ++s) {
      for (std::size_t run = 0; run < curves[s].size(); ++run)
        curve(curves[s][run], {panel.series[s].style, run}, {y, left, top});
    }
    body_ += std::exchange(marks_, {});  // above all curves
    keys(panel, curves, left, top);
    return true;
  }

  void frame(const Panel& panel, const Axis& y, double left, double top) {
    body_ += svg_text({left, top - 14, "title"}, panel.title);
    for (const auto& tick : y.ticks(6)) {
      const double at = top + kPanelHeight * (1 - y.place(tick.value));
      body_ += svg_line({left, at, left + kPanelWidth, at}, "grid");
      body_ += svg_text({left - 8, at + 4, "end"}, tick.label);
    }
    for (const auto& tick : x_->ticks(7)) {
      const double at = left + kPanelWidth * x_->place(tick.value);
      body_ += svg_line({at, top, at, top + kPanelHeight}, "grid");
      body_ += svg_text({at, top + kPanelHeight + 17, "below"}, tick.label);
    }
    body_ += svg_text({left + kPanelWidth, top + kPanelHeight + 33, "end"}, unit_.name);
  }

  struct Pen {
    std::string_view style;
    std::size_t run;
  };
  struct Area {
    const Axis& y;
    double left, top;
  };

  void curve(const Points& all, const Pen& pen, const Area& area) {
    if (all.empty()) return;
    const auto& [style, run] = pen;
    const auto& [y, left, top] = area;
    const auto points = thinned(all, static_cast<std::size_t>(kPanelWidth));
    // Each run marks other points, so that the marks of equal curves do not hide each other.
    const auto every = std::max(logs_.size(), base::divide_up(points.size(), kMaxMarks));
    const auto first = run * every / logs_.size() % points.size();
    std::string path;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double x = left + kPanelWidth * x_->place(points[i].first);
      const double at = top + kPanelHeight * (1 - y.place(points[i].second));
      path += base::concat(path.empty() ? "M" : " ", coordinate(x), " ", coordinate(at));
      if (i % every == first) marks_ += svg_mark({x, at}, run);
    }
    body_ += base::concat("<path d=\"", path, "\" ", line_class(style, run), "/>\n");
  }

  /// What lines and dashes mean, where a panel has both.
  void keys(const Panel& panel, const std::vector<std::vector<Points>>& curves, double left,
            double top) {
    double right = left + kPanelWidth;
    for (std::size_t s = panel.series.size(); s-- > 0;) {
      const auto& series = panel.series[s];
      const bool there =
          std::ranges::any_of(curves[s], [](const auto& points) { return !points.empty(); });
      if (series.name.empty() || !there) continue;
      body_ += svg_text({right, top - 14, "end"}, series.name);
      right -= 6.4 * static_cast<double>(series.name.size()) + 12;
      body_ += base::concat("<path d=\"M", coordinate(right - 22), " ", coordinate(top - 18),
                            "h22\" class=\"", series.style, " key\"/>\n");
      right -= 38;
    }
  }

  const std::vector<RunLog>& logs_;
  std::string_view x_column_;
  Unit unit_{"", 1};
  std::optional<Axis> x_;
  std::string body_, marks_, description_;
};

}  // namespace

std::string curves_svg(const std::vector<RunLog>& logs, Over over) {
  return Drawing(logs, over).svg();
}

}  // namespace awend::tools

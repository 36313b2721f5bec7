#include "inspect/score_bars.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/format.hpp"
#include "inspect/axis.hpp"
#include "inspect/svg.hpp"

namespace awend::tools {
namespace {

// Lengths in pixels.
constexpr double kBar = 38, kGap = 22, kMinWidth = 260, kPanelHeight = 210;
constexpr double kMargin = 28, kLeft = 64, kAbove = 46, kBelow = 70, kLegendLine = 20;
constexpr double kPerCharacter = 7.2;
constexpr double kSignificant = 0.05;

// More cannot be distinguished in a picture.
constexpr std::size_t kMaxNames = 64;

// Distinct values in the order of first occurrence.
template <class Member>
std::vector<std::string> distinct(const std::vector<ScoreLine>& scores, Member member) {
  std::vector<std::string> values;
  for (const ScoreLine& score : scores) {
    if (std::ranges::find(values, score.*member) != values.end()) continue;
    if (values.size() == kMaxNames)
      base::fail("too many bars to draw: more than ", kMaxNames, " systems, metrics or lengths");
    values.push_back(score.*member);
  }
  return values;
}

bool is_significant(const ScoreLine& score) {
  return score.p_value && *score.p_value < kSignificant;
}

class Bars {
 public:
  explicit Bars(const std::vector<ScoreLine>& scores)
      : scores_(scores),
        systems_(distinct(scores, &ScoreLine::system)),
        lengths_(distinct(scores, &ScoreLine::length)) {
    const auto bars = static_cast<double>(systems_.size());
    group_ = std::max(bars * kBar, kLabel) + kGap;
    width_ = std::max(kMinWidth, static_cast<double>(lengths_.size()) * group_ + kGap);
  }

  std::string svg() {
    double top = legend(), widest = kLeft + width_;
    for (const auto& system : systems_)
      widest = std::max(widest, kNames + kPerCharacter * static_cast<double>(system.size()));
    for (const auto& metric : distinct(scores_, &ScoreLine::metric)) {
      panel(metric, top + kAbove);
      top += kAbove + kPanelHeight + kBelow;
    }
    return svg_document({.title = "Scores of " + base::join(systems_, ", "),
                         .description = description_,
                         .width = widest + 2 * kMargin,
                         .height = top + 4,
                         .body = body_});
  }

 private:
  static constexpr double kLabel = 60;  // of a group
  static constexpr double kNames = 40;  // the beginning of a name in the legend

  void rectangle(const Segment& corners, std::size_t system) {
    body_ += base::concat("<rect x=\"", coordinate(corners.x1), "\" y=\"", coordinate(corners.y1),
                          "\" width=\"", coordinate(corners.x2 - corners.x1), "\" height=\"",
                          coordinate(corners.y2 - corners.y1), "\" class=\"bar f", system % kColors,
                          "\"/>\n");
  }

  // The names of the systems; returns their end.
  double legend() {
    double y = kMargin - 8;
    for (std::size_t s = 0; s < systems_.size(); ++s) {
      y += kLegendLine;
      rectangle({kMargin, y - 11, kMargin + 14, y + 1}, s);
      body_ += svg_mark({kMargin + 26, y - 5}, s);
      body_ += svg_text({kMargin + kNames, y}, systems_[s]);
    }
    return y + kLegendLine;
  }

  const ScoreLine* find(const std::string& metric, const std::string& length,
                        const std::string& system) const {
    const ScoreLine* found = nullptr;
    for (const ScoreLine& score : scores_) {
      if (score.metric == metric && score.length == length && score.system == system)
        found = &score;
    }
    return found;
  }

  // From zero, so that the lengths of bars can be compared.
  Axis axis_of(const std::string& metric) const {
    double min = 0, max = 0;
    for (const ScoreLine& score : scores_) {
      if (score.metric != metric) continue;
      const double half = score.interval.value_or(0), mean = score.mean.value_or(score.score);
      min = std::min({min, score.score, mean - half});
      max = std::max({max, score.score, mean + half});
    }
    constexpr double kFlat = 1e-9;
    return {min, max - min < kFlat ? min + 1 : max, Scale::kLinear};
  }

  void panel(const std::string& metric, double top) {
    const Axis axis = axis_of(metric);
    const double left = kMargin + kLeft, bottom = top + kPanelHeight;
    const auto place = [&](double value) { return bottom - kPanelHeight * axis.place(value); };
    body_ += svg_text({left, top - 24, "title"}, metric);
    for (const auto& tick : axis.ticks(6)) {
      body_ += svg_line({left, place(tick.value), left + width_, place(tick.value)}, "grid");
      body_ += svg_text({left - 8, place(tick.value) + 4, "end"}, tick.label);
    }
    for (std::size_t g = 0; g < lengths_.size(); ++g) {
      const double begin = left + kGap + static_cast<double>(g) * group_;
      std::uint64_t lines = 0;
      for (std::size_t s = 0; s < systems_.size(); ++s) {
        const ScoreLine* score = find(metric, lengths_[g], systems_[s]);
        if (score == nullptr) continue;
        lines = score->lines;
        const double x = begin + static_cast<double>(s) * kBar;
        const double zero = place(0), at = place(score->score);
        rectangle({x + 2, std::min(zero, at), x + kBar - 2, std::max(zero, at)}, s);
        body_ += svg_mark({x + kBar / 2, bottom + 9}, s);
        interval(*score, x + kBar / 2, place);
        describe(*score);
      }
      const double middle = begin + static_cast<double>(systems_.size()) * kBar / 2;
      if (lengths_[g] != "all") {
        body_ += svg_text({middle, bottom + 28, "below"}, lengths_[g]);
        body_ += svg_text({middle, bottom + 44, "below"}, base::concat(lines, " lines"));
      }
    }
    if (lengths_ != std::vector<std::string>{"all"})
      body_ += svg_text({left + width_, bottom + 61, "end"}, "words");
  }

  // With the score above it, and a star if the system differs significantly from the baseline.
  template <class Place>
  void interval(const ScoreLine& score, double middle, const Place& place) {
    double top = place(std::max(score.score, 0.0));
    if (score.interval) {
      const double mean = score.mean.value_or(score.score);
      const double low = place(mean - *score.interval), high = place(mean + *score.interval);
      body_ += svg_line({middle, low, middle, high}, "whisker");
      body_ += svg_line({middle - 5, low, middle + 5, low}, "whisker");
      body_ += svg_line({middle - 5, high, middle + 5, high}, "whisker");
      top = std::min(top, high);
    }
    body_ += svg_text({middle, top - 5, "below"},
                      base::fixed(score.score, 1) + (is_significant(score) ? "*" : ""));
  }

  void describe(const ScoreLine& score) {
    description_ += base::concat(description_.empty() ? "" : "; ", score.metric);
    if (score.length != "all") description_ += base::concat(" of ", score.length, " words");
    description_ += base::concat(", ", score.system, ": ", base::fixed(score.score, 1));
    if (score.interval) description_ += base::concat(" ± ", base::fixed(*score.interval, 1));
    if (is_significant(score)) description_ += " (p < 0.05)";
  }

  const std::vector<ScoreLine>& scores_;
  std::vector<std::string> systems_, lengths_;
  double group_, width_;
  std::string body_, description_;
};

}  // namespace

std::string score_bars_svg(const std::vector<ScoreLine>& scores) {
  return Bars(scores).svg();
}

}  // namespace awend::tools

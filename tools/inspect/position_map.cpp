#include "inspect/position_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/format.hpp"
#include "inspect/layout.hpp"
#include "inspect/svg.hpp"
#include "model/checkpoint.hpp"
#include "model/sinusoids.hpp"
#include "store/weights.hpp"

namespace awend::tools {
namespace {

// More rows look alike: the slower sinusoids hardly change.
constexpr std::uint32_t kMaxRows = 100;

// Lengths in pixels.
constexpr double kLeft = 64, kAbove = 42, kBelow = 52, kMargin = 28, kRow = 4, kWidth = 768;
constexpr double kSwatch = 10, kBar = kSwatch * 21;
constexpr std::uint32_t kRowTick = 20, kColumnTicks = 4;

// From the lowest value to the highest: blue, white, orange, in odd number so that zero is white.
constexpr int kLevels = 21;
using Color = std::array<double, 3>;
constexpr Color kLow = {31, 78, 140}, kZero = {250, 249, 246}, kHigh = {194, 78, 20};

std::string color_of(int level) {
  const double place = 2.0 * level / (kLevels - 1) - 1;
  const Color& end = place < 0 ? kLow : kHigh;
  std::string text = "#";
  for (std::size_t i = 0; i < end.size(); ++i) {
    const double value = kZero[i] + (end[i] - kZero[i]) * std::abs(place);
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto byte = static_cast<unsigned>(std::lround(value));
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
  }
  return text;
}

/// What a stored table is, and its rows.
struct Meaning {
  std::string_view title, row;
  std::uint32_t first_row;
};
constexpr Meaning kPositions = {"stored in the model", "position", 0};
constexpr Meaning kDistances = {"sentences before the question", "distance", 1};

PositionAxis dimensions(std::uint32_t count) {
  return {"dimension", 0, count};
}

PositionTable stored(const store::ArrayFile& file, const store::Array& array,
                     const Meaning& meaning) {
  const auto columns = static_cast<std::uint32_t>(array.shape[1]);
  const auto rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(array.shape[0], kMaxRows));
  auto values = store::Weights(file, array.name, array.shape).read();
  values.resize(std::size_t{rows} * columns);
  auto heading = base::concat(array.name, ", ", meaning.title);
  if (rows < array.shape[0]) heading += base::concat(": the first ", rows, " of ", array.shape[0]);
  return {.title = std::move(heading),
          .rows = {meaning.row, meaning.first_row, rows},
          .columns = dimensions(columns),
          .values = std::move(values)};
}

/// Biases of relative positions, which are a column in the file: a row for each bucket.
PositionTable relative(const store::ArrayFile& file, const store::Array& array,
                       std::uint32_t buckets) {
  auto values = store::Weights(file, array.name, array.shape).read();
  const auto heads = static_cast<std::uint32_t>(values.size() / buckets);
  if (heads == 0)
    base::fail(file.path(), ": array '", array.name, "' has fewer numbers than ", buckets,
               " buckets");
  values.resize(std::size_t{heads} * buckets);
  return {.title = array.name + ", buckets of distances by heads",
          .rows = {"bucket", 0, buckets},
          .columns = {"head", 1, heads},
          .values = std::move(values)};
}

/// Whether the architecture has such a setting, and the model computes its positions.
bool computes_sinusoids(const model::Config& config) {
  return model::has_setting(config, "positions") &&
         config.transformer.positions == model::Positions::kSinusoid;
}

/// One picture: the levels of all cells, drawn in vertical runs of equal color.
class Map {
 public:
  explicit Map(const PositionTable& table) : table_(table) {
    for (const float value : table.values)
      if (std::isfinite(value)) largest_ = std::max(largest_, std::abs(double{value}));
  }

  double largest() const { return largest_; }

  /// The runs as rectangles of a path for each color, cells being 1 by 1.
  std::string paths() const {
    std::array<std::string, kLevels> runs;
    for (std::uint32_t column = 0; column < table_.columns.count; ++column) {
      for (std::uint32_t row = 0; row < table_.rows.count;) {
        const int level = level_at(row, column);
        std::uint32_t end = row + 1;
        while (end < table_.rows.count && level_at(end, column) == level) ++end;
        if (level >= 0) {
          runs[static_cast<std::size_t>(level)] +=
              base::concat("M", column, " ", row, "h1v", end - row, "h-1z");
        }
        row = end;
      }
    }
    std::string text;
    for (int level = 0; level < kLevels; ++level) {
      const auto& run = runs[static_cast<std::size_t>(level)];
      if (!run.empty())
        text += base::concat("<path style=\"fill:", color_of(level), "\" d=\"", run, "\"/>\n");
    }
    return text;
  }

 private:
  /// -1 for a value that is not finite, which is left out.
  int level_at(std::uint32_t row, std::uint32_t column) const {
    const double value = table_.values[std::size_t{row} * table_.columns.count + column];
    if (!std::isfinite(value)) return -1;
    if (largest_ == 0) return kLevels / 2;
    return static_cast<int>(std::lround((value / largest_ + 1) / 2 * (kLevels - 1)));
  }

  const PositionTable& table_;
  double largest_ = 0;
};

std::string scale(double x, double y, double largest) {
  std::string text;
  for (int level = 0; level < kLevels; ++level) {
    text += base::concat("<rect x=\"", coordinate(x + level * kSwatch), "\" y=\"", coordinate(y),
                         "\" width=\"", coordinate(kSwatch),
                         "\" height=\"10\" style=\"fill:", color_of(level), "\"/>\n");
  }
  const auto number = base::significant(largest, 3);
  text += svg_text({x - 6, y + 9, "end"}, base::concat("−", number));
  return text + svg_text({x + kBar + 6, y + 9, "dim"}, number);
}

/// Adds a table below `top`; returns the end of the picture.
double add(const PositionTable& table, double top, std::string& body) {
  const Map map(table);
  const auto& rows = table.rows;
  const auto& columns = table.columns;
  const double cell = kWidth / columns.count, height = kRow * rows.count;
  const double left = kMargin + kLeft, begin = top + kAbove, bottom = begin + height;
  body += svg_text({left, begin - 16, "title"}, table.title);
  body += base::concat("<g shape-rendering=\"crispEdges\" transform=\"translate(", left, " ", begin,
                       ") scale(", cell, " ", kRow, ")\">\n", map.paths(), "</g>\n");
  for (std::uint32_t row = 0; row < rows.count; row += kRowTick)
    body +=
        svg_text({left - 8, begin + kRow * (row + 1) + 2, "end"}, std::to_string(rows.first + row));
  const auto every = std::max(1U, columns.count / kColumnTicks);
  for (std::uint32_t column = 0; column < columns.count; column += every)
    body += svg_text({left + cell * (column + 0.5), bottom + 18, "below"},
                     std::to_string(columns.first + column));
  body += svg_text({left + kWidth / 2, bottom + 36, "below"}, columns.name);
  body += svg_text({left - 8, begin - 8, "end"}, rows.name);
  body += scale(left + kWidth - kBar - 60, bottom + 27, map.largest());
  return bottom + kBelow;
}

std::string description_of(const PositionTable& table) {
  const auto axis = [](const PositionAxis& of) {
    return base::concat(of.count, " ", of.name, of.count == 1 ? "" : "s");
  };
  return base::concat(table.title, ": ", axis(table.rows), " by ", axis(table.columns),
                      ", values up to ±", base::significant(Map(table).largest(), 3));
}

}  // namespace

std::vector<PositionTable> position_tables(const store::ArrayFile& file) {
  const auto config = model::read_config(file);
  std::vector<PositionTable> tables;
  for (const auto& array : file.arrays()) {
    if (array.shape.size() != 2 || store::is_scales(file, array)) continue;
    if (array.name.starts_with("temporal."))
      tables.push_back(stored(file, array, kDistances));
    else if (array.name.ends_with("_relative_positions"))
      tables.push_back(relative(file, array, config.transformer.relative_buckets));
    else if (array.name == "positions" || array.name.ends_with("_positions"))
      tables.push_back(stored(file, array, kPositions));
  }
  if (tables.empty() && computes_sinusoids(config)) {
    const auto first = config.transformer.first_position;
    tables.push_back({.title = "sinusoids of source and target, computed",
                      .rows = {"position", first, kMaxRows},
                      .columns = dimensions(config.d_model),
                      .values = model::sinusoids({.rows = kMaxRows,
                                                  .columns = config.d_model,
                                                  .layout = config.transformer.sinusoid_layout,
                                                  .first = first})});
  }
  if (tables.empty()) base::fail(file.path(), ": the model has no table of positions");
  return tables;
}

std::string position_map_svg(std::string_view model, const std::vector<PositionTable>& tables) {
  double bottom = 0;
  std::string body, description;
  for (const auto& table : tables) {
    bottom = add(table, bottom, body);
    description += base::concat(description.empty() ? "" : "; ", description_of(table));
  }
  return svg_document({.title = base::concat("Positions of ", model),
                       .description = std::move(description),
                       .width = 2 * kMargin + kLeft + kWidth,
                       .height = bottom,
                       .body = body});
}

}  // namespace awend::tools

// Selection of the points of a log; see curves.hpp.
#include <cmath>

#include "base/error.hpp"
#include "inspect/curves.hpp"

namespace awend::tools {

Points points_of(const RunLog& log, std::string_view x, std::string_view y, Scale scale) {
  const auto of_x = log.column(x), of_y = log.column(y);
  Points points;
  for (const auto& row : log.rows) {
    if (of_x >= row.size() || of_y >= row.size()) continue;
    if (!std::isfinite(row[of_x]) || !std::isfinite(row[of_y])) continue;
    if (scale == Scale::kLogarithmic && row[of_y] <= 0) continue;
    points.emplace_back(row[of_x], row[of_y]);
  }
  return points;
}

Points thinned(const Points& points, std::size_t buckets) {
  if (points.size() <= buckets) return points;
  const double begin = points.front().first;
  const double width = (points.back().first - begin) / static_cast<double>(buckets);
  if (!(width > 0)) return points;
  Points few;
  for (std::size_t i = 0; i < points.size();) {
    const auto bucket = std::floor((points[i].first - begin) / width);
    double x = 0, y = 0;
    std::size_t count = 0;
    for (; i < points.size() && std::floor((points[i].first - begin) / width) == bucket; ++i) {
      x += points[i].first;
      y += points[i].second;
      ++count;
    }
    few.emplace_back(x / static_cast<double>(count), y / static_cast<double>(count));
  }
  return few;
}

}  // namespace awend::tools

#include "inspect/score_lines.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/numbers.hpp"

namespace awend::tools {
namespace {

// The format of score.
constexpr std::string_view kColumns =
    "system\tmetric\tlength\tlines\tscore\tmean\tinterval\tp_value";
constexpr std::size_t kFields = 8;
constexpr std::size_t kMaxScores = 10'000;  // far more than a picture can show

class Reader {
 public:
  explicit Reader(base::LineReader& lines) : lines_(lines) {}

  std::vector<ScoreLine> read() {
    std::string_view line;
    if (!lines_.next(line) || line != kColumns)
      fail("not scores: expected the columns of score --format tsv");
    std::vector<ScoreLine> scores;
    while (lines_.next(line)) {
      // Concatenated files repeat the names of the columns.
      if (line == kColumns) continue;
      if (scores.size() == kMaxScores) fail("more than ", kMaxScores, " scores");
      scores.push_back(score_of(base::split(line, '\t')));
    }
    if (scores.empty()) fail("no scores");
    return scores;
  }

 private:
  template <class... Parts>
  [[noreturn]] void fail(const Parts&... what) const {
    base::fail(lines_.name(), ":", std::max<std::uint64_t>(1, lines_.line_number()), ": ", what...);
  }

  ScoreLine score_of(const std::vector<std::string_view>& fields) const {
    if (fields.size() != kFields)
      fail("expected ", kFields, " tab-separated fields, found ", fields.size());
    ScoreLine score{.system = std::string(fields[0]),
                    .metric = std::string(fields[1]),
                    .length = std::string(fields[2]),
                    .lines = 0,
                    .score = number(fields[4]),
                    .mean = optional_number(fields[5]),
                    .interval = optional_number(fields[6]),
                    .p_value = optional_number(fields[7])};
    if (base::parse_number(fields[3], score.lines) != std::errc())
      fail("'", fields[3], "' is not a number of lines");
    return score;
  }

  std::optional<double> optional_number(std::string_view text) const {
    if (text == "-") return std::nullopt;
    return number(text);
  }

  double number(std::string_view text) const {
    constexpr double kLargest = 1e9;
    const auto value = base::find_number<double>(text);
    if (!value || !(std::abs(*value) <= kLargest)) fail("'", text, "' is not a score");
    return *value;
  }

  base::LineReader& lines_;
};

}  // namespace

std::vector<ScoreLine> read_scores(base::LineReader& lines) {
  return Reader(lines).read();
}

}  // namespace awend::tools

#include "train/log_text.hpp"

#include <algorithm>
#include <vector>

#include "base/format.hpp"

namespace awend::train {
namespace {

/// Right-aligned columns for a terminal, 79 characters in total with two scores.
std::string terminal_row(const std::vector<std::string>& fields) {
  constexpr std::size_t kWidths[] = {8, 8, 9, 12, 10, 18};
  constexpr std::size_t kScoreWidth = 7;
  std::string row;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto width = i < std::size(kWidths) ? kWidths[i] : kScoreWidth;
    row.append(width - std::min(width - 1, fields[i].size()), ' ');
    row += fields[i];
  }
  return row + '\n';
}

/// Unknown values are "-".
std::string known(bool is_known, const std::string& text) {
  return is_known ? text : "-";
}

/// With this many decimals fewer than in the log file.
std::string score_text(const LogLine& line, ValidationMetric metric, int fewer) {
  const auto score = std::ranges::find(line.scores, metric, &Score::metric);
  if (score == line.scores.end()) return known(false, {});
  return base::fixed(score->value, row_of(metric).decimals - fewer);
}

}  // namespace

std::string four_digits(double value) {
  return base::significant(value, 4);
}

std::string log_header(Metrics scores) {
  std::string header =
      "step\tepoch\tseconds\tloss\tperplexity\ttokens_per_second\trate\tgradient_norm\tskipped\t"
      "valid_loss\tvalid_perplexity";
  for (const auto metric : scores) header += base::concat('\t', column_of(metric));
  return header + '\n';
}

std::string to_text(const LogLine& line, Metrics scores) {
  const Window& window = line.window;
  const auto count = static_cast<double>(window.updates);
  const bool trained = window.updates > 0;
  const bool valid = line.validation.has_value();
  const auto losses = line.validation.value_or(forward::Losses{});
  auto text = base::concat(
      line.step, '\t', base::fixed(line.epochs, 3), '\t', base::fixed(line.seconds, 1), '\t',
      known(trained, base::fixed(window.losses.loss(), 4)), '\t',
      known(trained, four_digits(window.losses.perplexity())), '\t',
      known(window.seconds > 0,
            base::fixed(static_cast<double>(window.tokens) / window.seconds, 0)),
      '\t', four_digits(line.rate), '\t', known(trained, four_digits(window.norms / count)), '\t',
      line.skipped, '\t', known(valid, base::fixed(losses.loss(), 4)), '\t',
      known(valid, four_digits(losses.perplexity())));
  for (const auto metric : scores) text += '\t' + score_text(line, metric, 0);
  return text + '\n';
}

std::string terminal_header(Metrics scores) {
  std::vector<std::string> fields = {"step",       "epoch",    "time",
                                     "perplexity", "tokens/s", "valid_perplexity"};
  for (const auto metric : scores) fields.emplace_back(row_of(metric).heading);
  return terminal_row(fields);
}

std::string terminal_text(const LogLine& line, Metrics scores) {
  const Window& window = line.window;
  const auto losses = line.validation.value_or(forward::Losses{});
  std::vector<std::string> fields = {
      base::concat(line.step),
      base::fixed(line.epochs, 2),
      base::clock_text(line.seconds, base::ClockStyle::kWithHours),
      known(window.updates > 0, four_digits(window.losses.perplexity())),
      known(window.seconds > 0,
            base::fixed(static_cast<double>(window.tokens) / window.seconds, 0)),
      known(line.validation.has_value(), four_digits(losses.perplexity()))};
  for (const auto metric : scores) fields.push_back(score_text(line, metric, 1));
  return terminal_row(fields);
}

}  // namespace awend::train

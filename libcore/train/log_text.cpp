#include "train/log_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/format.hpp"

namespace awend::train {
namespace {

/// Right-aligned columns for a terminal, 79 characters in total.
std::string terminal_row(const std::array<std::string, 8>& fields) {
  constexpr std::size_t kWidths[] = {8, 8, 9, 12, 10, 18, 7, 7};
  std::string row;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    row.append(kWidths[i] - std::min(kWidths[i] - 1, fields[i].size()), ' ');
    row += fields[i];
  }
  return row + '\n';
}

/// Unknown values are "-".
std::string known(bool is_known, const std::string& text) {
  return is_known ? text : "-";
}

}  // namespace

std::string four_digits(double value) {
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, 4).ptr;
  return {text, end};
}

std::string log_header() {
  return "step\tepoch\tseconds\tloss\tperplexity\ttokens_per_second\trate\tgradient_norm\tskipped\t"
         "valid_loss\tvalid_perplexity\tvalid_bleu\tvalid_chrf\n";
}

std::string to_text(const LogLine& line) {
  const Window& window = line.window;
  const auto count = static_cast<double>(window.updates);
  const bool trained = window.updates > 0;
  const bool valid = line.validation.has_value();
  const auto losses = line.validation.value_or(forward::Losses{});
  const Scores scores = line.scores.value_or(Scores{});
  return base::concat(
      line.step, '\t', base::fixed(line.epochs, 3), '\t', base::fixed(line.seconds, 1), '\t',
      known(trained, base::fixed(window.losses.loss(), 4)), '\t',
      known(trained, four_digits(window.losses.perplexity())), '\t',
      known(window.seconds > 0,
            base::fixed(static_cast<double>(window.tokens) / window.seconds, 0)),
      '\t', four_digits(line.rate), '\t', known(trained, four_digits(window.norms / count)), '\t',
      line.skipped, '\t', known(valid, base::fixed(losses.loss(), 4)), '\t',
      known(valid, four_digits(losses.perplexity())), '\t',
      known(line.scores.has_value(), base::fixed(scores.bleu, 2)), '\t',
      known(line.scores.has_value(), base::fixed(scores.chrf, 2)), '\n');
}

std::string terminal_header() {
  return terminal_row(
      {"step", "epoch", "time", "perplexity", "tokens/s", "valid_perplexity", "BLEU", "chrF"});
}

std::string terminal_text(const LogLine& line) {
  const Window& window = line.window;
  const auto losses = line.validation.value_or(forward::Losses{});
  const Scores scores = line.scores.value_or(Scores{});
  return terminal_row({base::concat(line.step), base::fixed(line.epochs, 2),
                       base::clock_text(line.seconds, base::ClockStyle::kWithHours),
                       known(window.updates > 0, four_digits(window.losses.perplexity())),
                       known(window.seconds > 0,
                             base::fixed(static_cast<double>(window.tokens) / window.seconds, 0)),
                       known(line.validation.has_value(), four_digits(losses.perplexity())),
                       known(line.scores.has_value(), base::fixed(scores.bleu, 1)),
                       known(line.scores.has_value(), base::fixed(scores.chrf, 1))});
}

}  // namespace awend::train

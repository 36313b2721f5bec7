#include "train/log.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>

namespace awend::train {
namespace {

std::string fixed(double value, int digits) {
  char text[512];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits).ptr;
  return {text, end};
}

std::string four_digits(double value) {
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, 4).ptr;
  return {text, end};
}

/// A file to which something was appended before has its header.
bool stdout_is_continued() {
  struct stat status = {};
  return ::fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
}

}  // namespace

void Window::add(const Update& update, double update_seconds) {
  seconds += update_seconds;
  tokens += update.losses.tokens;
  if (!update.applied()) return;
  losses += update.losses;
  norms += update.gradient_norm;
  ++updates;
}

std::string log_header() {
  return "step\tepoch\tseconds\tloss\tperplexity\ttokens_per_second\trate\tgradient_norm\tskipped\t"
         "valid_loss\tvalid_perplexity\tvalid_bleu\tvalid_chrf\n";
}

std::string to_text(const LogLine& line) {
  const Window& window = line.window;
  const auto count = static_cast<double>(window.updates);
  const auto known = [](bool is_known, const std::string& text) { return is_known ? text : "-"; };
  const bool trained = window.updates > 0;
  const bool valid = line.validation.has_value();
  const Losses losses = line.validation.value_or(Losses{});
  const Scores scores = line.scores.value_or(Scores{});
  return base::concat(
      line.step, '\t', fixed(line.epochs, 3), '\t', fixed(line.seconds, 1), '\t',
      known(trained, fixed(window.losses.loss(), 4)), '\t',
      known(trained, four_digits(window.losses.perplexity())), '\t',
      known(window.seconds > 0, fixed(static_cast<double>(window.tokens) / window.seconds, 0)),
      '\t', four_digits(line.rate), '\t', known(trained, four_digits(window.norms / count)), '\t',
      line.skipped, '\t', known(valid, fixed(losses.loss(), 4)), '\t',
      known(valid, four_digits(losses.perplexity())), '\t',
      known(line.scores.has_value(), fixed(scores.bleu, 2)), '\t',
      known(line.scores.has_value(), fixed(scores.chrf, 2)), '\n');
}

Log::Log(const std::string& path) : file_(path) {
  if (path == "-" && stdout_is_continued()) return;
  file_.write(log_header());
  file_.flush();
}

void Log::write(const LogLine& line) {
  file_.write(to_text(line));
  file_.flush();
}

}  // namespace awend::train

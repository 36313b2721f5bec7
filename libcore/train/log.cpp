#include "train/log.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/format.hpp"
#include "train/ranks/launcher.hpp"

namespace awend::train {
namespace {

/// Whether stdout is a file with earlier contents.
bool stdout_is_continued() {
  struct stat status = {};
  return ::fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
}

}  // namespace

Reader reader_of_stdout() {
  const bool launched = find_launch([](const char* name) { return std::getenv(name); }).has_value();
  return !launched && ::isatty(STDOUT_FILENO) == 1 ? Reader::kTerminal : Reader::kProgram;
}

Log::Log(const LogSettings& settings) : settings_(settings) {
  if (!settings.output.empty()) output_.emplace(settings.output);
  if (!settings.file.empty())
    file_ = open_log_file(settings.file, log_header(settings.scores), settings.place);
  if (!output_) return;
  if (settings.output == "-" && settings.place.step > 0 && stdout_is_continued()) return;
  output_->write(reader() == Reader::kTerminal ? terminal_header(settings.scores)
                                               : log_header(settings.scores));
  output_->flush();
}

Log::~Log() = default;

// The file comes first, so that it gets the line even if stdout is a closed pipe.
void Log::write(const LogLine& line) {
  const auto text = to_text(line, settings_.scores);
  if (file_.output) {
    if (file_.output->is_empty()) begin_file();
    file_.output->write(text);
    file_.output->flush();
    if (file_.first_line.empty()) file_.first_line = line_checksum(text);
  }
  if (!output_) return;
  if (reader() == Reader::kProgram) {
    output_->write(text);
  } else if (!settings_.validates || line.validation) {
    output_->write(terminal_text(line, settings_.scores));
  }
  try {
    output_->flush();
  } catch (const base::Interrupted&) {
    output_.reset();  // nobody reads it, and the run is about to be saved
  }
}

void Log::begin_file() {
  file_.output->write(log_header(settings_.scores));
  file_.begin = 0;
  file_.first_line.clear();
}

void Log::close() {
  if (file_.output) file_.output->commit();
  if (output_) output_->commit();
}

}  // namespace awend::train

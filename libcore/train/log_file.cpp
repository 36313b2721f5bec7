#include "train/log_file.hpp"

#include <filesystem>
#include <string_view>

#include "base/concat.hpp"
#include "base/numbers.hpp"

namespace awend::train {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;  // millions of lines

// Older logs may have fewer columns: inspect reads files with several headers.
constexpr std::string_view kFirstColumns = "step\tepoch\t";

/// The number at the beginning of a line.
std::uint64_t step_of(std::string_view line) {
  return base::find_number<std::uint64_t>(line.substr(0, line.find('\t'))).value_or(0);
}

/// The position of the last header.
std::size_t begin_of_last_run(std::string_view log) {
  const auto place = log.rfind(base::concat("\n", kFirstColumns));
  return place == log.npos ? 0 : place + 1;
}

/// The length of `log` up to the last complete line of its last run that is not after `step`.
std::size_t bytes_up_to(std::string_view log, std::uint64_t step) {
  std::size_t kept = begin_of_last_run(log);
  while (kept < log.size()) {
    const auto end = log.find('\n', kept);
    if (end == log.npos || step_of(log.substr(kept, end - kept)) > step) break;
    kept = end + 1;
  }
  return kept;
}

/// Removes lines that a run resuming from `step` writes again.  Returns whether the last header of
/// the log is that of the run.
bool prepare(const std::string& path, std::string_view header, std::uint64_t step) {
  const auto log = base::read_file(path, kMaxBytes);
  if (log.empty()) return false;
  if (!log.starts_with(kFirstColumns)) base::fail(path, ": is not a log of train");
  const bool is_resumed = step > 0;
  // A truncated line is always removed.
  const auto kept = is_resumed ? bytes_up_to(log, step) : log.rfind('\n') + 1;
  if (kept < log.size()) fs::resize_file(path, kept);
  const auto last_run = begin_of_last_run(log);
  return is_resumed && kept > last_run && log.substr(last_run).starts_with(header);
}

}  // namespace

std::unique_ptr<base::OutputFile> open_log_file(const std::string& path, std::string_view header,
                                                std::uint64_t first_step) {
  std::error_code error;
  const bool is_new = !fs::exists(path, error);
  if (!is_new && !fs::is_regular_file(path, error)) {
    auto direct = std::make_unique<base::OutputFile>(path);
    direct->write(header);
    return direct;
  }
  const bool has_header = !is_new && prepare(path, header, first_step);
  auto file = base::OutputFile::append_to(path);
  if (!has_header) file->write(header);
  file->flush();
  return file;
}

}  // namespace awend::train

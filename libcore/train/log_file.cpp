#include "train/log_file.hpp"

#include <fcntl.h>

#include <cerrno>
#include <filesystem>
#include <string_view>

#include "base/checksum.hpp"
#include "base/concat.hpp"
#include "base/descriptor.hpp"
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

/// The lines of a run in a log.
struct Kept {
  std::size_t end = 0;          // of the text that remains
  std::size_t begin = 0;        // of the header; if the run has none, `end`
  std::uint64_t last_step = 0;  // of the lines that remain
};

/// The complete lines of the last run that are not after the step.
Kept lines_up_to(std::string_view log, std::uint64_t step) {
  const auto begin = begin_of_last_run(log);
  Kept kept{.end = begin, .begin = begin};
  while (kept.end < log.size()) {
    const auto end = log.find('\n', kept.end);
    if (end == log.npos) break;
    const auto at = step_of(log.substr(kept.end, end - kept.end));
    if (at > step) break;
    kept.last_step = at;
    kept.end = end + 1;
  }
  return kept;
}

/// The checksum of the first line after the header at `begin`; empty if there is none.
std::string first_line_of(std::string_view log, std::size_t begin) {
  const auto header_end = log.find('\n', begin);
  if (header_end == log.npos) return {};
  const auto end = log.find('\n', header_end + 1);
  if (end == log.npos) return {};
  return line_checksum(log.substr(header_end + 1, end - header_end));
}

/// What remains of the log if the run writes there again; the last truncated line never does.
Kept kept_of(std::string_view log, std::string_view header, const LogPlace& place) {
  const auto complete = log.rfind('\n') + 1;
  const Kept others{.end = complete, .begin = complete};
  const auto last = begin_of_last_run(log);
  const bool has_last = (!place.begin || *place.begin == last) &&
                        (place.first_line.empty() || place.first_line == first_line_of(log, last));
  if (place.step == 0 || !has_last) return others;
  auto kept = lines_up_to(log, place.step);
  if (!log.substr(kept.begin).starts_with(header)) kept.begin = kept.end;
  return kept;
}

std::string read_log(const std::string& path) {
  auto log = base::read_file(path, kMaxBytes);
  if (!log.empty() && !log.starts_with(kFirstColumns)) base::fail(path, ": is not a log of train");
  return log;
}

}  // namespace

void require_log_file(const std::string& path) {
  std::error_code ignored;
  const bool is_new = !fs::exists(path, ignored);
  if (!is_new) {
    if (fs::is_directory(path, ignored)) base::fail_errno(path, EISDIR);
    if (!fs::is_regular_file(path, ignored)) return;  // the reader of a pipe would see its end
    read_log(path);
  }
  const base::Descriptor file(::open(
      path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | (is_new ? O_CREAT | O_EXCL : 0), 0666));
  if (file.get() < 0) base::fail_errno(path, errno);
  if (is_new) fs::remove(path, ignored);
}

LogFile open_log_file(const std::string& path, std::string_view header, const LogPlace& place) {
  std::error_code error;
  const bool is_new = !fs::exists(path, error);
  if (!is_new && !fs::is_regular_file(path, error)) {
    auto direct = std::make_unique<base::OutputFile>(path);
    direct->write(header);
    return {.output = std::move(direct), .begin = {}};
  }
  Kept kept;
  std::string first_line;
  if (!is_new) {
    const auto log = read_log(path);
    kept = kept_of(log, header, place);
    first_line = first_line_of(std::string_view(log).substr(0, kept.end), kept.begin);
    if (kept.end < log.size()) fs::resize_file(path, kept.end);
  }
  auto file = base::OutputFile::append_to(path);
  if (kept.begin == kept.end) file->write(header);
  file->flush();
  return {.output = std::move(file),
          .begin = kept.begin,
          .last_step = kept.last_step,
          .first_line = std::move(first_line)};
}

std::string line_checksum(std::string_view line) {
  base::Checksum checksum;
  checksum.add(line);
  return base::hex(checksum.value());
}

std::optional<std::uint64_t> last_logged_step(const std::string& path, const LogPlace& place) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const auto log = read_log(path);
  const auto kept = kept_of(log, "", place);
  return kept.begin == kept.end ? std::nullopt : std::optional(kept.last_step);
}

}  // namespace awend::train

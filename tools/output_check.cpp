#include "output_check.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/output_place.hpp"
#include "store/checkpoints.hpp"

namespace awend::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStdin = "/dev/stdin", kStdout = "/dev/stdout";

/// Throws Error if two of the files are the same, also through links, or are both stdout.
void require_different(std::span<const std::string> outputs) {
  std::set<std::string> places;
  for (const auto& output : outputs) {
    const bool is_stdout = output == "-";
    const auto place = base::find_output_place(output);
    if (!is_stdout && !place.replaces) continue;
    if (places.insert(is_stdout ? output : place.path).second) continue;
    base::fail(is_stdout ? "stdout" : output,
               ": the command would write two outputs to this file; use another for one of them");
  }
}

/// Throws Error if stdout appends to one of the files: a file that is read would never end.
void require_other_stdout(std::span<const std::string> inputs) {
  std::error_code ignored;
  if (!fs::is_regular_file(kStdout, ignored)) return;
  const bool appends = (fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND) != 0;
  if (!appends && lseek(STDOUT_FILENO, 0, SEEK_CUR) <= 0) return;
  for (const auto& input : inputs) {
    if (!fs::equivalent(kStdout, input, ignored)) continue;
    base::fail("stdout: the command also reads this file, ", input == kStdin ? "stdin" : input,
               "; write to another file");
  }
}

bool is_stdin(const std::string& input) {
  if (input == "-" || base::find_output_place(input).descriptor == STDIN_FILENO) return true;
  struct stat own {};
  struct stat other {};
  if (fstat(STDIN_FILENO, &own) != 0 || stat(input.c_str(), &other) != 0) return false;
  const bool is_same = own.st_dev == other.st_dev && own.st_ino == other.st_ino;
  return is_same && (S_ISFIFO(own.st_mode) || isatty(STDIN_FILENO) == 1);
}

/// The checkpoints and the logs in those of `inputs` that are directories.
std::vector<std::string> files_of_runs(std::span<const std::string> inputs) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto& input : inputs) {
    if (!fs::is_directory(input, ignored)) continue;
    for (auto& checkpoint : store::list_checkpoints(input))
      files.push_back(std::move(checkpoint.weights));
    files.push_back(fs::path(input) / "log.tsv");
  }
  return files;
}

}  // namespace

void require_own_file(const std::string& output, std::span<const std::string> inputs) {
  std::error_code ignored;  // an output that does not exist replaces nothing
  if (!fs::is_regular_file(output, ignored)) return;
  for (const auto& input : inputs) {
    if (!fs::equivalent(output, input, ignored)) continue;
    const auto which = input == output
                           ? "this file"
                           : base::concat("the same file as ", input == kStdin ? "stdin" : input);
    base::fail(output, ": the command also reads ", which, "; write to another file");
  }
}

void require_one_stdin(const cli::Options& options, ImpliedStdin implied) {
  auto inputs = options.operands();
  for (const auto& option : options.tool().options) {
    if (!option.takes_files() || option.writes_files()) continue;
    const auto values = options.list(option.name);
    inputs.insert(inputs.end(), values.begin(), values.end());
  }
  const auto named = std::ranges::count_if(inputs, is_stdin);
  if (named + (implied == ImpliedStdin::kYes ? 1 : 0) > 1)
    throw base::UsageError("only one input can be stdin");
}

void require_own_files(const cli::Options& options) {
  std::vector<std::string> inputs = options.operands(), outputs;
  const auto append = [](const std::vector<std::string>& names, std::vector<std::string>& files) {
    files.insert(files.end(), names.begin(), names.end());
  };
  for (const auto& option : options.tool().options) {
    if (!option.takes_files()) continue;
    const auto values = options.each(option.name);
    if (!option.writes_files()) {
      append(values, inputs);
      append(options.list(option.name), inputs);
    } else if (option.metavar.ends_with("...")) {
      append(values, outputs);
    } else if (!values.empty()) {
      outputs.push_back(values.back());
    }
  }
  append(files_of_runs(inputs), inputs);
  inputs.emplace_back(kStdin);
  for (const auto& output : outputs) {
    store::refuse_checkpoint_of_run(output);
    require_own_file(output, inputs);
  }
  require_other_stdout(inputs);
  require_different(outputs);
}

}  // namespace awend::tools

// The main() of all tools.  Test: tests/conventions, over all tools.
#include "run_tool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <new>

#include "base/files.hpp"
#include "base/mapped_file.hpp"
#include "base/report.hpp"
#include "base/signals.hpp"
#include "base/temporary_names.hpp"
#include "base/version.hpp"
#include "build_info.hpp"
#include "cli/completion.hpp"
#include "output_check.hpp"

namespace awend::tools {
namespace {

// If stdin, stdout or stderr is closed at the start, a file opened later would get its number, and
// messages would end up in that file.  A placeholder occupies the number and fails when used.
void occupy_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    const int placeholder = ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (placeholder != fd) ::_exit(1);
  }
}

// Runs before the constructors of shared libraries, because that of UCX, which MPI of Debian 13
// uses, replaces a SIGHUP that nohup ignores.
[[gnu::used,
  gnu::section(".preinit_array")]] void (*const before_libraries)() = base::note_ignored_signals;

void print(std::string_view text) {
  base::OutputFile out("-");
  out.write(text);
  out.commit();
}

// A tool installed with a prefix, such as awend-train, uses that name in its messages.  A name that
// does not end in the name of the tool belongs to a wrapper, which the user did not type.
std::string name_of_call(const char* call) {
  std::string_view name = call == nullptr ? "" : call;
  name.remove_prefix(name.rfind('/') + 1);  // npos + 1 is 0
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
  return std::string(plain && name.ends_with(tool().name) ? name : tool().name);
}

std::string version_text(const cli::ToolDescription& called) {
  const auto text = base::concat(called.name, " (awend) ", base::version(), "\n", build_info());
  return called.build == nullptr ? text : base::concat(text, called.build(), "\n");
}

// `tool --completion SHELL [NAME]` is for packagers and not in the option table; NAME is the name
// under which the tool will be installed.
bool completes(cli::ToolDescription called, int argc, const char* const* argv) {
  if (argc < 2 || argv[1] != std::string_view("--completion")) return false;
  if (argc < 3 || argc > 4) throw base::UsageError("expected --completion SHELL [NAME]");
  if (argc == 4) called.name = argv[3];
  print(cli::completion_script(called, argv[2]));
  return true;
}

void run_with(const cli::ToolDescription& called, int argc, const char* const* argv) {
  if (completes(called, argc, argv)) return;
  const auto options = cli::Options::parse(called, argc, argv);
  if (options.flag("help")) return print(cli::help_text(called));
  if (options.flag("version")) return print(version_text(called));
  require_own_files(options);
  require_one_stdin(options, ImpliedStdin::kNo);
  run(options);
}

int status_of(int argc, const char* const* argv) {
  const std::string name = name_of_call(argc > 0 ? argv[0] : nullptr);
  cli::ToolDescription called = tool();
  called.name = name;
  const base::Report report(name, base::Verbosity::kNormal);
  base::report_lost_files(name);
  try {
    run_with(called, argc, argv);
    return 0;
  } catch (const base::UsageError& error) {
    report.error(base::concat(message_of(error), "; try '", name, " --help'"));
    return 2;
  } catch (const base::ClosedPipe&) {
    base::die_by(SIGPIPE);
  } catch (const base::Interrupted&) {
    base::die_by(base::stop_signal());
  } catch (const std::bad_alloc&) {
    report.error("out of memory");
  } catch (const base::Error& error) {
    report.error(message_of(error));
  } catch (const std::exception& error) {
    report.error(error.what());
  }
  return 1;
}

}  // namespace

std::string message_of(const base::Error& error) {
  return error.message().text(tool().settings);
}

}  // namespace awend::tools

int main(int argc, char** argv) {
  awend::tools::occupy_standard_descriptors();
  // Exceeding the file size limit makes the write fail, and the error names the file.
  std::signal(SIGXFSZ, SIG_IGN);
  awend::base::remove_temporaries_on_signals();
  return awend::tools::status_of(argc, argv);
}

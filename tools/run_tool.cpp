// The one main().  Test: tests/manners, over all tools.
#include "run_tool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <new>

#include "base/files.hpp"
#include "base/report.hpp"
#include "base/signals.hpp"
#include "base/version.hpp"

namespace awend::tools {
namespace {

// A tool started with a closed stdin, stdout or stderr must not get that number for a file it
// opens: its messages would end up in the file.  The number is taken by something that fails when
// it is used.
void occupy_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    const int placeholder = ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (placeholder != fd) ::_exit(1);
  }
}

void print(std::string_view text) {
  base::OutputFile out("-");
  out.write(text);
  out.commit();
}

std::string version_text() {
  const auto first = base::concat(tool().name, " (awend) ", base::version(), "\n");
  return tool().build == nullptr ? first : base::concat(first, tool().build(), "\n");
}

void run_with(int argc, const char* const* argv) {
  const auto options = base::Options::parse(tool(), argc, argv);
  if (options.flag("help")) return print(base::help_text(tool()));
  if (options.flag("version")) return print(version_text());
  run(options);
}

int status_of(int argc, const char* const* argv) {
  const base::Report report(std::string(tool().name), base::Verbosity::kNormal);
  try {
    run_with(argc, argv);
    return 0;
  } catch (const base::UsageError& error) {
    report.error(base::concat(error.what(), "; try '", tool().name, " --help'"));
    return 2;
  } catch (const base::ClosedPipe&) {
    base::die_by(SIGPIPE);
  } catch (const base::Interrupted&) {
    base::die_by(base::stop_signal());
  } catch (const std::bad_alloc&) {
    report.error("out of memory");
  } catch (const std::exception& error) {
    report.error(error.what());
  }
  return 1;
}

}  // namespace
}  // namespace awend::tools

int main(int argc, char** argv) {
  awend::tools::occupy_standard_descriptors();
  return awend::tools::status_of(argc, argv);
}

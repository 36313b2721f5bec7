#include "tests/bench/blas.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "base/error.hpp"
#include "tests/bench/bench.hpp"

namespace awend::bench {
namespace {

/// Beside this program, if OpenBLAS was found when it was built.
std::string server_path() {
  const auto path =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "awend-bench-blas";
  return std::filesystem::exists(path) ? path.string() : "";
}

std::string read_line(int from) {
  std::string line;
  for (char c = 0; ::read(from, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

}  // namespace

BlasProcess::BlasProcess(unsigned threads) {
  const std::string path = server_path();
  if (path.empty()) return;
  std::array<int, 2> ask{}, answer{};
  if (::pipe(ask.data()) != 0 || ::pipe(answer.data()) != 0) base::fail("no pipe to OpenBLAS");
  const std::string count = base::concat(threads);
  process_ = ::fork();
  if (process_ < 0) base::fail("no process for OpenBLAS");
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(ask[0], STDIN_FILENO);
    ::dup2(answer[1], STDOUT_FILENO);
    for (const int end : {ask[0], ask[1], answer[0], answer[1]}) ::close(end);
    ::execl(path.c_str(), path.c_str(), count.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(ask[0]);
  ::close(answer[1]);
  ask_ = ask[1];
  answer_ = answer[0];
  name_ = read_line(answer_);
  ::kill(process_, SIGSTOP);
}

BlasProcess::~BlasProcess() {
  if (process_ < 0) return;
  ::close(ask_);
  ::close(answer_);
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

double BlasProcess::seconds(const Shape& shape) const {
  ::kill(process_, SIGCONT);
  double seconds = kUnknown;
  const bool answered = ::write(ask_, &shape, sizeof shape) == sizeof shape &&
                        ::read(answer_, &seconds, sizeof seconds) == sizeof seconds;
  ::kill(process_, SIGSTOP);
  if (!answered) base::fail("OpenBLAS' process is gone");
  return seconds;
}

}  // namespace awend::bench

#include "base/signals.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <initializer_list>

namespace awend::base {
namespace {

// A signal handler can access only static data.
volatile std::sig_atomic_t requested = 0;
std::atomic<const char*> answer = nullptr;
static_assert(std::atomic<const char*>::is_always_lock_free);

// Calls only async-signal-safe functions.
void give_answer() {
  const char* text = answer.load();
  if (text == nullptr) return;
  [[maybe_unused]] const auto count = ::write(STDERR_FILENO, text, std::strlen(text));
}

void request_stop(int signal) {
  const int error_number = errno;
  requested = signal;
  if (signal == SIGINT) give_answer();
  errno = error_number;
}

void watch(int signal) {
  struct sigaction action = {};
  if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = request_stop;
  // Without SA_RESTART, a read that waits for a pipe returns.  With SA_RESETHAND, a second signal
  // ends the process.
  action.sa_flags = SA_RESETHAND;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_stop_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) watch(signal);
}

void answer_interrupts(const char* text) {
  answer = text;
}

int stop_signal() {
  return requested;
}

void die_by(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);
}

}  // namespace awend::base

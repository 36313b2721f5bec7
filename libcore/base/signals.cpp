#include "base/signals.hpp"

#include <unistd.h>

#include <csignal>

namespace awend::base {
namespace {

// A signal handler can reach nothing else.
volatile std::sig_atomic_t requested = 0;

void request_stop(int signal) {
  requested = signal;
}

}  // namespace

void watch_stop_signals() {
  struct sigaction action = {};
  action.sa_handler = request_stop;
  // Without SA_RESTART a read that waits for a pipe ends, and with SA_RESETHAND an impatient second
  // signal kills.
  action.sa_flags = SA_RESETHAND;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
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

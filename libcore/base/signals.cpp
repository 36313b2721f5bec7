#include "base/signals.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

namespace awend::base {
namespace {

// A signal handler can access only static data.
volatile std::sig_atomic_t requested = 0;
std::atomic<const char*> answer = nullptr;
static_assert(std::atomic<const char*>::is_always_lock_free);

bool is_ignored(int signal) {
  struct sigaction action = {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// The stop signals that were ignored at the start, as bits.
unsigned ignored_at_start = 0;

// Calls only async-signal-safe functions.
void give_answer() {
  const char* text = answer.load();
  if (text == nullptr) return;
  [[maybe_unused]] const auto count = ::write(STDERR_FILENO, text, std::strlen(text));
}

void request_stop(int signal) {
  // The system repeats SIGXCPU every second.
  if (requested == signal && signal != SIGXCPU) die_by(signal);
  const int error_number = errno;
  requested = signal;
  if (signal == SIGINT) give_answer();
  errno = error_number;
}

}  // namespace

void handle_signal(int signal, void (*handler)(int)) {
  if (is_ignored(signal)) return;
  if ((ignored_at_start >> signal & 1) != 0) {
    std::signal(signal, SIG_IGN);
    return;
  }
  struct sigaction action = {};
  action.sa_handler = handler;
  // Without SA_RESTART, a read that waits for a pipe returns.
  action.sa_flags = 0;
  ::sigaction(signal, &action, nullptr);
}

void note_ignored_signals() {
  for (const int signal : kStopSignals) {
    if (is_ignored(signal)) ignored_at_start |= 1u << signal;
  }
}

void watch_stop_signals() {
  handle_stop_signals(request_stop);
}

void handle_stop_signals(void (*handler)(int)) {
  for (const int signal : kStopSignals) handle_signal(signal, handler);
}

void answer_interrupts(const char* text) {
  answer = text;
}

int stop_signal() {
  return requested;
}

void stop_if_requested() {
  if (requested != 0) throw Interrupted();
}

void die_by(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal);
  // The first process of a container ignores signals whose action is the default.
  ::_exit(128 + signal);
}

}  // namespace awend::base

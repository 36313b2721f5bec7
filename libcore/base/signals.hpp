// Stopping on request: SIGINT, SIGTERM, SIGHUP, and the warnings of batch systems, SIGUSR1, SIGUSR2
// and SIGXCPU, set a number that loops check.
#pragma once

#include <csignal>
#include <exception>

namespace awend::base {

/// A stop was requested.  Reads throw it, writes without a reader, and long loops that check for
/// it.  Unfinished output is removed during unwinding, and run_tool ends by the signal.
class Interrupted : public std::exception {};

inline constexpr int kStopSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU};

/// Remembers which of them are ignored, in case that a library replaces this before the next
/// call.  Calls only async-signal-safe functions.
void note_ignored_signals();

/// After this call, these signals request a stop instead of ending the process; a second signal of
/// the same kind ends it, except for SIGXCPU.  A signal that is ignored, as with nohup, stays
/// ignored.
void watch_stop_signals();

/// After this call, they call `handler`, except for those that are ignored.
void handle_stop_signals(void (*handler)(int));
/// The same for one signal.
void handle_signal(int signal, void (*handler)(int));

/// The text that SIGINT writes to stderr immediately; must be a literal.  Null: nothing.  The
/// signal handler writes it, since the next check of a loop may be late.
void answer_interrupts(const char* text);

/// The signal that requested a stop, or 0.
int stop_signal();
/// Throws Interrupted if there is one.
void stop_if_requested();

/// Ends this process by `signal` with its default action, so that the parent process can tell.
[[noreturn]] void die_by(int signal);

}  // namespace awend::base

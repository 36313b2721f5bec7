// Stopping on request: SIGINT, SIGTERM and SIGHUP become a number that loops check.
#pragma once

namespace awend::base {

/// From now on SIGINT, SIGTERM and SIGHUP request a stop instead of killing; a second one of the
/// same kind kills.  A signal that is ignored at this point, as by nohup, stays ignored.
void watch_stop_signals();

/// What SIGINT writes to stderr at once; must be a literal.  Null: nothing.  The signal handler
/// writes it, since a loop may take long to get to its next check.
void answer_interrupts(const char* text);

/// The signal that requested a stop, or 0.
int stop_signal();

/// Ends this process by `signal` with its default action, so that the parent sees what killed it.
[[noreturn]] void die_by(int signal);

}  // namespace awend::base

// Stopping when asked to: SIGINT and SIGTERM become a number that loops look at.
#pragma once

namespace awend::base {

/// From now on SIGINT and SIGTERM ask for a stop instead of killing; the second of a kind kills.
void watch_stop_signals();

/// The signal that asked for a stop, or 0.
int stop_signal();

/// Ends this process by `signal` with its default action, so that the parent sees what killed it.
[[noreturn]] void die_by(int signal);

}  // namespace awend::base

// Names of temporary files, which a signal that ends the process removes.
//
// Test: tests/faults/calls.sh.
#pragma once

#include <string>

namespace awend::base {

/// Remembers the name of a temporary file or directory while the object exists.
class TemporaryName {
 public:
  explicit TemporaryName(const std::string& path);
  ~TemporaryName();
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

 private:
  int slot_;
};

/// After this call, SIGINT, SIGTERM, SIGHUP and SIGPIPE remove the temporary files before they end
/// the process.  Signals that are ignored stay ignored; watch_stop_signals() replaces this for the
/// first three.
void remove_temporaries_on_signals();

}  // namespace awend::base

// Errors and broken promises.
//
// Error ends a tool with status 1, UsageError with status 2; only tools/run_tool catches them.
// check() is for promises this program makes to itself: a failure names the source line.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/concat.hpp"

namespace awend::base {

/// Something outside the program is wrong: a file, a device, a setting.  The message needs no tool
/// name in front.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The command line is wrong.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// Error whose message is the texts and numbers given, joined.
template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  throw Error(concat(parts...));
}

/// Error "name: TEXT", with the system's text for this value of errno.
[[noreturn]] void fail_errno(std::string_view name, int error_number);

/// Throws std::logic_error unless `condition` holds.
inline void check(bool condition, std::string_view promise,
                  std::source_location where = std::source_location::current()) {
  if (condition) return;
  throw std::logic_error(
      concat("internal error at ", where.file_name(), ":", where.line(), ": ", promise));
}

}  // namespace awend::base

// Errors, and checks of invariants.
//
// A tool that fails with an Error exits with status 1, with a UsageError with status 2; only
// tools/run_tool catches them.  check() is for invariants of this program: a failure names the
// source line.  Test: tests/unit/base/message_test.cpp.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/concat.hpp"
#include "base/message.hpp"

namespace awend::base {

/// A file, a device, a setting or anything else outside the program is wrong.  The message does not
/// begin with the name of the tool.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string_view text);
  explicit Error(const Message& message);
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;
  ~Error() override;  // in error.cpp, and with it the table of virtual functions

  /// The text of what(), in which settings can be replaced with the names of options.
  const Message& message() const { return message_; }

 private:
  Message message_;
};

/// The command line, or an argument of the library, is wrong.
class UsageError : public Error {
 public:
  using Error::Error;
  UsageError(const UsageError&) = default;
  UsageError& operator=(const UsageError&) = default;
  ~UsageError() override;
};

/// More of something is needed than there is.
struct Excess {
  Message what;  // "a tensor of 21 x 100 needs 8400 bytes, ..."
  std::uint64_t needed = 0;
  std::uint64_t limit = 0;
  std::vector<Setting> reduce;  // a smaller value of any of these needs less
};

/// A limit of a device or of memory is exceeded: "WHAT; reduce SETTING or SETTING".
class LimitError : public Error {
 public:
  explicit LimitError(const Excess& excess);
  LimitError(const LimitError&) = default;
  LimitError& operator=(const LimitError&) = default;
  ~LimitError() override;
  const Excess& excess() const { return excess_; }

 private:
  Excess excess_;
};

[[noreturn]] void fail(const Message& message);

/// Throws an Error whose message consists of texts, numbers, settings and messages.
template <class... Parts>
[[noreturn, gnu::cold]] void fail(const Parts&... parts) {
  fail(Message(parts...));
}

/// Throws Error "name: TEXT", TEXT being the system's description of this value of errno.
[[noreturn]] void fail_errno(std::string_view name, int error_number);

/// Throws an Error with the message of `error` after `name`.
[[noreturn]] void fail_with_name(std::string_view name, const Error& error);

/// Calls call(); the message of an Error of it gets `name` in front, a file or a part of one.
template <class Call>
auto with_name(std::string_view name, const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const Error& error) {
    fail_with_name(name, error);
  }
}

[[noreturn]] void fail_check(std::string_view invariant, const char* file, unsigned line);

/// Throws std::logic_error unless `condition` is true.  Clang 14, which Debian 12 has, knows the
/// caller's place only by these functions, not by std::source_location.
inline void check(bool condition, std::string_view invariant, const char* file = __builtin_FILE(),
                  unsigned line = __builtin_LINE()) {
  if (!condition) fail_check(invariant, file, line);
}

}  // namespace awend::base

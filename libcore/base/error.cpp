#include "base/error.hpp"

#include <cstring>

namespace awend::base {

Error::Error(std::string_view text) : Error(Message(text)) {}
Error::Error(const Message& message) : std::runtime_error(message.text()), message_(message) {}
Error::~Error() = default;

UsageError::~UsageError() = default;

LimitError::LimitError(const Excess& excess)
    : Error(Message(excess.what, "; reduce ", alternatives(excess.reduce))), excess_(excess) {}
LimitError::~LimitError() = default;

void fail(const Message& message) {
  throw Error(message);
}

void fail_with_name(std::string_view name, const Error& error) {
  fail(name, ": ", error.message());
}

void fail_check(std::string_view invariant, const char* file, unsigned line) {
  throw std::logic_error(concat("internal error at ", file, ":", line, ": ", invariant));
}

void fail_errno(std::string_view name, int error_number) {
  fail(name.empty() ? "''" : name, ": ", std::strerror(error_number));
}

}  // namespace awend::base

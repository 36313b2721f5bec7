#include "base/error.hpp"

#include <cstring>

namespace awend::base {

void fail_errno(std::string_view name, int error_number) {
  fail(name, ": ", std::strerror(error_number));
}

}  // namespace awend::base

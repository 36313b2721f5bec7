#include "base/version.hpp"

namespace awend::base {
std::string_view version() {
  return AWEND_VERSION;
}
}  // namespace awend::base

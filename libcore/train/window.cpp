#include "train/window.hpp"

namespace awend::train {

void Window::add(const Update& update, double update_seconds) {
  seconds += update_seconds;
  tokens += update.losses.tokens;
  if (!update.applied()) return;
  losses += update.losses;
  norms += update.gradient_norm;
  ++updates;
}

}  // namespace awend::train

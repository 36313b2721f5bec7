// Devices without hardware: a driver that compiles, but has neither memory nor a queue.
#pragma once

namespace awend::tests {

/// Replaces functions of vulkan/functions.hpp, which every device uses from now on: memory is that
/// of the host, recordings are empty, and submissions and waits do nothing.
void replace_hardware();

}  // namespace awend::tests

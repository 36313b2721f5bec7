// How a gradient is stored.
#pragma once

namespace awend::host {

/// Whether a gradient is written or added to.
enum class Store { kWrite, kAdd };

}  // namespace awend::host

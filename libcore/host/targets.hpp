// The instruction sets that Highway compiles a file for; included before Highway's own headers.
#pragma once

// Vectors of these have no fixed size, and cannot be elements of arrays.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif

// What all fuzz targets share: `TARGET --seeds DIR` writes the seeds into DIR; otherwise libFuzzer
// runs, with its own options.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/concat.hpp"
#include "base/error.hpp"
#include "tests/fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc != 3 || (*argv)[1] != std::string_view("--seeds")) return 0;
  int number = 0;
  for (const auto& seed : awend::tests::seeds()) {
    awend::tests::fuzz(seed);  // a seed that is refused would be a programming error
    std::ofstream file(awend::base::concat((*argv)[2], "/seed-", number++), std::ios::binary);
    file << seed << std::flush;
    if (!file) std::abort();
  }
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    awend::tests::fuzz({reinterpret_cast<const char*>(data), size});
  } catch (const awend::base::Error&) {
    return 0;  // refused, which is what an Error is for
  }
  return 0;
}

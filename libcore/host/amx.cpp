#include "host/amx.hpp"

#include "base/error.hpp"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace awend::host {
namespace {

// Of leaf 7 of CPUID, in EDX.
constexpr unsigned kBfloat16 = 1U << 22, kTiles = 1U << 24, kInt8 = 1U << 25;

/// Linux saves the registers of a process only after it has asked for them.
bool system_saves_registers() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

bool has(unsigned features) {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  if ((edx & features) != features || __builtin_cpu_supports("avx512f") == 0) return false;
  static const bool saves = system_saves_registers();
  return saves;
}

/// The operand of LDTILECFG.
struct alignas(64) Configuration {
  std::uint8_t palette = 1;
  std::uint8_t first_row = 0;
  std::array<std::uint8_t, 14> reserved = {};
  std::array<std::uint16_t, 16> row_bytes = {};
  std::array<std::uint8_t, 16> rows = {};
};

constexpr Configuration make_configuration() {
  constexpr std::size_t kRegisters = 8;
  Configuration configuration;
  for (std::size_t i = 0; i < kRegisters; ++i) {
    configuration.row_bytes[i] = kAmxRowBytes;
    configuration.rows[i] = kAmxRows;
  }
  return configuration;
}

// Constant data: the compiler does not know that the instruction reads all of it.
constexpr Configuration kConfiguration = make_configuration();

[[gnu::target("amx-tile")]] void configure() {
  _tile_loadconfig(&kConfiguration);
}

[[gnu::target("amx-tile")]] void release() {
  _tile_release();
}

}  // namespace

bool has_amx_int8() {
  static const bool has_it = has(kTiles | kInt8);
  return has_it;
}

bool has_amx_bfloat16() {
  static const bool has_it = has(kTiles | kBfloat16);
  return has_it;
}

AmxRegisters::AmxRegisters() {
  configure();
}

AmxRegisters::~AmxRegisters() {
  release();
}

}  // namespace awend::host
#else
namespace awend::host {

bool has_amx_int8() {
  return false;
}

bool has_amx_bfloat16() {
  return false;
}

AmxRegisters::AmxRegisters() {
  base::check(false, "the processor has AMX");
}

AmxRegisters::~AmxRegisters() = default;

}  // namespace awend::host
#endif

#include "nn/staging.hpp"

#include <algorithm>
#include <cstring>

#include "vulkan/recording.hpp"

namespace awend::nn {
namespace {

constexpr std::uint64_t kPieceBytes = std::uint64_t{16} << 20;

template <class Move>
void each_piece(std::uint64_t total, const Move& move) {
  for (std::uint64_t at = 0; at < total; at += kPieceBytes)
    move(at, std::min(kPieceBytes, total - at));
}

}  // namespace

Staging::Staging(vulkan::Device& device, vulkan::MemoryKind kind, std::uint64_t max_bytes)
    : device_(device), arena_(device, kind, std::min(kPieceBytes, max_bytes)) {}

void Staging::upload(std::span<const std::byte> bytes, const vulkan::Range& to) {
  each_piece(bytes.size(), [&](std::uint64_t at, std::uint64_t size) {
    const auto stage = arena_.range(0, size);
    std::memcpy(stage.host, bytes.data() + at, size);
    copy(stage, to.part(at, size));
  });
}

void Staging::download(const vulkan::Range& from, std::span<std::byte> bytes) {
  each_piece(bytes.size(), [&](std::uint64_t at, std::uint64_t size) {
    const auto stage = arena_.range(0, size);
    copy(from.part(at, size), stage);
    std::memcpy(bytes.data() + at, stage.host, size);
  });
}

void Staging::copy(const vulkan::Range& from, const vulkan::Range& to) {
  vulkan::Recording recording(device_);
  recording.copy(from, to);
  recording.replay();
}

}  // namespace awend::nn

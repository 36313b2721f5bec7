#include "nn/engine.hpp"

#include <limits>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "host/bfloat16_product.hpp"
#include "host/product.hpp"
#include "host/thread_pool.hpp"
#include "nn/gpu.hpp"
#include "vulkan/memory.hpp"

namespace awend::nn {
namespace {

vulkan::Limits limits_of_processor() {
  vulkan::Limits limits{};
  constexpr auto kAny = std::numeric_limits<std::uint64_t>::max();
  limits.heap_bytes = base::usable_memory_bytes();
  limits.storage_range_bytes = kAny;
  // Of sums of addresses; memory ends long before.
  limits.allocation_bytes = kAny / 4;
  limits.storage_alignment = 64;
  limits.subgroup_size = 8;
  limits.hardware_lanes = limits.subgroup_size;
  limits.on_cpu = true;
  return limits;
}

}  // namespace

std::string_view reason_for_processor(std::string_view requested) {
  return requested.empty() ? "no GPU was found" : "named by 'cpu'";
}

Engine::Engine(const DeviceChoice& choice) {
  if (choice.requested != kProcessor) {
    auto found = vulkan::Device::open(choice.requested, choice.turn);
    if (found.device) gpu_ = std::make_unique<Gpu>(std::move(found.device));
    caution_ = std::move(found.caution);
  }
  if (gpu_) return;
  reason_ = reason_for_processor(choice.requested);
  limits_ = limits_of_processor();
  threads_ = std::make_unique<host::ThreadPool>(choice.threads > 0 ? choice.threads
                                                                   : base::processor_share());
}

Engine::~Engine() = default;

const vulkan::Limits& Engine::limits() const {
  return gpu_ ? gpu_->device.limits() : limits_;
}

bool Engine::computes(Element operands) const {
  if (gpu_ || operands == Element::kFloat32) return true;
  return operands == Element::kBfloat16 && host::bfloat16_unit() != host::Bfloat16Unit::kNone;
}

void Engine::require(Element operands) const {
  if (computes(operands)) return;
  base::fail("the device ", kProcessor, " does not compute in ", name_of(operands), "; it needs ",
             operands == Element::kBfloat16 ? "a processor with AMX or AVX512_BF16, or " : "",
             "a Vulkan device, such as a GPU or llvmpipe");
}

vulkan::Pace Engine::pace() const {
  return gpu_ ? gpu_->device.pace() : vulkan::Pace{};
}

std::string Engine::name() const {
  return gpu_ ? gpu_->device.info().name : kProcessor;
}

std::string Engine::id() const {
  return gpu_ ? gpu_->device.info().uuid : kProcessor;
}

std::string Engine::description() const {
  if (gpu_) return gpu_->device.description();
  return base::concat(kProcessor, ", ", host::instruction_set(), ", ", threads_->size(),
                      threads_->size() == 1 ? " thread" : " threads", ": ", reason_);
}

std::string Engine::caution() const {
  return gpu_ ? gpu_->device.caution() : caution_;
}

std::uint64_t Engine::allocated_bytes() const {
  return gpu_ ? gpu_->device.arena_bytes() : allocated_bytes_.load();
}

std::uint64_t Engine::usable_bytes() const {
  return gpu_ ? vulkan::usable_bytes(gpu_->device) : limits_.heap_bytes / 2;
}

std::string Engine::caution_about_memory() const {
  return gpu_ ? vulkan::caution_about(vulkan::memory_use(gpu_->device)) : "";
}

unsigned Engine::concurrency() const {
  return on_processor() ? threads_->size() : 1;
}

host::ThreadPool& Engine::threads() const {
  base::check(on_processor(), "the processor computes");
  return *threads_;
}

Gpu& Engine::gpu() const {
  base::check(!on_processor(), "a Vulkan device computes");
  return *gpu_;
}

}  // namespace awend::nn

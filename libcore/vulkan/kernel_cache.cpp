#include "vulkan/kernel_cache.hpp"

#include <algorithm>
#include <atomic>
#include <optional>

#include "base/machine.hpp"
#include "base/parallel.hpp"
#include "vulkan/first_dispatch.hpp"

namespace awend::vulkan {

void KernelCache::prepare(std::vector<KernelKey> keys) {
  std::erase_if(keys, [&](const KernelKey& key) { return kernels_.contains(key); });
  std::ranges::sort(keys);
  keys.erase(std::ranges::unique(keys).begin(), keys.end());
  if (keys.empty()) return;

  std::vector<std::optional<Kernel>> made(keys.size());
  std::atomic<std::size_t> next = 0;
  const auto threads = std::min<std::size_t>(base::processor_share(), keys.size());
  base::run_on_threads(static_cast<unsigned>(threads), [&](unsigned) {
    for (std::size_t i = next++; i < keys.size(); i = next++)
      made[i].emplace(device_, keys[i].name, keys[i].constants, pipelines_.get());
  });
  std::vector<const Kernel*> ready;
  for (std::size_t i = 0; i < keys.size(); ++i)
    ready.push_back(&kernels_.emplace(keys[i], std::move(*made[i])).first->second);
  pipelines_.save();
  if (device_.limits().compiles_at_dispatch) compile_by_dispatch(device_, keys, ready);
}

const Kernel& KernelCache::get(std::string_view name, std::span<const std::uint32_t> constants) {
  const KernelKey key{std::string(name), {constants.begin(), constants.end()}};
  const auto found = kernels_.find(key);
  if (found != kernels_.end()) return found->second;
  prepare({key});
  return kernels_.at(key);
}

}  // namespace awend::vulkan

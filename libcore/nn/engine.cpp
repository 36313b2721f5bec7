#include "nn/engine.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "host/product.hpp"

namespace awend::nn {

void Engine::choose_products(Products products, unsigned threads) {
  const bool on_cpu = device.limits().on_cpu;
  if (products == Products::kHost && !on_cpu) {
    base::fail(device.info().name,
               ": the host can compute products only for a device of type CPU, whose memory it "
               "shares");
  }
  host_threads.reset();
  if (products == Products::kShader || !on_cpu) return;
  host_threads = std::make_unique<host::ThreadPool>(threads > 0 ? threads : base::processors());
}

std::string Engine::products_description() const {
  if (!host_threads) return "products: by shaders";
  return base::concat("products: by the host, ", host::instruction_set(), ", ",
                      host_threads->size(), host_threads->size() == 1 ? " thread" : " threads");
}

}  // namespace awend::nn

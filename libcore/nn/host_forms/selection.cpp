#include "host/selection.hpp"

#include "nn/host_forms.hpp"
#include "shaders/op_mixture.h"
#include "shaders/op_sample.h"
#include "shaders/op_top_k.h"

namespace awend::nn {
namespace {

template <class KernelLaunch>
host::Distributions distributions_of(const KernelLaunch& launch, const HostView& view) {
  return {.rows = view.count(launch.push.rows_count),
          .columns = launch.constants.columns,
          .vocabulary = launch.push.vocabulary,
          .logits = view.floats(launch.operands.logits)};
}

}  // namespace

std::unique_ptr<HostWork> host_form(const TopKLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::top_k(view.threads(),
                {.distributions = distributions_of(launch, view),
                 .k = launch.constants.k,
                 .no_token = NO_TOKEN,
                 .forced_id = view.words(launch.operands.forced_id),
                 .ids = view.words(launch.operands.ids),
                 .log_probabilities = view.floats(launch.operands.log_probabilities)});
  });
}

std::unique_ptr<HostWork> host_form(const SampleLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::sample(view.threads(),
                 {.distributions = distributions_of(launch, view),
                  .top_k = launch.push.top_k,
                  .top_p = launch.push.top_p,
                  .inverse_temperature = launch.push.inverse_temperature,
                  .no_token = NO_TOKEN,
                  .forced_id = view.words(launch.operands.forced_id),
                  .keys = view.words(launch.operands.keys),
                  .ids = view.words(launch.operands.ids),
                  .log_probabilities = view.floats(launch.operands.log_probabilities)});
  });
}

std::unique_ptr<HostWork> host_form(const MixtureLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::mix(view.threads(),
              {.distributions = distributions_of(launch, view),
               .mixing = launch.constants.linear != 0 ? host::Mixing::kLinear : host::Mixing::kLog,
               .is_first = launch.constants.first != 0,
               .weight = launch.push.weight,
               .mixture = view.floats(launch.operands.mixture)});
  });
}

}  // namespace awend::nn

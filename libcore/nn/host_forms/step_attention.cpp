#include "host/step_attention.hpp"

#include "nn/host_forms.hpp"
#include "nn/host_forms/rows.hpp"
#include "shaders/op_step_attention.h"
#include "shaders/op_step_attention_keys.h"

namespace awend::nn {
namespace {

host::Score score_of(std::uint32_t additive) {
  return additive != 0 ? host::Score::kAdditive : host::Score::kProduct;
}

template <class Launch>
host::Attended attended_of(const HostView& view, const Launch& launch) {
  const auto& constants = launch.constants;
  const bool is_linear = constants.switched != 0 && view.floats(launch.operands.softmax)[0] == 0;
  return {
      .score = score_of(constants.additive),
      .columns = constants.columns,
      .value_columns = constants.value_columns,
      .stride = constants.stride,
      .weights = is_linear ? host::Attended::Weights::kScores : host::Attended::Weights::kSoftmax};
}

}  // namespace

std::unique_ptr<HostWork> host_form(const StepAttentionLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& t = launch.operands;
    const bool keeps = launch.constants.keep != 0;
    host::step_attention(view.threads(), {.step = step_of(view, launch),
                                          .attended = attended_of(view, launch),
                                          .ranges = view.words(t.ranges),
                                          .q = view.floats(t.q),
                                          .v = view.floats(t.v),
                                          .k = view.floats(t.k),
                                          .values = view.floats(t.values),
                                          .context = view.floats(t.context),
                                          .contexts = view.floats(t.contexts),
                                          .queries = keeps ? view.floats(t.queries) : nullptr,
                                          .weights = keeps ? view.floats(t.weights) : nullptr});
  });
}

std::unique_ptr<HostWork> host_form(const StepAttentionBackwardLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& t = launch.operands;
    host::step_attention_backward(view.threads(), {.step = step_of(view, launch),
                                                   .attended = attended_of(view, launch),
                                                   .ranges = view.words(t.ranges),
                                                   .queries = view.floats(t.queries),
                                                   .v = view.floats(t.v),
                                                   .k = view.floats(t.k),
                                                   .values = view.floats(t.values),
                                                   .weights = view.floats(t.weights),
                                                   .dcontexts = view.floats(t.dcontexts),
                                                   .dscores = view.floats(t.dscores),
                                                   .dq = view.floats(t.dq),
                                                   .dqueries = view.floats(t.dqueries),
                                                   .store = store_of(launch.constants.add)});
  });
}

std::unique_ptr<HostWork> host_form(const StepAttentionKeysLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& t = launch.operands;
    const auto& c = launch.constants;
    host::step_attention_keys(view.threads(), {.rows = view.count(launch.push.rows_count),
                                               .attended = {.score = score_of(c.additive),
                                                            .columns = c.columns,
                                                            .value_columns = 0,
                                                            .stride = c.stride},
                                               .queries_of_key = view.words(t.queries_of_key),
                                               .keys_of_query = view.words(t.keys_of_query),
                                               .queries = view.floats(t.queries),
                                               .v = view.floats(t.v),
                                               .k = view.floats(t.k),
                                               .dscores = view.floats(t.dscores),
                                               .dk = view.floats(t.dk),
                                               .dv = view.floats(t.dv),
                                               .store = store_of(c.add)});
  });
}

std::unique_ptr<HostWork> host_form(const StepAttentionValuesLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& t = launch.operands;
    const auto& c = launch.constants;
    host::step_attention_values(view.threads(), {.rows = view.count(launch.push.rows_count),
                                                 .attended = {.score = host::Score::kProduct,
                                                              .columns = 0,
                                                              .value_columns = c.columns,
                                                              .stride = c.stride},
                                                 .queries_of_key = view.words(t.queries_of_key),
                                                 .keys_of_query = view.words(t.keys_of_query),
                                                 .weights = view.floats(t.weights),
                                                 .dcontexts = view.floats(t.dcontexts),
                                                 .dvalues = view.floats(t.dvalues),
                                                 .store = store_of(c.add)});
  });
}

}  // namespace awend::nn

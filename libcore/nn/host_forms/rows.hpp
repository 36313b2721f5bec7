// What host forms have in common: how gradients are stored, and the rows of steps and sentences.
#pragma once

#include <cstdint>

#include "host/recurrent.hpp"
#include "host/sentence_rows.hpp"
#include "host/store.hpp"
#include "nn/launch.hpp"

namespace awend::nn {

inline host::Store store_of(std::uint32_t add) {
  return add != 0 ? host::Store::kAdd : host::Store::kWrite;
}

/// The rows of a launch with the members of shaders/op_lstm.h.
template <class KernelLaunch>
host::StepOfRows step_of(const HostView& view, const KernelLaunch& launch) {
  return {.rows = view.count(launch.push.rows_count),
          .columns = launch.constants.columns,
          .table = view.words(launch.operands.table) + view.count(launch.push.rows_count + 1)};
}

/// The sentences of a launch with the members of shaders/op_ssru.h.
template <class KernelLaunch>
host::SentenceRows sentences_of(const HostView& view, const KernelLaunch& launch) {
  return {.sentences = view.count(launch.push.sentences_count),
          .columns = launch.constants.columns,
          .ranges = view.words(launch.operands.ranges)};
}

}  // namespace awend::nn

// The host forms of launches: the computation of a kernel by the functions of the module host.
//
// An operation appends a launch by program.launch(with_host_form(LayerNormLaunch{…})).  The tests
// of an operation in tests/kernels run with kernels and with host forms.
#pragma once

#include <memory>

#include "nn/launch.hpp"

namespace awend::nn {

struct ActivationBackwardLaunch;
struct ActivationLaunch;
struct AdamLaunch;
struct AdjustLaunch;
struct AttentionBackwardKeyLaunch;
struct AttentionBackwardQueryLaunch;
struct AttentionCachedLaunch;
struct AttentionLaunch;
struct AttentionWeightsLaunch;
struct ColumnSumFinalLaunch;
struct ColumnSumLaunch;
struct ColumnSumNormLaunch;
struct EmbeddingBackwardLaunch;
struct EmbeddingLaunch;
struct LayerNormBackwardLaunch;
struct LayerNormLaunch;
struct LossLaunch;
struct MixtureLaunch;
struct MovingAverageLaunch;
struct ReluBackwardLaunch;
struct ResidualBackwardLaunch;
struct ResidualLaunch;
struct RowSumLaunch;
struct SampleLaunch;
struct SquareSumLaunch;
struct StoreRowsLaunch;
struct TopKLaunch;

std::unique_ptr<HostWork> host_form(const ActivationBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const ActivationLaunch& launch);
std::unique_ptr<HostWork> host_form(const AdamLaunch& launch);
std::unique_ptr<HostWork> host_form(const AdjustLaunch& launch);
std::unique_ptr<HostWork> host_form(const AttentionBackwardKeyLaunch& launch);
std::unique_ptr<HostWork> host_form(const AttentionBackwardQueryLaunch& launch);
std::unique_ptr<HostWork> host_form(const AttentionCachedLaunch& launch);
std::unique_ptr<HostWork> host_form(const AttentionLaunch& launch);
std::unique_ptr<HostWork> host_form(const AttentionWeightsLaunch& launch);
std::unique_ptr<HostWork> host_form(const ColumnSumFinalLaunch& launch);
std::unique_ptr<HostWork> host_form(const ColumnSumLaunch& launch);
std::unique_ptr<HostWork> host_form(const ColumnSumNormLaunch& launch);
std::unique_ptr<HostWork> host_form(const EmbeddingBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const EmbeddingLaunch& launch);
std::unique_ptr<HostWork> host_form(const LayerNormBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const LayerNormLaunch& launch);
std::unique_ptr<HostWork> host_form(const LossLaunch& launch);
std::unique_ptr<HostWork> host_form(const MixtureLaunch& launch);
std::unique_ptr<HostWork> host_form(const MovingAverageLaunch& launch);
std::unique_ptr<HostWork> host_form(const ReluBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const ResidualBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const ResidualLaunch& launch);
std::unique_ptr<HostWork> host_form(const RowSumLaunch& launch);
std::unique_ptr<HostWork> host_form(const SampleLaunch& launch);
std::unique_ptr<HostWork> host_form(const SquareSumLaunch& launch);
std::unique_ptr<HostWork> host_form(const StoreRowsLaunch& launch);
std::unique_ptr<HostWork> host_form(const TopKLaunch& launch);

}  // namespace awend::nn

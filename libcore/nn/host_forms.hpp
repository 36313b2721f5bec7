// The host forms of launches: the computation of a kernel by the functions of the module host.
//
// An operation appends a launch by program.launch(with_host_form(launch)).  The tests
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
struct EmbeddingBagBackwardLaunch;
struct EmbeddingBagLaunch;
struct EmbeddingLaunch;
struct FeedBackwardLaunch;
struct FeedLaunch;
struct GruBackwardLaunch;
struct GruLaunch;
struct LayerNormBackwardLaunch;
struct LayerNormLaunch;
struct LossLaunch;
struct LstmBackwardLaunch;
struct LstmLaunch;
struct MeanRowsBackwardLaunch;
struct MeanRowsLaunch;
struct MixtureLaunch;
struct MoveRowsLaunch;
struct MovingAverageLaunch;
struct ReluBackwardLaunch;
struct ResidualBackwardLaunch;
struct ResidualLaunch;
struct RowDropoutLaunch;
struct RowSumLaunch;
struct SampleLaunch;
struct SquareSumLaunch;
struct SsruBackwardLaunch;
struct SsruLaunch;
struct StepAttentionBackwardLaunch;
struct StepAttentionKeysLaunch;
struct StepAttentionLaunch;
struct StepAttentionValuesLaunch;
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
std::unique_ptr<HostWork> host_form(const EmbeddingBagBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const EmbeddingBagLaunch& launch);
std::unique_ptr<HostWork> host_form(const EmbeddingLaunch& launch);
std::unique_ptr<HostWork> host_form(const FeedBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const FeedLaunch& launch);
std::unique_ptr<HostWork> host_form(const GruBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const GruLaunch& launch);
std::unique_ptr<HostWork> host_form(const LayerNormBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const LayerNormLaunch& launch);
std::unique_ptr<HostWork> host_form(const LossLaunch& launch);
std::unique_ptr<HostWork> host_form(const LstmBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const LstmLaunch& launch);
std::unique_ptr<HostWork> host_form(const MeanRowsBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const MeanRowsLaunch& launch);
std::unique_ptr<HostWork> host_form(const MixtureLaunch& launch);
std::unique_ptr<HostWork> host_form(const MoveRowsLaunch& launch);
std::unique_ptr<HostWork> host_form(const MovingAverageLaunch& launch);
std::unique_ptr<HostWork> host_form(const ReluBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const ResidualBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const ResidualLaunch& launch);
std::unique_ptr<HostWork> host_form(const RowDropoutLaunch& launch);
std::unique_ptr<HostWork> host_form(const RowSumLaunch& launch);
std::unique_ptr<HostWork> host_form(const SampleLaunch& launch);
std::unique_ptr<HostWork> host_form(const SquareSumLaunch& launch);
std::unique_ptr<HostWork> host_form(const SsruBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const SsruLaunch& launch);
std::unique_ptr<HostWork> host_form(const StepAttentionBackwardLaunch& launch);
std::unique_ptr<HostWork> host_form(const StepAttentionKeysLaunch& launch);
std::unique_ptr<HostWork> host_form(const StepAttentionLaunch& launch);
std::unique_ptr<HostWork> host_form(const StepAttentionValuesLaunch& launch);
std::unique_ptr<HostWork> host_form(const StoreRowsLaunch& launch);
std::unique_ptr<HostWork> host_form(const TopKLaunch& launch);

}  // namespace awend::nn

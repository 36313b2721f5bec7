// The host forms of launches: the computation of a kernel by the functions of the module host.
//
// An operation appends a launch by program.launch(with_host_form(LayerNormLaunch{…})).  The tests
// of an operation in tests/kernels run with kernels and with host forms.
#pragma once

#include <memory>

#include "nn/launch.hpp"

namespace awend::nn {

struct AdjustLaunch;
struct AttentionCachedLaunch;
struct LayerNormLaunch;
struct MixtureLaunch;
struct SampleLaunch;
struct StoreRowsLaunch;
struct TopKLaunch;

std::unique_ptr<HostWork> host_form(const AdjustLaunch& launch);
std::unique_ptr<HostWork> host_form(const AttentionCachedLaunch& launch);
std::unique_ptr<HostWork> host_form(const LayerNormLaunch& launch);
std::unique_ptr<HostWork> host_form(const MixtureLaunch& launch);
std::unique_ptr<HostWork> host_form(const SampleLaunch& launch);
std::unique_ptr<HostWork> host_form(const StoreRowsLaunch& launch);
std::unique_ptr<HostWork> host_form(const TopKLaunch& launch);

}  // namespace awend::nn

#include "train/ranks/rank_agreement.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "model/checkpoint.hpp"
#include "train/state_text.hpp"

namespace awend::train {
namespace {

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

std::string text_of_first(Ranks& ranks, std::string text) {
  if (ranks.size() == 1) return text;
  std::uint64_t size = text.size();
  ranks.broadcast(std::as_writable_bytes(std::span(&size, 1)));
  text.resize(size);
  ranks.broadcast(std::as_writable_bytes(std::span(text)));
  return text;
}

void in_turn(Ranks& ranks, const std::function<void()>& work) {
  const int own_turn = ranks.rank() == 0 ? 0 : ranks.local_rank() == 0 ? 1 : 2;
  for (int turn = 0; turn < 3; ++turn) {
    if (turn == own_turn) work();
    if (ranks.size() > 1) ranks.wait_for_all();
  }
}

void require_files(const Ranks& ranks, const RunSettings& settings) {
  if (ranks.size() == 1) return;
  std::vector<std::string> paths{settings.vocabulary};
  for (const auto& [files, weight] : settings.texts.training)
    paths.insert(paths.end(), {files.source, files.target, files.alignments});
  for (const auto& path : paths) {
    std::error_code error;
    if (path.empty() || std::filesystem::is_regular_file(path, error)) continue;
    if (path != "-" && !std::filesystem::exists(path, error)) base::fail_errno(path, ENOENT);
    base::fail(path, ": not a file, but ", ranks.size(), " ranks read it");
  }
}

void require_same_run(Ranks& ranks, const Identity& identity, const RunLimits& limits) {
  const auto own = base::concat(model::to_settings(identity.config).to_json(),
                                to_settings(identity.recipe).to_json(), identity.vocabulary, ' ',
                                identity.corpus_fingerprint, ' ', limits.valid_every, ' ',
                                limits.save_every, ' ', limits.keep_best > 0);
  if (text_of_first(ranks, own) == own) return;
  base::fail(
      "this rank was given other settings, another vocabulary or another corpus than rank 0");
}

std::uint32_t report_devices(Ranks& ranks, const nn::Engine& engine, const base::Report& report) {
  if (ranks.size() == 1) return 1;
  const auto own = base::concat(machine_name(), ": ", engine.name(),
                                engine.on_processor() ? "" : base::concat(" (", engine.id(), ")"));
  const auto places = ranks.gather(own);
  const auto gpus = ranks.gather(engine.limits().on_cpu ? "" : own);
  std::map<std::string, int> ranks_on;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    report.note(base::concat("rank ", rank, " of ", ranks.size(), ": ", places[rank]));
    if (!gpus[rank].empty()) ++ranks_on[gpus[rank]];
  }
  for (const auto& [gpu, count] : ranks_on) {
    if (count > 1) report.warning(base::concat(gpu, ": ", count, " ranks share this GPU"));
  }
  return static_cast<std::uint32_t>(std::ranges::count(places, own));
}

RunState share_state(Ranks& ranks, const RunState& state, Trainer& trainer) {
  if (ranks.size() == 1) return state;
  RunState own = state;
  own.counts = trainer.counts();  // of a new run: it has the initial loss scale
  const auto numbers = text_of_first(ranks, to_settings(own).to_json());
  const auto history = text_of_first(ranks, history_to_settings(own).to_json());
  auto& parameters = trainer.parameters();
  using Buffer = nn::Parameters::Buffer;
  std::vector<Buffer> buffers = {Buffer::kValues, Buffer::kMoment1, Buffer::kMoment2};
  if (parameters.keeps_average()) buffers.push_back(Buffer::kAverage);
  for (const auto buffer : buffers) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      auto values = parameters.read(parameters.parameter(i), buffer);
      ranks.broadcast(std::as_writable_bytes(std::span(values)));
      if (ranks.rank() != 0) parameters.write(parameters.parameter(i), values, buffer);
    }
  }
  const std::string from = "rank 0";
  const auto shared = state_from_settings(store::Settings::from_json(numbers, from),
                                          store::Settings::from_json(history, from));
  trainer.set_counts(shared.counts);
  return shared;
}

}  // namespace awend::train

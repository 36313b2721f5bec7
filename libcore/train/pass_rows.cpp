#include "train/pass_rows.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "train/setting_names.hpp"

namespace awend::train {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;

class Fit {
 public:
  Fit(nn::Engine& engine, const model::ModelView& model, const PassBounds& bounds)
      : engine_(engine), model_(model), bounds_(bounds) {}

  /// All device memory of the process with passes of this many rows.
  std::uint64_t bytes(std::uint32_t rows) const {
    const auto pass = [&](nn::Mode mode) {
      return forward::Pass(
                 engine_, model_,
                 {.rows = rows,
                  .mode = mode,
                  .longest = bounds_.min_rows,
                  .guided_alignment =
                      mode == nn::Mode::kTraining ? bounds_.guided_alignment : std::nullopt})
          .plan();
    };
    return engine_.allocated_bytes() + bounds_.optimizer_bytes + pass(nn::Mode::kTraining) +
           (bounds_.validates ? pass(nn::Mode::kInference) : 0);
  }

  std::uint64_t budget() const {
    return memory_budget(engine_, bounds_.budget_bytes, bounds_.sharers);
  }

  bool fits(std::uint32_t rows) const {
    // A pass is planned in this machine's memory, where one far too large does not fit, either.
    const std::uint64_t width = model_.model->config().d_model;
    if (rows * width * sizeof(float) > budget()) return false;
    try {
      return bytes(rows) <= budget();
    } catch (const base::Error&) {  // a limit of the device, which fewer rows may not exceed
      return false;
    }
  }

 private:
  nn::Engine& engine_;
  const model::ModelView& model_;
  const PassBounds& bounds_;
};

}  // namespace

std::uint64_t memory_budget(const nn::Engine& engine, std::uint64_t requested,
                            std::uint32_t sharers) {
  return requested > 0 ? requested : engine.usable_bytes() / sharers;
}

std::uint32_t rows_that_fit(nn::Engine& engine, const model::ModelView& model,
                            const PassBounds& bounds) {
  const Fit fit(engine, model, bounds);
  for (std::uint32_t passes = 1;; passes = std::max(passes + 1, passes * 5 / 4)) {
    const std::uint32_t rows = base::divide_up(bounds.max_rows, passes);
    if (rows <= bounds.min_rows) break;
    if (fit.fits(rows)) return rows;
  }
  const auto needed = fit.bytes(bounds.min_rows);  // throws if a limit is exceeded
  if (needed > fit.budget()) {
    std::vector<base::Setting> settings = {kMaxLength, nn::kModelDimension,
                                           nn::kFeedForwardDimension, nn::kVocabularySize};
    if (bounds.translates) settings.push_back(nn::kBeamSize);
    throw base::LimitError(
        {base::Message("training needs ", base::divide_up(needed, kMib),
                       " MiB of device memory for its longest sentence of ", bounds.min_rows,
                       " tokens, but only ", fit.budget() / kMib, " MiB are available"),
         needed, fit.budget(), std::move(settings)});
  }
  return bounds.min_rows;
}

}  // namespace awend::train

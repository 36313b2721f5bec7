#include "train/pass_rows.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "train/setting_names.hpp"

namespace awend::train {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;

class Fit {
 public:
  Fit(nn::Engine& engine, nn::Parameters& parameters, const model::Transformer& transformer,
      const PassBounds& bounds)
      : engine_(engine), parameters_(parameters), transformer_(transformer), bounds_(bounds) {}

  /// All that the process would have on the device.
  std::uint64_t bytes(std::uint32_t rows) const {
    const auto pass = [&](nn::Mode mode) {
      return Pass::bytes(engine_, parameters_, transformer_, rows, mode);
    };
    return engine_.device.arena_bytes() + pass(nn::Mode::kTraining) +
           (bounds_.validates ? pass(nn::Mode::kInference) : 0);
  }

  std::uint64_t budget() const {
    return bounds_.budget_bytes > 0 ? bounds_.budget_bytes
                                    : vulkan::usable_bytes(engine_.device) / bounds_.sharers;
  }

  bool fits(std::uint32_t rows) const {
    try {
      return bytes(rows) <= budget();
    } catch (const base::Error&) {  // a limit of the device, which fewer rows may keep
      return false;
    }
  }

 private:
  nn::Engine& engine_;
  nn::Parameters& parameters_;
  const model::Transformer& transformer_;
  const PassBounds& bounds_;
};

}  // namespace

std::uint32_t rows_that_fit(nn::Engine& engine, nn::Parameters& parameters,
                            const model::Transformer& transformer, const PassBounds& bounds) {
  const Fit fit(engine, parameters, transformer, bounds);
  for (std::uint32_t passes = 1;; passes = std::max(passes + 1, passes * 5 / 4)) {
    const std::uint32_t rows = (bounds.most_rows + passes - 1) / passes;
    if (rows <= bounds.least_rows) break;
    if (fit.fits(rows)) return rows;
  }
  const auto needed = fit.bytes(bounds.least_rows);  // or says which limit is in the way
  if (needed > fit.budget()) {
    throw base::LimitError(
        {base::Message("training needs ", (needed + kMib - 1) / kMib,
                       " MiB of device memory for its longest sentence of ", bounds.least_rows,
                       " tokens, but only ", fit.budget() / kMib, " MiB are available"),
         needed,
         fit.budget(),
         {kMaxLength, nn::kModelDimension, nn::kFeedForwardDimension, nn::kVocabularySize}});
  }
  return bounds.least_rows;
}

}  // namespace awend::train

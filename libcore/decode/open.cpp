#include "decode/open.hpp"

#include "base/error.hpp"
#include "decode/translation_parts.hpp"

namespace awend::decode {

TranslationModel::TranslationModel(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TranslationModel::~TranslationModel() = default;
TranslationModel::TranslationModel(TranslationModel&&) noexcept = default;
TranslationModel& TranslationModel::operator=(TranslationModel&&) noexcept = default;

std::vector<std::vector<Translation>> TranslationModel::translate(
    std::span<const std::string> lines, LineForm form) {
  base::check(!has_work(), "no other lines are in progress");
  std::vector<std::vector<Translation>> all;
  const auto take_available = [&] {
    while (auto translations = take()) all.push_back(std::move(*translations));
  };
  for (const auto& line : lines) {
    while (!accepts_input()) {
      step();
      take_available();
    }
    put(line, form);
  }
  while (has_work()) {
    step();
    take_available();
  }
  return all;
}

void TranslationModel::put(std::string_view line, LineForm form, std::string_view prefix) {
  parts_->translator();
  auto source = parts_->read_source(line, form);
  parts_->require_whole(source);
  parts_->put(std::move(source), form, parts_->targets.ids_of(prefix, form));
}

bool TranslationModel::accepts_input() const {
  return parts_->translator().accepts_input();
}

bool TranslationModel::has_work() const {
  return parts_->translator().has_work();
}

void TranslationModel::step() {
  parts_->translator().step();
}

std::optional<std::vector<Translation>> TranslationModel::take() {
  return parts_->take();
}

TranslationModel open(const std::string& path, const OpenOptions& options) {
  return open({&path, 1}, options);
}

TranslationModel open(std::span<const std::string> paths, const OpenOptions& options) {
  std::vector<Checkpoint> checkpoints;
  for (const auto& path : paths) checkpoints.push_back(open_checkpoint(path));
  return open(std::move(checkpoints), options);
}

TranslationModel open(std::vector<Checkpoint> checkpoints, const OpenOptions& options) {
  if (checkpoints.empty()) throw base::UsageError("no model is given");
  return TranslationModel(std::make_unique<TranslationModel::Parts>(checkpoints, options));
}

}  // namespace awend::decode

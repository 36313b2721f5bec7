#include "nn/engine_start.hpp"

#include "nn/matrix_check.hpp"
#include "vulkan/memory.hpp"

namespace awend::nn {

void start(Engine& engine, const EngineSettings& settings, const base::Report& report) {
  engine.choose_products(settings.products, settings.threads);
  report.note(engine.device.description());
  report.note(engine.products_description());
  if (const auto caution = engine.device.caution(); !caution.empty()) report.warning(caution);
  const MatrixCheck check = check_matrix_units(engine, settings.precision);
  if (!check.warning.empty()) report.warning(check.warning);
  if (!check.note.empty()) report.note(check.note);
}

void report_memory(const Engine& engine, const base::Report& report) {
  const auto caution = vulkan::caution_about(vulkan::memory_use(engine.device));
  if (!caution.empty()) report.warning(caution);
}

}  // namespace awend::nn

#include "nn/engine_start.hpp"

#include "nn/matrix_check.hpp"

namespace awend::nn {

void start(Engine& engine, Element precision, const base::Report& report) {
  engine.require(precision);
  report.note(engine.description());
  if (const auto caution = engine.caution(); !caution.empty()) report.warning(caution);
  const MatrixCheck check = check_matrix_units(engine, precision);
  if (!check.warning.empty()) report.warning(check.warning);
  if (!check.note.empty()) report.note(check.note);
}

void report_memory(const Engine& engine, const base::Report& report) {
  const auto caution = engine.caution_about_memory();
  if (!caution.empty()) report.warning(caution);
}

}  // namespace awend::nn

#include "interchange/streamed_weights.hpp"

#include "interchange/foreign_weights.hpp"

namespace awend::interchange {

store::StreamedArray streamed(const ConvertedModel& model, const model::WeightShape& weight,
                              const Location& location) {
  const auto name = weight.name();
  if (location.order == Location::Order::kTransposed) {
    return {location.name,
            {weight.columns, weight.rows},
            [&weights = model.weights, name, rows = weight.rows](const store::WriteFloats& write) {
              write_transposed(weights, name, rows, write);
            }};
  }
  return {location.name,
          {weight.rows, weight.columns},
          [&weights = model.weights, name, columns = weight.columns](
              const store::WriteFloats& write) { write_matrix(weights, name, columns, write); }};
}

void write_matrix(const ModelWeights& weights, const std::string& name, std::size_t columns,
                  const store::WriteFloats& write) {
  weights.for_parts(name, columns, write);
}

void write_transposed(const ModelWeights& weights, const std::string& name, std::size_t rows,
                      const store::WriteFloats& write) {
  write(transposed(weights.at(name), rows));
}

}  // namespace awend::interchange

// The gradient of the cost of guided alignment compared with central differences, and cost and
// gradient with those of Marian.
#include "tests/reference/guided_alignment.hpp"

#include <nlohmann/json.hpp>

#include "tests/conformance.hpp"
#include "tests/reference/gradient_check.hpp"

namespace awend::reference {
namespace {

/// The links of a target position among such as "1-0".
std::vector<std::size_t> links_of(const nlohmann::json& pairs, std::size_t target) {
  std::vector<std::size_t> sources;
  for (const std::string word : pairs) {
    const auto dash = word.find('-');
    if (std::stoul(word.substr(dash + 1)) == target)
      sources.push_back(std::stoul(word.substr(0, dash)));
  }
  return sources;
}

}  // namespace

TEST_CASE("the gradients of guided alignment agree with central differences") {
  base::Random random(5);
  const std::vector<std::size_t> targets = {0, 4, 5}, sources = {0, 3, 8};
  Attention attention{.q = random_matrix(5, 12, random),
                      .k = random_matrix(8, 12, random),
                      .v = Matrix(8, 12),
                      .keys = cross_ranges(targets, sources),
                      .heads = 3,
                      .dropout = {}};
  for (const auto kind : {AlignmentCost::kCrossEntropy, AlignmentCost::kSquaredError}) {
    const GuidedAlignment alignment{
        .links = {{0}, {1, 2}, {}, {2, 0, 2}, {4, 1}}, .cost = kind, .head = 1};
    const auto cost = [&] { return guided_attention(attention, alignment).cost; };
    const auto gradient = guided_attention(attention, alignment);
    check_gradient(attention.q.values, gradient.dq.values, cost);
    check_gradient(attention.k.values, gradient.dk.values, cost);
  }
}

// Marian pads the sentences of a batch, and with the squared error padded target words have a cost:
// only the positions inside the sentences are compared, and with padded rows the sum is not.
TEST_CASE("the cost of guided alignment and its gradient are those of Marian", "[conformance]") {
  const auto path = tests::conformance_file("guided-alignment/cases.json");
  if (!path) return;
  const auto file = tests::read_json(*path);
  const auto& cases = file.is_array() ? file : file.at("cases");
  std::size_t rows = 0, sums = 0;
  for (const auto& one : cases) {
    for (const auto& [name, kind] : {std::pair{"ce", AlignmentCost::kCrossEntropy},
                                     std::pair{"mse", AlignmentCost::kSquaredError}}) {
      CAPTURE(name);
      const auto& expected = one.at(name);
      const double weight = one.at("weight");
      double sum = 0;
      bool is_padded = false;
      for (std::size_t s = 0; s < one.at("links").size(); ++s) {
        const std::size_t source = one.at("source_lengths_with_end").at(s),
                          target = one.at("target_lengths_with_end").at(s);
        is_padded = is_padded || target < one.at("energies").at(s).size();
        for (std::size_t t = 0; t < target; ++t, ++rows) {
          CAPTURE(s, t);
          const auto& energies = one.at("energies").at(s).at(t);
          const std::vector<double> scores(energies.begin(),
                                           energies.begin() + static_cast<std::ptrdiff_t>(source));
          const auto own = guided_cost(scores, links_of(one.at("links").at(s), t), kind);
          sum += weight * own.cost;
          for (std::size_t i = 0; i < source; ++i) {
            const double gradient = expected.at("d_energies").at(s).at(t).at(i);
            CHECK(weight * own.dscores[i] == Approx(gradient).epsilon(1e-9).margin(1e-12));
          }
        }
      }
      if (kind == AlignmentCost::kSquaredError && is_padded) continue;
      CHECK(sum == Approx(double{expected.at("loss")}).epsilon(1e-9));
      ++sums;
    }
  }
  CHECK(rows > 0);
  CHECK(sums > 1);
}

}  // namespace awend::reference

// Products on matrix units compared with the reference: all forms, elements and flags at odd sizes,
// all tiles, shares of a sum.  Skipped if the device has no matrix units.
#include <cstring>
#include <map>

#include "nn/matmul/matrix.hpp"
#include "tests/kernels/bench.hpp"
#include "tests/reference/matmul.hpp"

namespace awend::tests {
namespace {

using nn::Element;

/// Random numbers rounded to `element`.
Matrix rounded_noise(std::size_t rows, std::size_t columns, std::uint64_t seed, Element element) {
  Matrix matrix = noise(rows, columns, seed);
  for (double& value : matrix.values) {
    value = nn::widen(nn::narrow(static_cast<float>(value), element), element);
  }
  return matrix;
}

std::vector<std::uint16_t> narrowed(const Matrix& matrix, Element element) {
  std::vector<std::uint16_t> bits;
  for (const double value : matrix.values) {
    bits.push_back(nn::narrow(static_cast<float>(value), element));
  }
  return bits;
}

struct Case {
  nn::Form form;
  std::uint32_t rows;  ///< of a
  std::uint32_t inner;
  std::uint32_t columns;
  std::uint32_t flags = 0;  ///< with MATMUL_BIAS
};

constexpr std::uint32_t kSpareRows = 9;
constexpr std::uint16_t kNaN = 0x7fc0;  // in fp16 and in bf16

/// One product on a device, and the expected result.
class Stage {
 public:
  Stage(const Case& product_case, Element element)
      : case_(product_case),
        element_(element),
        rows_(program_.count(product_case.rows + kSpareRows)) {
    const auto& [form, rows, inner, columns, flags] = case_;
    const bool tn = form == nn::Form::kTN;
    const Matrix a = rounded_noise(rows, inner, 1, element);
    const Matrix b = form == nn::Form::kNN   ? rounded_noise(inner, columns, 2, element)
                     : form == nn::Form::kNT ? rounded_noise(columns, inner, 2, element)
                                             : rounded_noise(rows, columns, 2, element);
    before_ = noise(tn ? inner : rows, columns, 3);
    bias_ = noise(1, columns, 4);
    bits_ = {narrowed(a, element), narrowed(b, element)};
    expected_ = reference::product(tn ? reference::transpose(a) : a,
                                   form == nn::Form::kNT ? reference::transpose(b) : b);
    for (std::size_t i = 0; i < expected_.values.size(); ++i) {
      double& y = expected_.values[i];
      if (flags & MATMUL_BIAS) y += bias_.values[i % columns];
      if (flags & MATMUL_ACCUMULATE) y += static_cast<float>(before_.values[i]);
      if (flags & MATMUL_RELU) y = std::max(y, 0.0);
    }
    const auto fixed = [&](const Matrix& m) {
      return program_.fixed(static_cast<std::uint32_t>(m.rows));
    };
    product_ = {.form = form,
                .a = input(rows_, inner),
                .b = input(tn ? rows_ : fixed(b), static_cast<std::uint32_t>(b.columns)),
                .c = program_.output(tn ? program_.fixed(inner) : rows_, columns),
                .bias = std::nullopt,
                .flags = flags & ~std::uint32_t{MATMUL_BIAS}};
    if (flags & MATMUL_BIAS) product_.bias = program_.input(program_.fixed(1), columns);
  }

  void check(const std::optional<nn::MatrixCut>& cut = std::nullopt) {
    CAPTURE(static_cast<int>(case_.form), static_cast<int>(element_), case_.rows, case_.inner,
            case_.columns, case_.flags);
    REQUIRE(nn::matrix_matmul_fits(engine(), product_));
    if (cut) {
      nn::matrix_matmul(program_, *cut, product_);
    } else {
      nn::matrix_matmul(program_, product_);
    }
    program_.compile();
    const std::vector<float> first = run();
    require_close(reference::from_floats(first, expected_.rows, expected_.columns), expected_);
    const std::vector<float> second = run();
    REQUIRE(std::memcmp(first.data(), second.data(), first.size() * sizeof(float)) == 0);
  }

 private:
  /// An input of 16-bit elements.
  nn::Tensor input(nn::Count rows, std::uint32_t columns) {
    nn::Tensor tensor = program_.input(rows, columns / 2);
    tensor.columns = columns;
    tensor.element = element_;
    return tensor;
  }

  /// The contents of c after a replay from the same start; rows after the count do not change.
  std::vector<float> run() {
    program_.poison();
    program_.set(rows_, case_.rows);
    const auto a = program_.host<std::uint16_t>(product_.a);
    const auto b = program_.host<std::uint16_t>(product_.b);
    // Rows after the count must not influence the result.
    std::ranges::fill(a, kNaN);
    std::ranges::fill(b, kNaN);
    std::ranges::copy(bits_.first, a.begin());
    std::ranges::copy(bits_.second, b.begin());
    if (product_.bias) {
      std::ranges::copy(reference::to_floats(bias_), program_.host<float>(*product_.bias).begin());
    }
    const auto c = program_.host<float>(product_.c);
    if (case_.flags & MATMUL_ACCUMULATE) {
      std::ranges::copy(reference::to_floats(before_), c.begin());
    }
    program_.replay();
    for (const float beyond : c.subspan(expected_.values.size())) REQUIRE(std::isnan(beyond));
    return {c.begin(), c.begin() + static_cast<std::ptrdiff_t>(expected_.values.size())};
  }

  Case case_;
  Element element_;
  nn::Program program_{engine()};
  nn::Count rows_;
  nn::Product product_;
  std::pair<std::vector<std::uint16_t>, std::vector<std::uint16_t>> bits_;
  Matrix before_, bias_, expected_;
};

constexpr nn::Form kForms[] = {nn::Form::kNN, nn::Form::kNT, nn::Form::kTN};

/// The elements that the matrix units of this device support, and all cuts for them.
std::map<Element, std::vector<nn::MatrixCut>> all_cuts(nn::Form form = nn::Form::kNT) {
  std::map<Element, std::vector<nn::MatrixCut>> found;
  const auto& limits = engine().limits();
  auto bfloat16 = nn::matrix_cuts(limits, vulkan::MatrixElement::kBfloat16, form);
  auto float16 = nn::matrix_cuts(limits, vulkan::MatrixElement::kFloat16, form);
  if (!bfloat16.empty()) found.emplace(Element::kBfloat16, std::move(bfloat16));
  if (!float16.empty()) found.emplace(Element::kFloat16, std::move(float16));
  return found;
}

}  // namespace

TEST_CASE("products on matrix units equal the reference", "[matrix][vulkan]") {
  if (all_cuts().empty()) SKIP(engine().name() << " has no matrix units");
  for (const auto& [element, cuts] : all_cuts()) {
    for (const auto form : kForms) {
      for (const std::uint32_t rows : {1u, 7u, 333u}) {
        Stage({.form = form, .rows = rows, .inner = 136, .columns = 40}, element).check();
      }
      Stage({.form = form, .rows = 7, .inner = 8, .columns = 8}, element).check();
      Stage({.form = form, .rows = 64, .inner = 64, .columns = 64}, element).check();
      Stage({.form = form, .rows = 40, .inner = 40, .columns = 520}, element).check();
      Stage({.form = form, .rows = 40, .inner = 520, .columns = 136}, element).check();
    }
  }
}

TEST_CASE("products on matrix units with bias, ReLU and accumulation", "[matrix][vulkan]") {
  if (all_cuts().empty()) SKIP(engine().name() << " has no matrix units");
  for (const auto& [element, cuts] : all_cuts()) {
    for (const auto form : kForms) {
      for (std::uint32_t flags = 0; flags < 8; ++flags) {
        Stage({.form = form, .rows = 37, .inner = 40, .columns = 72, .flags = flags}, element)
            .check();
      }
    }
  }
}

TEST_CASE("all tiles for matrix units give the same result", "[matrix][vulkan]") {
  if (all_cuts().empty()) SKIP(engine().name() << " has no matrix units");
  for (const auto& [element, cuts] : all_cuts()) {
    for (auto cut : cuts) {
      // Lavapipe compiles the fragments of a tile one by one, which takes minutes for the largest
      // tile.
      const std::uint32_t fragments =
          cut.tile.part_rows / cut.fragment.rows * (cut.tile.part_columns / cut.fragment.columns);
      if (engine().limits().on_cpu && fragments > 8) continue;
      for (const bool transposes : {false, true}) {
        for (const auto form : kForms) {
          cut.transposes = transposes;
          CAPTURE(cut.tile.rows, cut.tile.columns, transposes);
          Stage({.form = form, .rows = 135, .inner = 136, .columns = 144, .flags = MATMUL_BIAS},
                element)
              .check(cut);
        }
      }
    }
  }
}

TEST_CASE("shares of a sum on matrix units are added", "[matrix][vulkan]") {
  if (all_cuts().empty()) SKIP(engine().name() << " has no matrix units");
  for (const auto& [element, cuts] : all_cuts()) {
    auto cut = cuts.back();
    for (const std::uint32_t shares : {2u, 3u, 16u}) {
      cut.shares = shares;
      Stage({.form = nn::Form::kTN,
             .rows = 333,
             .inner = 40,
             .columns = 72,
             .flags = MATMUL_ACCUMULATE},
            element)
          .check(cut);
    }
  }
}

}  // namespace awend::tests

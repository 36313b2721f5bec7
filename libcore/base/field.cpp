#include "base/field.hpp"

namespace awend::base {
namespace {

struct Require {
  std::string_view text;

  void operator()(const Integers& integers) const {
    const auto value =
        to_number<std::int64_t>(text, "an integer", IntegerRange{integers.min, integers.max});
    if (value % integers.multiple_of != 0)
      fail("must be a multiple of ", integers.multiple_of, ", got ", text);
  }

  void operator()(const Reals& reals) const {
    to_number<double>(text, "a number", RealRange{reals.min, reals.max});
  }

  void operator()(const Words& words) const { require_one_of(words.all(), text); }

  void operator()(const AnyText&) const {}
};

}  // namespace

void require_in_domain(const Domain& domain, std::string_view text) {
  std::visit(Require{text}, domain);
}

std::vector<std::string> split_list(std::string_view text) {
  if (text.empty()) return {};
  const auto items = split(text, ',');
  return {items.begin(), items.end()};
}

}  // namespace awend::base

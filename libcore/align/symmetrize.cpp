#include "align/symmetrize.hpp"

#include <array>

namespace awend::align {
namespace {

// Links as a table, and whether words have one.
class Table {
 public:
  Table(std::size_t source, std::size_t target)
      : target_(target), links_(source * target), source_has_(source), target_has_(target) {}

  bool has(std::size_t s, std::size_t t) const { return links_[s * target_ + t] != 0; }
  void add(std::size_t s, std::size_t t) {
    links_[s * target_ + t] = source_has_[s] = target_has_[t] = 1;
  }
  bool source_has(std::size_t s) const { return source_has_[s] != 0; }
  bool target_has(std::size_t t) const { return target_has_[t] != 0; }
  std::size_t source() const { return source_has_.size(); }
  std::size_t target() const { return target_; }

 private:
  std::size_t target_;
  std::vector<char> links_, source_has_, target_has_;
};

// Adds links of the union that are next to links, as long as there are any whose words do not both
// have one.
void grow(const Table& all, Table& links) {
  constexpr std::array<std::pair<int, int>, 8> kNeighbors = {
      {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t s = 0; s < links.source(); ++s) {
      for (std::size_t t = 0; t < links.target(); ++t) {
        if (!links.has(s, t)) continue;
        for (const auto& [ds, dt] : kNeighbors) {
          // Below 0 these are large numbers.
          const auto ns = s + static_cast<std::size_t>(ds), nt = t + static_cast<std::size_t>(dt);
          if (ns >= links.source() || nt >= links.target() || !all.has(ns, nt) || links.has(ns, nt))
            continue;
          if (links.source_has(ns) && links.target_has(nt)) continue;
          links.add(ns, nt);
          grows = true;
        }
      }
    }
  }
}

template <class Accepts>
void add_directed(const DirectedLinks& directed, Table& links, const Accepts& accepts) {
  for (std::size_t t = 0; t < directed.forward.size(); ++t) {
    const auto s = static_cast<std::size_t>(directed.forward[t]);
    if (directed.forward[t] >= 0 && accepts(s, t)) links.add(s, t);
  }
  for (std::size_t s = 0; s < directed.reverse.size(); ++s) {
    const auto t = static_cast<std::size_t>(directed.reverse[s]);
    if (directed.reverse[s] >= 0 && accepts(s, t)) links.add(s, t);
  }
}

}  // namespace

std::vector<text::Link> symmetrize(const DirectedLinks& directed, Symmetrization how) {
  const auto source = directed.reverse.size(), target = directed.forward.size();
  Table all(source, target), links(source, target);
  add_directed(directed, all, [](auto, auto) { return true; });
  const auto is_forward = [&](std::size_t s, std::size_t t) {
    return directed.forward[t] == static_cast<int>(s);
  };
  const auto is_reverse = [&](std::size_t s, std::size_t t) {
    return directed.reverse[s] == static_cast<int>(t);
  };
  add_directed(directed, links, [&](std::size_t s, std::size_t t) {
    switch (how) {
      case Symmetrization::kForward:
        return is_forward(s, t);
      case Symmetrization::kReverse:
        return is_reverse(s, t);
      case Symmetrization::kUnion:
        return true;
      default:
        return is_forward(s, t) && is_reverse(s, t);
    }
  });
  if (how == Symmetrization::kGrowDiag || how == Symmetrization::kGrowDiagFinal ||
      how == Symmetrization::kGrowDiagFinalAnd)
    grow(all, links);
  if (how == Symmetrization::kGrowDiagFinal)
    add_directed(directed, links, [&](std::size_t s, std::size_t t) {
      return !links.source_has(s) || !links.target_has(t);
    });
  if (how == Symmetrization::kGrowDiagFinalAnd)
    add_directed(directed, links, [&](std::size_t s, std::size_t t) {
      return !links.source_has(s) && !links.target_has(t);
    });

  std::vector<text::Link> result;
  for (std::uint32_t s = 0; s < source; ++s) {
    for (std::uint32_t t = 0; t < target; ++t) {
      if (links.has(s, t)) result.push_back({s, t});
    }
  }
  return result;
}

}  // namespace awend::align

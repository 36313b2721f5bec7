// Where the past of one sentence's hypotheses lies in the self-attention cache.
//
// The keys and values of a token are one cache row.  Hypotheses that share a beginning share its
// rows: they form a tree, a row knows the one before it and how many go on from it.  So a beam is
// reordered without copying anything, and the rows of a branch that dies are used again at once.
// Test: tests/unit/decode/history_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/pages.hpp"

namespace awend::decode {

class History {
 public:
  /// One hypothesis without tokens.  Needs `most_pages` reserved pages at most; `pool` must outlive
  /// the object.
  explicit History(PagePool& pool) : pool_(&pool) {}
  History(History&& other) noexcept = default;
  History& operator=(History&&) = delete;
  /// Gives all pages back.
  ~History();

  /// A row for one more token of each hypothesis.
  void grow();
  /// Appends the cache rows of a hypothesis's tokens to `rows`, first to last.
  void append_path(std::size_t hypothesis, std::vector<std::uint32_t>& rows) const;
  /// Hypothesis i from now on is what hypothesis parents[i] was.
  void keep(std::span<const std::uint32_t> parents);

  /// Tokens of each hypothesis.
  std::uint32_t length() const { return length_; }
  std::size_t pages() const { return pages_.size(); }

 private:
  struct Node {
    std::uint32_t before;  // the token before it, as a place in nodes_
    std::uint32_t uses;    // nodes and hypotheses that go on from it
  };
  std::uint32_t new_node(std::uint32_t before);
  void let_go(std::uint32_t node);
  std::uint32_t row_of(std::uint32_t node) const;

  static constexpr std::uint32_t kNone = 0xffffffff;
  PagePool* pool_;
  std::vector<std::uint32_t> pages_;
  std::vector<Node> nodes_;  // node n is row n % kRows of page pages_[n / kRows]
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> last_ = {kNone};  // of each hypothesis: the node of its last token
  std::uint32_t length_ = 0;
};

}  // namespace awend::decode

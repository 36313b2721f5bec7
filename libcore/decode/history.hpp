// The cache rows of the tokens of one sentence's hypotheses.
//
// Each token has one cache row.  Hypotheses with a common beginning share its rows.  The rows form
// a tree: each node stores its predecessor and the number of its successors.  A beam is therefore
// reordered without copying, and the rows of abandoned branches are reused at once.  Test:
// tests/unit/decode/history_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/pages.hpp"

namespace awend::decode {

class History {
 public:
  /// One hypothesis without tokens.  The caller has reserved enough pages; `pool` must outlive the
  /// object.
  explicit History(PagePool& pool) : pool_(&pool) {}
  History(History&& other) noexcept = default;
  History& operator=(History&&) = delete;
  /// Returns all pages.
  ~History();

  /// Adds a row for one more token to each hypothesis.
  void grow();
  /// Appends the cache rows of a hypothesis's tokens to `rows`, first to last.
  void append_path(std::size_t hypothesis, std::vector<std::uint32_t>& rows) const;
  /// Replaces hypothesis i by hypothesis parents[i].
  void keep(std::span<const std::uint32_t> parents);

  /// Tokens of each hypothesis.
  std::uint32_t length() const { return length_; }
  std::size_t pages() const { return pages_.size(); }

 private:
  struct Node {
    std::uint32_t before;  // the token before it, as an index into nodes_
    std::uint32_t uses;    // nodes and hypotheses that continue it
  };
  std::uint32_t new_node(std::uint32_t before);
  void release(std::uint32_t node);
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

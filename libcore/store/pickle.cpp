#include "store/pickle.hpp"

#include <bit>
#include <unordered_map>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "store/byte_cursor.hpp"

namespace awend::store {

/// The machine that a pickle is a program for: a stack, marks, and a memo.
class Unpickler {
 public:
  Unpickler(Pickle& pickle, std::span<const std::byte> bytes) : pickle_(pickle), in_(bytes) {}

  void run() {
    while (!done_) {
      const auto opcode = in_.number<char>();
      if (!read_constant(opcode) && !read_container(opcode) && !read_memo(opcode) &&
          !read_object(opcode)) {
        base::fail("pickle: unknown opcode ", static_cast<unsigned char>(opcode), " at byte ",
                   in_.place() - 1);
      }
    }
    pickle_.root_ = pop();
    pickle_.size_bytes_ = in_.place();
  }

 private:
  // A value of one byte takes much more memory.  A vocabulary of 250 000 tokens with their counts
  // has half a million values.
  static constexpr std::size_t kMaxValues = std::size_t{1} << 22;

  using Pairs = std::vector<std::pair<PickleId, PickleId>>;

  bool read_constant(char opcode) {
    switch (opcode) {
      case 'N':
        return push(PickleNone{});
      case '\x88':
        return push(true);
      case '\x89':
        return push(false);
      case 'J':
        return push(std::int64_t{in_.number<std::int32_t>()});
      case 'K':
        return push(std::int64_t{in_.number<std::uint8_t>()});
      case 'M':
        return push(std::int64_t{in_.number<std::uint16_t>()});
      case '\x8a':
        return push_long(in_.number<std::uint8_t>());
      case '\x8b':
        return push_long(in_.number<std::uint32_t>());
      case 'I':
      case 'L':
        return push_integer(in_.text_until('\n'));
      case 'F':
        return push(base::to_number<double>(in_.text_until('\n'), "a number"));
      case 'G':
        return push(std::bit_cast<double>(__builtin_bswap64(in_.number<std::uint64_t>())));
      case 'S':
      case 'V':
        return push(std::string(in_.text_until('\n')));
      case 'U':
      case 'C':
      case '\x8c':
        return push_text(in_.number<std::uint8_t>());
      case 'T':
      case 'B':
      case 'X':
        return push_text(in_.number<std::uint32_t>());
      case '\x8d':
      case '\x8e':
        return push_text(in_.number<std::uint64_t>());
      default:
        return false;
    }
  }

  bool read_container(char opcode) {
    switch (opcode) {
      case '(':
        marks_.push_back(stack_.size());
        return true;
      case ')':
      case ']':
      case '\x8f':
        return push(PickleList{});
      case 't':
      case 'l':
      case '\x91':
        return push(PickleList{pop_to_mark()});
      case '\x85':
        return push_tuple(1);
      case '\x86':
        return push_tuple(2);
      case '\x87':
        return push_tuple(3);
      case '}':
        return push(PickleDict{});
      case 'd':
        return push(PickleDict{pairs_of(pop_to_mark())});
      case 'a':
        return append({pop()});
      case 'e':
      case '\x90':
        return append(pop_to_mark());
      case 's': {
        const auto value = pop(), key = pop();
        return set_items({key, value});
      }
      case 'u':
        return set_items(pop_to_mark());
      default:
        return false;
    }
  }

  bool read_memo(char opcode) {
    switch (opcode) {
      case '\x80':
        in_.number<std::uint8_t>();
        return true;
      case '\x95':
        in_.number<std::uint64_t>();
        return true;
      case '.':
        done_ = true;
        return true;
      case '0':
        pop();
        return true;
      case '1':
        pop_to_mark();
        return true;
      case '2':
        stack_.push_back(top());
        return true;
      case 'q':
        return remember(in_.number<std::uint8_t>());
      case 'r':
        return remember(in_.number<std::uint32_t>());
      case 'p':
        return remember(memo_number());
      case '\x94':
        return remember(memo_.size());
      case 'h':
        return recall(in_.number<std::uint8_t>());
      case 'j':
        return recall(in_.number<std::uint32_t>());
      case 'g':
        return recall(memo_number());
      default:
        return false;
    }
  }

  bool read_object(char opcode) {
    switch (opcode) {
      case 'c': {
        const auto module = in_.text_until('\n'), name = in_.text_until('\n');
        return push(PickleGlobal{std::string(module), std::string(name)});
      }
      case '\x93': {
        const auto name = pop_text(), module = pop_text();
        return push(PickleGlobal{module, name});
      }
      case 'R':
      case '\x81': {
        const auto arguments = pop(), callable = pop();
        return push(PickleObject{callable, arguments, {}, {}});
      }
      case '\x92': {
        pop();  // arguments with names
        const auto arguments = pop(), callable = pop();
        return push(PickleObject{callable, arguments, {}, {}});
      }
      case 'b': {
        const auto state = pop();
        if (auto* object = std::get_if<PickleObject>(&pickle_.values_[top()]))
          object->state = state;
        return true;
      }
      case 'Q':
        return push(PickleReference{pop()});
      case 'P': {
        push(std::string(in_.text_until('\n')));
        return push(PickleReference{pop()});
      }
      default:
        return false;
    }
  }

  bool push(PickleValue value) {
    if (pickle_.values_.size() >= kMaxValues)
      base::fail("pickle: more than ", kMaxValues, " values");
    pickle_.values_.push_back(std::move(value));
    stack_.push_back(static_cast<PickleId>(pickle_.values_.size() - 1));
    return true;
  }

  bool push_text(std::uint64_t size) { return push(std::string(in_.text(size))); }

  bool push_long(std::uint64_t size) {
    const auto bytes = in_.text(size);
    if (size > 8) base::fail("pickle: an integer of ", size, " bytes");
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    if (size > 0 && size < 8 && (bytes.back() & 0x80) != 0)
      value |= ~std::uint64_t{0} << (8 * size);
    return push(static_cast<std::int64_t>(value));
  }

  bool push_integer(std::string_view text) {
    if (text == "00") return push(false);
    if (text == "01") return push(true);
    if (text.ends_with('L')) text.remove_suffix(1);
    return push(base::to_number<std::int64_t>(text, "an integer"));
  }

  bool push_tuple(std::size_t size) {
    PickleList tuple;
    tuple.items.resize(size);
    for (std::size_t i = size; i-- > 0;) tuple.items[i] = pop();
    return push(std::move(tuple));
  }

  /// A value is popped only above the last mark.
  PickleId pop() {
    const auto id = top();
    stack_.pop_back();
    return id;
  }
  PickleId top() const {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back()))
      base::fail("pickle: no value for the opcode at byte ", in_.place() - 1);
    return stack_.back();
  }
  std::string pop_text() {
    const auto* text = std::get_if<std::string>(&pickle_.values_[pop()]);
    if (text == nullptr) base::fail("pickle: the name of a class is not a text");
    return *text;
  }
  std::vector<PickleId> pop_to_mark() {
    if (marks_.empty()) base::fail("pickle: no mark at byte ", in_.place() - 1);
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<PickleId> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }

  static Pairs pairs_of(const std::vector<PickleId>& items) {
    if (items.size() % 2 != 0) base::fail("pickle: a key without a value");
    Pairs pairs;
    for (std::size_t i = 0; i < items.size(); i += 2) pairs.emplace_back(items[i], items[i + 1]);
    return pairs;
  }

  bool append(const std::vector<PickleId>& items) {
    auto* list = std::get_if<PickleList>(&pickle_.values_[top()]);
    // Objects of other classes may have items too, which nothing here reads.
    if (list != nullptr) list->items.insert(list->items.end(), items.begin(), items.end());
    return true;
  }

  bool set_items(const std::vector<PickleId>& items) {
    const auto pairs = pairs_of(items);
    PickleValue& target = pickle_.values_[top()];
    Pairs* known = nullptr;
    if (auto* dict = std::get_if<PickleDict>(&target)) known = &dict->items;
    if (auto* object = std::get_if<PickleObject>(&target)) known = &object->items;
    if (known == nullptr) base::fail("pickle: items for a value that is not a dictionary");
    known->insert(known->end(), pairs.begin(), pairs.end());
    return true;
  }

  std::uint64_t memo_number() {
    return base::to_number<std::uint64_t>(in_.text_until('\n'), "a number");
  }
  bool remember(std::uint64_t number) {
    memo_[number] = top();
    return true;
  }
  bool recall(std::uint64_t number) {
    const auto found = memo_.find(number);
    if (found == memo_.end()) base::fail("pickle: no value ", number, " in the memo");
    stack_.push_back(found->second);
    return true;
  }

  Pickle& pickle_;
  ByteCursor in_;
  std::vector<PickleId> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleId> memo_;
  bool done_ = false;
};

Pickle::Pickle(std::span<const std::byte> bytes) {
  if (bytes.size() > 0xFFFFFFFF) base::fail("a pickle of more than 4 GiB");
  Unpickler(*this, bytes).run();
}

const std::vector<std::pair<PickleId, PickleId>>& Pickle::pairs(PickleId id) const {
  if (const auto* dict = find<PickleDict>(id)) return dict->items;
  if (const auto* object = find<PickleObject>(id)) {
    // An OrderedDict has items; its attributes are not its content.
    if (!object->state || name_of(id) == "collections.OrderedDict") return object->items;
    if (const auto* state = find<PickleDict>(*object->state)) return state->items;
  }
  base::fail("a value is not a dictionary");
}

std::optional<PickleId> Pickle::at(PickleId id, std::string_view key) const {
  if (find<PickleDict>(id) == nullptr && find<PickleObject>(id) == nullptr) return std::nullopt;
  for (const auto& [name, value] : pairs(id)) {
    const auto* text = find<std::string>(name);
    if (text != nullptr && *text == key) return value;
  }
  return std::nullopt;
}

std::string Pickle::name_of(PickleId id) const {
  if (const auto* object = find<PickleObject>(id)) id = object->callable;
  const auto* global = find<PickleGlobal>(id);
  return global == nullptr ? "" : base::concat(global->module, ".", global->name);
}

}  // namespace awend::store

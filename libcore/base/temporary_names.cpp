#include "base/temporary_names.hpp"

#include <unistd.h>

#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>

#include "base/signals.hpp"

namespace awend::base {
namespace {

// Static, because a signal handler reads it.
struct Slot {
  enum State { kFree, kBusy, kUsed };
  std::atomic<int> state = kFree;
  char path[PATH_MAX] = {};
};
constexpr int kSlots = 64;
Slot slots[kSlots];
static_assert(std::atomic<int>::is_always_lock_free);

// The last ones first, because files come after their directory.
void remove_and_die(int signal) {
  for (int i = kSlots; i-- > 0;) {
    if (slots[i].state.load() != Slot::kUsed) continue;
    if (::unlink(slots[i].path) != 0) ::rmdir(slots[i].path);
  }
  die_by(signal);
}

/// The first free slot after all that are in use, or −1: the name is not remembered.
int take_slot() {
  int first = kSlots;
  while (first > 0 && slots[first - 1].state.load() == Slot::kFree) --first;
  for (int i = first; i < kSlots; ++i) {
    int expected = Slot::kFree;
    if (slots[i].state.compare_exchange_strong(expected, Slot::kBusy)) return i;
  }
  return -1;
}

}  // namespace

TemporaryName::TemporaryName(const std::string& path)
    : slot_(path.size() < PATH_MAX ? take_slot() : -1) {
  if (slot_ < 0) return;
  std::memcpy(slots[slot_].path, path.c_str(), path.size() + 1);
  slots[slot_].state = Slot::kUsed;
}

TemporaryName::~TemporaryName() {
  if (slot_ >= 0) slots[slot_].state = Slot::kFree;
}

void remove_temporaries_on_signals() {
  handle_stop_signals(remove_and_die);
  handle_signal(SIGPIPE, remove_and_die);
}

}  // namespace awend::base

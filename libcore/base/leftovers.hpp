// What a process that was killed has left of files it was writing (see OutputFile).
#pragma once

#include <string>

namespace awend::base {

/// Removes "NAME.PID.tmp" from `folder` where no process has that number and nothing was written
/// for an hour: the folder may be shared with machines whose processes are not seen here.  What
/// cannot be looked at or removed stays.  Test: tests/unit/base/leftovers_test.cpp.
void remove_leftovers(const std::string& folder);

}  // namespace awend::base

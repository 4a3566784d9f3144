// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

namespace n6vp::sim {

/// Makes Ctrl-C (SIGINT), SIGTERM and a closed terminal (SIGHUP) end the process with exit code
/// 130: every RemovedBySignal goes, one line says so. Ctrl-\ and an abort remove the same before
/// they act. Writing to a closed pipe, or beyond the limit of a file's size, becomes an ordinary
/// error. To be called once, before any work.
void catch_signals();

/// While one exists, the first of those signals only makes `interrupted` true: the work ends in
/// order, with partial results. The second one ends the process at once.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// True if a signal came since the outermost of the guards began.
[[nodiscard]] bool interrupted();

/// A file, or a folder with everything in it, that a signal removes if it ends the process. There
/// may be 64 at a time.
class RemovedBySignal {
  public:
    /// Fails with UserError if the path is longer than 4095 bytes.
    explicit RemovedBySignal(const std::string& path);
    ~RemovedBySignal();
    RemovedBySignal(const RemovedBySignal&) = delete;
    RemovedBySignal& operator=(const RemovedBySignal&) = delete;

  private:
    std::size_t slot_;
};

/// Holds back every signal; the handlers of this file must not run in a child that is being made.
class SignalsHeld {
  public:
    SignalsHeld();
    ~SignalsHeld();
    SignalsHeld(const SignalsHeld&) = delete;
    SignalsHeld& operator=(const SignalsHeld&) = delete;
};

/// While one exists, the handlers pass a signal on to the child, as SIGTERM.
class SignalledChild {
  public:
    explicit SignalledChild(pid_t child);
    ~SignalledChild();
    SignalledChild(const SignalledChild&) = delete;
    SignalledChild& operator=(const SignalledChild&) = delete;

  private:
    std::size_t slot_;
};

}  // namespace n6vp::sim

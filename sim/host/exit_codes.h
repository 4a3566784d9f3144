// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace n6vp::sim {

/// Exit codes of every verb.
enum ExitCode : int {
    kExitOk = 0,
    kExitExpectation = 1,  ///< an expectation failed, or `check` found errors
    kExitUsage = 2,        ///< usage, configuration or unreadable file
    kExitGuestFault = 3,
    kExitUnmodelled = 4,
    kExitLimit = 5,
    kExitRefused = 6,  ///< the loader refused the model
    kExitOutput = 7,   ///< an output could not be written; the rest of the work is done
    kExitInternal = 70,
    kExitInterrupted = 130,
};

}  // namespace n6vp::sim

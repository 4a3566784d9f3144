// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace n6vp::sim {

/// What came of one scenario, for a report that CI systems read.
struct JunitCase {
    /// Error: it could not be judged. Skipped: it was not run.
    enum class Result { Passed, Failed, Error, Skipped };
    std::string name, group;  ///< file without extension, folder
    Result result = Result::Passed;
    std::string kind;     ///< of a failure: "expectation", "guest fault", "interrupted"
    std::string message;  ///< of a failure or a skipped one, one line
    std::string details;  ///< of a failure, lines
    std::string output;   ///< all that the run printed
    double seconds = 0;   ///< of the host
};

/// Writes JUnit XML. Text of programs and models is hostile: control characters, and what is no
/// UTF-8, are escaped as on a terminal; of a long output the last 64 KiB are kept.
void write_junit(std::ostream& out, const std::vector<JunitCase>& cases);

}  // namespace n6vp::sim

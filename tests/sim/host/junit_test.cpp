// SPDX-License-Identifier: Apache-2.0
// JUnit XML as CI systems read it, to the last character.
#include "sim/host/junit.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

using n6vp::sim::JunitCase;

namespace {

std::string junit(const std::vector<JunitCase>& cases) {
    std::ostringstream out;
    n6vp::sim::write_junit(out, cases);
    return out.str();
}

std::string document(const std::string& counts, const std::string& cases) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"n6vp run\" " + counts +
           ">\n  <testsuite name=\"n6vp run\" " + counts + ">\n" + cases +
           "  </testsuite>\n</testsuites>\n";
}

}  // namespace

TEST_CASE("JUnit: each result has its element, and the heads count them") {
    JunitCase passed;
    passed.name = "one";
    passed.group = "scenarios";
    passed.seconds = 1.25;
    JunitCase failed = passed;
    failed.name = "two";
    failed.result = JunitCase::Result::Failed;
    failed.kind = "expectation";
    failed.message = "1 of 2";
    failed.details = "first\nsecond";
    failed.seconds = 0.0004;
    JunitCase error = failed;
    error.name = "three";
    error.result = JunitCase::Result::Error;
    error.kind = "input";
    error.output = "said\n";
    error.seconds = 0.0005;
    JunitCase skipped = passed;
    skipped.name = "four";
    skipped.result = JunitCase::Result::Skipped;
    skipped.message = "interrupted";
    skipped.seconds = 0;
    CHECK(junit({passed, failed, error, skipped, passed}) ==
          document("tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"2.501\"",
                   "    <testcase classname=\"scenarios\" name=\"one\" time=\"1.250\" />\n"
                   "    <testcase classname=\"scenarios\" name=\"two\" time=\"0.000\">\n"
                   "      <failure type=\"expectation\" message=\"1 of 2\">first\nsecond"
                   "</failure>\n"
                   "    </testcase>\n"
                   "    <testcase classname=\"scenarios\" name=\"three\" time=\"0.001\">\n"
                   "      <error type=\"input\" message=\"1 of 2\">first\nsecond</error>\n"
                   "      <system-out>said\n</system-out>\n"
                   "    </testcase>\n"
                   "    <testcase classname=\"scenarios\" name=\"four\" time=\"0.000\">\n"
                   "      <skipped message=\"interrupted\" />\n"
                   "    </testcase>\n"
                   "    <testcase classname=\"scenarios\" name=\"one\" time=\"1.250\" />\n"));
}

TEST_CASE("JUnit: of an output the last 64 KiB, from the start of a line on") {
    const auto output = [](const std::string& text) {
        JunitCase one;
        one.output = text;
        const std::string all = junit({one});
        const std::size_t at = all.find("<system-out>") + 12;
        return all.substr(at, all.find("</system-out>") - at);
    };
    const std::size_t most = 65536;
    const std::string fits(most, 'x');
    CHECK(output(fits) == fits);
    const std::string omitted = "[earlier output omitted]\n";
    // One character too many: the rest of its line goes with it.
    CHECK(output("ab\n" + std::string(most - 2, 'x')) == omitted + std::string(most - 2, 'x'));
    CHECK(output("a\n" + std::string(most - 1, 'x')) == omitted + std::string(most - 1, 'x'));
    CHECK(output("\n" + std::string(most - 3, 'x') + "\nyz") == omitted + "yz");
    CHECK(output("a\x1b[2Jb\n\n\xFF") == "a\\x1b[2Jb\n\n\\xff");
    CHECK(output("<&>") == "&lt;&amp;&gt;");
}

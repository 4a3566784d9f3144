// SPDX-License-Identifier: Apache-2.0
// Every parameter there is, and the range that a user may set it to.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "sim/host/errors.h"
#include "sim/platform/platform_parameters.h"

using namespace n6vp;

TEST_CASE("every parameter may be set to its own default") {
    sim::PlatformParameters defaults;
    unsigned count = 0;
    sim::PlatformParameters::visit(defaults, [&count](const char* block,
                                                      const models::Parameter& parameter) {
        const std::string setting = fmt::format("{}.{}={}", block, parameter.name, parameter.value);
        CAPTURE(setting);
        sim::PlatformParameters parameters;
        std::string refusal;
        try {
            sim::apply_settings(parameters, std::vector<std::string>{setting});
        } catch (const sim::UserError& error) {
            refusal = error.what();
        }
        CHECK(refusal == "");
        ++count;
    });
    CHECK(count > 150);
}

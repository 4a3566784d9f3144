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

TEST_CASE("exceptions: --set reaches the core of that name and no other") {
    using models::core::Pipeline;
    sim::PlatformParameters parameters;
    sim::apply_settings(parameters, {"cortex_m4.exception_entry=21", "cortex_m33.exception_exit=22",
                                     "cortex_m7.tail_chain=23", "exception.fp_frame=24"});
    CHECK(parameters.exceptions_of(Pipeline::CortexM4).entry_cycles.value == 21);
    CHECK(parameters.exceptions_of(Pipeline::CortexM33).entry_cycles.value == 12);
    CHECK(parameters.exceptions_of(Pipeline::CortexM33).exit_cycles.value == 22);
    CHECK(parameters.exceptions_of(Pipeline::CortexM7).tail_chain_cycles.value == 23);
    CHECK(parameters.exceptions_of(Pipeline::CortexM7).exit_cycles.value == 10);
    CHECK(parameters.exceptions_of(Pipeline::CortexM55).fp_frame_cycles.value == 24);
    CHECK(parameters.exceptions_of(Pipeline::CortexM4).fp_frame_cycles.value == 17);
}

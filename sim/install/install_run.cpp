// SPDX-License-Identifier: Apache-2.0
#include "sim/install/install_run.h"

#include <fmt/format.h>

#include "loader/log_info.h"
#include "sim/host/errors.h"

namespace n6vp::sim {

namespace {

/// Prints what the vendor's library prints, for its time only.
std::uint32_t print_description(TimedPort& timed, const loader::InstallRequest& request) {
    const loader::MemoryPort port = timed.port();
    loader::Container container(port, request.file, request.file_bytes);
    timed.begin_console();
    loader::Diagnosis ignored;
    std::uint32_t characters = 0;
    if (container.open(ignored) == loader::Status::Ok) {
        struct Context {
            TimedPort& port;
            std::uint32_t& characters;
        } context{timed, characters};
        const loader::TextSink sink{&context, [](void* to, const char*, std::uint32_t count) {
                                        auto& console = *static_cast<Context*>(to);
                                        console.characters += count;
                                        console.port.print(count);
                                    }};
        loader::log_info(container, request.profile, sink);
    }
    timed.end_console();
    return characters;
}

}  // namespace

bool prints_by_default(const loader::RuntimeProfile& profile) {
    return profile.generation == loader::Generation::Core21 ||
           profile.generation == loader::Generation::Core22;
}

void place_files(Platform& platform, const InstallPlan& plan, const ModelFiles& files) {
    const bool stored = platform.store(plan.file().start, files.file) &&
                        platform.store(plan.params().start, files.params);
    if (!stored) throw std::logic_error("write of a file to existing memory failed");
}

InstallOutcome run_install(Platform& platform, const loader::InstallRequest& request,
                           bool console) {
    InstallOutcome outcome;
    outcome.console = console;
    TimedPort timed(platform);
    platform.run([&] {
        if (console) outcome.characters = print_description(timed, request);
        outcome.status = loader::install(timed.port(), request, outcome.result, outcome.why);
        timed.finish();
    });
    for (std::size_t row = 0; row < kCostRows; ++row) {
        outcome.costs[row] = timed.cost(static_cast<CostRow>(row));
    }
    outcome.total = timed.total();
    outcome.events = timed.events();
    return outcome;
}

}  // namespace n6vp::sim

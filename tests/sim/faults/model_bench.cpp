// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/faults/model_bench.h"

#include <ctime>
#include <stdexcept>
#include <utility>

#include "memmap/board.h"
#include "sim/platform/progress_watch.h"
#include "tests/firmware/chip_program.h"

namespace n6vp::test {

namespace {

using sim::RunVerdict;

[[nodiscard]] double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void load(sim::Platform& platform, std::uint32_t address, std::vector<std::uint8_t> bytes) {
    if (!platform.load(GuestAddr{address}, std::move(bytes)))
        throw std::runtime_error("no memory for what a test loads");
}

}  // namespace

ModelBench::ModelBench(const Setup& setup) : setup_(setup) {
    symbols_ = std::make_unique<sim::ElfFile>(sim::ElfFile::read(setup_.firmware));
    phases_ =
        std::make_unique<sim::PhaseRecorder>(sim::PhaseNames{}, [this](auto) { return sample(); });
    sim::RunMailbox::Setup mailbox;
    mailbox.folder = setup_.folder;
    mailbox.on_text = [this](std::span<const std::uint8_t> text) {
        constexpr std::size_t kMost = 1u << 20;
        if (said_.size() < kMost) said_.append(text.begin(), text.end());
    };
    mailbox.on_exit = [this](std::uint32_t code, models::Picoseconds) {
        exit_code_ = code;
        platform_->stop();
    };
    mailbox_ = std::make_unique<sim::RunMailbox>(std::move(mailbox), *phases_);
    sim::PlatformOptions options;
    options.timing = setup_.timing;
    options.boot = sim::BootState::Reset;
    platform_ =
        std::make_unique<sim::Platform>(sim::PlatformParameters(), options, &log_, mailbox_.get());
    platform_->hooks.reset_request = [this] {
        reset_asked_ = true;
        platform_->stop();
    };
    sim::fault_report::Setup faults;
    faults.program = symbols_.get();
    faults.names = &names_;
    faults.symbols = setup_.symbols;
    faults_ = std::make_unique<sim::fault_report::RunFaults>(*platform_, faults);
    faults_->log().phase = [this] { return phases_->path(); };
    faults_->listen();
    platform_->elaborate();
}

sim::PhaseCounters ModelBench::sample() const {
    return {};
}

ModelRunEnd ModelBench::run(const std::vector<std::uint8_t>& file,
                            const std::vector<std::uint8_t>& params, const chip::Job& job,
                            const Limits& limits) {
    for (sim::ExecProgram::Segment& segment : program_with(job, setup_.firmware.c_str()).segments) {
        load(*platform_, segment.address, std::move(segment.content));
    }
    const std::uint32_t at = to_word(memmap::board::kModel.start);
    load(*platform_, at, file);
    if (!params.empty()) load(*platform_, job.models[0].params, params);
    platform_->reset(models::core::Reset::PowerOn);
    mailbox_->reset();
    phases_->restart(sc_core::sc_time_stamp().value());
    faults_->reset();
    faults_->set_models({{at, static_cast<std::uint32_t>(file.size()), "network_rel.bin"}});
    said_.clear();
    exit_code_.reset();
    reset_asked_ = false;

    ModelRunEnd end;
    const double until = cpu_seconds() + limits.host_seconds;
    const sim::RunEnd how = platform_->advance({limits.time, 0}, [&] {
        faults_->look(sim::bus_activity(*platform_));
        end.hung = cpu_seconds() > until;
        return !end.hung;
    });
    if (exit_code_) {
        end.verdict = RunVerdict::Exit;
        end.exit_code = *exit_code_;
    } else if (reset_asked_) {
        end.verdict = RunVerdict::Reset;
    } else if (how == sim::RunEnd::Asleep) {
        end.verdict = RunVerdict::Asleep;
    } else if (how == sim::RunEnd::Stopped) {
        const bool locked = platform_->core().stopped() == models::core::Stop::Lockup;
        end.verdict = locked ? RunVerdict::Lockup : RunVerdict::Breakpoint;
    } else {
        end.verdict = RunVerdict::Limit;
    }
    faults_->finish(end.verdict, end.exit_code);
    end.reports = faults_->reports();
    end.by_fault = faults_->ended_run();
    end.said = said_;
    return end;
}

}  // namespace n6vp::test

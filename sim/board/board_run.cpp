// SPDX-License-Identifier: Apache-2.0
#include "sim/board/board_run.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <ostream>
#include <utility>

#include "memmap/validation_flash.h"
#include "sim/host/console_text.h"
#include "sim/host/errors.h"
#include "sim/inference/model_run.h"
#include "sim/platform/progress_watch.h"
#include "traces/escape.h"

namespace n6vp::sim::board {

namespace {

namespace flash = memmap::validation_flash;

constexpr const char* kTableFile = "models.bin";

void put_word(std::string& to, std::uint32_t word) {
    for (unsigned i = 0; i < 4; ++i) to.push_back(static_cast<char>(word >> 8 * i & 0xFF));
}

std::string table_of(const BoardChoice& choice, const std::vector<PlacedModel>& models) {
    std::string table;
    put_word(table, flash::kMagic);
    put_word(table, static_cast<std::uint32_t>(models.size()));
    put_word(table, (choice.model.mode == "copy" ? 0 : flash::kXip) |
                        (choice.model.clear ? flash::kClear : 0) |
                        (choice.overlay ? 0 : flash::kSideBySide));
    for (const PlacedModel& model : models) {
        put_word(table, to_word(model.plan->file().start));
        put_word(table, model.files->params_path.empty() ? 0 : to_word(model.plan->params().start));
    }
    return table;
}

std::string address_text(GuestAddr address) {
    return fmt::format("0x{:08x}", to_word(address));
}

/// The project's own firmware polls the port for as long as it serves. Ends with Asleep once it
/// has done nothing for a while, which is less than the silence that makes the port ready.
RunEnd advance_own(RunSession& session, const std::function<bool()>& poll) {
    constexpr models::Picoseconds kLongestSleep = 900'000'000'000;  // 900 ms
    Platform& platform = session.platform();
    std::uint64_t done = 0;
    models::Picoseconds since = 0;
    bool ended = false;
    const RunEnd end = platform.advance(session.plan().limits, [&] {
        // During long epochs the NPU alone is at work.
        const std::uint64_t now = platform.core().core().instructions() + bus_activity(platform);
        if (now != done) since = platform.time();
        done = now;
        ended = platform.time() - since >= kLongestSleep;
        return !ended && poll();
    });
    return ended ? RunEnd::Asleep : end;
}

/// Firmware of others has set the port up by then.
constexpr models::Picoseconds kBoot = 2'000'000'000'000;  // 2 s

/// Ends with Time if the firmware has never set the port up.
RunEnd advance_other(RunSession& session, const std::function<bool()>& listens,
                     const std::function<bool()>& poll) {
    Platform& platform = session.platform();
    bool listened = false, ended = false;
    const RunEnd end = platform.advance(session.plan().limits, [&] {
        listened = listened || listens();
        ended = !listened && platform.time() >= kBoot;
        return !ended && poll();
    });
    return ended ? RunEnd::Time : end;
}

}  // namespace

BoardRun::BoardRun(const BoardChoice& choice, std::vector<PlacedModel> models)
    : choice_(choice), models_(std::move(models)) {
    if (models_.size() > flash::kMaxModels) {
        throw UserError(fmt::format("{} models on one board", models_.size()),
                        fmt::format("at most {} are supported", flash::kMaxModels));
    }
    folder_.write(kTableFile, table_of(choice_, models_));
}

RunConfig BoardRun::config() const {
    RunConfig config;
    if (choice_.elf.empty()) {
        const auto own = model_run::find_firmware("n6vp_firmware_validation.elf");
        config.set("elf", own.string(), "board");
    } else {
        config.set("elf", choice_.elf, "--elf");
    }
    config.set("boot", "reset", "board");
    config.set("uart", choice_.uart, "--uart");
    if (!choice_.timing.empty()) config.set("timing", choice_.timing, "--timing");
    if (!choice_.max_host_time.empty())
        config.set("max_host_time", choice_.max_host_time, "--max-host-time");
    const auto add = [&config](GuestAddr at, const std::string& file) {
        config.add_image({{address_text(at), "MODEL"}, file, {}});
    };
    add(GuestAddr{flash::kTable}, folder_.file(kTableFile));
    for (const PlacedModel& model : models_) {
        add(model.plan->file().start, model.files->file_path);
        if (!model.files->params_path.empty())
            add(model.plan->params().start, model.files->params_path);
    }
    return config;
}

RunOutcome BoardRun::run(const RunPlan& plan, std::ostream& place, std::ostream& err) {
    ConsoleText boot(&err);
    RunSession::Streams streams{err, err};
    const models::Uart* port = nullptr;
    const auto listens = [&port] { return port != nullptr && port->frame_ps() != 0; };
    streams.replace_console = [&](std::unique_ptr<ConsoleBackend> backend) {
        BoardLine::Setup setup;
        setup.keep = choice_.keep;
        setup.listens = listens;
        setup.all_read = [&port] { return port->on_the_way() == 0 && port->unread() == 0; };
        setup.receives = [&port] { return port->receives(); };
        setup.on_deaf = [this] { never_reads_ = true; };
        setup.on_stuck = [&err] {
            err << "n6vp: a client left in the middle of an exchange, and the firmware does not "
                   "answer any more\n      start the board again if the next client fails\n";
        };
        setup.boot_text = [&boot](std::string_view text) { boot.put(text); };
        setup.on_ready = [this, &place](const std::string& where) {
            place_ = where;
            place << where << std::endl;
        };
        return std::make_unique<BoardLine>(std::move(backend), std::move(setup), counts_);
    };
    RunSession session(plan, streams);
    port = session.platform().soc().io.uart("USART1");
    session.drive = [&](const std::function<bool()>& poll) {
        const auto go_on = [&] { return !never_reads_ && poll(); };
        const RunEnd end = choice_.elf.empty() ? advance_own(session, go_on)
                                               : advance_other(session, listens, go_on);
        return never_reads_ ? RunEnd::Time : end;
    };
    RunOutcome outcome = session.run();
    boot.finish();
    never_listened_ = place_.empty() && !listens();
    reports_ = session.faults().reports();
    session.require_console();
    return outcome;
}

bool BoardRun::ended_well(const RunOutcome& outcome) {
    return outcome.verdict == RunVerdict::Interrupted;
}

void BoardRun::explain(const RunOutcome& outcome, std::ostream& err) const {
    if (never_listened_ && outcome.verdict == RunVerdict::Limit) {
        err << fmt::format(
            "n6vp: the firmware has not set USART1 up in {} s of simulated time\n"
            "      clients are served by that port only; firmware that waits for a USB host, or "
            "for "
            "hardware that is not modelled, cannot be served\n",
            kBoot / 1'000'000'000'000);
    } else if (timed_out(outcome)) {
        err << fmt::format(
            "n6vp: {} within --max-host-time {}\n      raise the limit, or {}\n",
            counts_.clients == 0 ? "no client has come" : "no client has ended the board",
            traces::terminal_text(choice_.max_host_time),
            counts_.clients == 0 ? "start the client in time" : "see what the client waits for");
        return;
    } else if (never_reads_) {
        err << "n6vp: the firmware does not read USART1; is it a build for USB?\n"
               "      clients are served by that port only\n";
    } else {
        err << fmt::format(
            "n6vp: the firmware stopped: {}\n      if it stopped before READY, the boot text above "
            "says why; else see the report of n6vp run {}\n",
            verdict_name(outcome.verdict), choice_.elf.empty() ? "MODEL" : "--elf FILE");
    }
    if (!reports_.empty()) fault_report::write_report(err, reports_.front());
}

Json BoardRun::json(const RunOutcome& outcome) const {
    Json document = json_document("board");
    document["place"] = place_;
    document["firmware"] = choice_.elf;
    document["models"] = Json::array();
    for (const PlacedModel& model : models_) {
        document["models"].push_back(Json{{"file", model.files->file_path},
                                          {"params_file", model.files->params_path},
                                          {"address", to_word(model.plan->file().start)}});
    }
    document["clients"] = counts_.clients;
    document["bytes_received"] = counts_.received;
    document["bytes_sent"] = counts_.sent;
    document["verdict"] = verdict_name(outcome.verdict);
    document["time_ps"] = outcome.time;
    document["cycles"] = outcome.cycles;
    return document;
}

}  // namespace n6vp::sim::board

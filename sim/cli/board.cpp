// SPDX-License-Identifier: Apache-2.0
#include "sim/board/board_run.h"

#include <CLI/App.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "sim/cli/frame.h"
#include "sim/cli/log_options.h"
#include "sim/cli/run_model.h"
#include "sim/cli/verb.h"
#include "sim/host/errors.h"
#include "sim/host/json_output.h"
#include "sim/run/run_config.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

constexpr const char* kBoardFooter =
    R"(The models are put into the simulated flash as a programmer would: a table of models at 0x70FFF000, the first model at
0x71000000, the next ones behind it. The firmware installs them and waits on USART1 (921,600 Bd) for a client that speaks
the validation protocol, version 3.1, such as ST's Python runner (stm_ai_runner) or stedgeai validate --mode target.

The first line of standard output is the place of the port, printed when the board is ready:
  tcp 127.0.0.1:10000       AiRunner().connect("socket:127.0.0.1:10000")
  pty /dev/pts/3            AiRunner().connect("serial:/dev/pts/3:921600")
Boot text goes to standard error and never to a client. Clients measure their time limits on the host: on a busy machine
use --timing functional, whose cycles are less accurate.

Firmware of your own (--elf) finds the models at the same places. ST's relocatable validation firmware reads one model,
of the release that its boot text names; builds for a USB port cannot be served: the board ends when they leave unread
what a client sends.

Two seconds after the client has left the board ends; with --keep it waits for the next one. Ctrl-C ends it, too. A client
that leaves without having sent a byte has only looked whether the port is open: the board stays. In CI give it an end by
--max-host-time.
Exit codes: 0 the client left, or Ctrl-C; 2 usage; 3 the firmware stopped; 5 --max-host-time; 6 a model would not install;
7 the output could not be written.

Examples:
  n6vp board network_rel.bin                      one model, TCP port 10000
  n6vp board kws_rel.bin img_rel.bin --keep       two models, for any number of clients
  n6vp board network_rel.bin --uart pty           a pseudo terminal
  n6vp board network_rel.bin --elf validation.elf firmware of your own)";

struct BoardOptions {
    std::vector<std::string> models;
    board::BoardChoice choice;
    bool json = false;
};

/// Fails with UserError for places that no client can reach.
void require_place_for_clients(const std::string& place) {
    if (place == "pty" || place.starts_with("tcp:")) return;
    throw UserError("--uart '" + traces::terminal_text(place) + "' has no place for a client",
                    "write --uart tcp:10000, --uart tcp:0 for any free port, or --uart pty");
}

void read_models(const BoardOptions& options, InferenceTarget& subject) {
    model_run::ModelChoice each;
    each.model = options.choice.model;
    for (const std::string& file : options.models) require_model_of_n6(file);
    if (options.models.size() > 1) {
        subject.several.emplace(
            model_run::SetChoice{options.models, std::move(each), options.choice.overlay});
    } else {
        if (options.choice.overlay)
            throw UserError("--overlay and one model", "it needs several models: name them all");
        each.model.file = options.models.front();
        subject.one.emplace(each);
    }
}

std::vector<board::PlacedModel> placed(const InferenceTarget& subject) {
    if (subject.one) return {{&subject.one->files(), &subject.one->plan()}};
    std::vector<board::PlacedModel> models;
    for (const auto& member : subject.several->members())
        models.push_back({&member->files, &member->plan});
    return models;
}

void serve(const BoardOptions& options, Session& session) {
    require_place_for_clients(options.choice.uart);
    InferenceTarget subject;
    read_models(options, subject);
    if (refuse_models(subject, options.json, session)) return;
    board::BoardRun served(options.choice, placed(subject));
    const RunPlan plan = make_plan(served.config());
    const RunOutcome outcome =
        served.run(plan, options.json ? session.err : session.out, session.err);
    if (!board::BoardRun::ended_well(outcome)) {
        served.explain(outcome, session.err);
        session.exit_code = served.timed_out(outcome) ? kExitLimit : kExitGuestFault;
    }
    if (options.json) write_json(session.out, served.json(outcome));
}

}  // namespace

void add_board(CLI::App& app, Session& session) {
    auto options = std::make_shared<BoardOptions>();
    board::BoardChoice& choice = options->choice;
    CLI::App* verb = app.add_subcommand(
        "board", "serve models to a client of the validation protocol, as a board does");
    verb->add_option("MODEL", options->models, "one to four models (network_rel.bin)")->required();
    verb->add_option("--elf", choice.elf, "firmware to run (default: n6vp's own)")
        ->type_name("FILE");
    verb->add_option("--uart", choice.uart, "place of the serial port: tcp:PORT or pty")
        ->type_name("PLACE")
        ->capture_default_str();
    verb->add_flag("--keep", choice.keep, "wait for the next client when one has left");
    verb->add_option("--max-host-time", choice.max_host_time,
                     "limit of host time, such as 600s (default: none)")
        ->type_name("TIME");
    verb->add_option("--params", choice.model.params, "parameter file of a split model")
        ->type_name("FILE");
    verb->add_option("--mode", choice.model.mode, "xip or copy (default xip)")
        ->type_name("MODE")
        ->check(CLI::IsMember({"xip", "copy"}));
    verb->add_flag("--clear", choice.model.clear, "clear activation pools");
    verb->add_flag("--overlay", choice.overlay,
                   "several models: install each into the whole exec RAM when it is asked for");
    verb->add_option("--timing", choice.timing, "accuracy of time (default approx)")
        ->type_name("GRADE")
        ->check(CLI::IsMember({"functional", "approx", "precise"}));
    verb->add_flag("--json", options->json,
                   "write what was served to standard output as JSON (n6vp.board/1); the place "
                   "goes to standard error");
    add_log_options(*verb, session);
    verb->footer(kBoardFooter);
    verb->callback([options, &session] { serve(*options, session); });
}

}  // namespace n6vp::sim::cli

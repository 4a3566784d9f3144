// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "sim/cli/verb.h"
#include "sim/errors.h"

int main(int argc, char** argv) {
    using namespace n6vp::sim;
    cli::Session session{std::cout, std::cerr};
    CLI::App app{"n6vp: open virtual platform of the STM32N6", "n6vp"};
    app.require_subcommand(1);
    cli::add_info(app, session);
    cli::add_check(app, session);
    cli::add_map(app, session);
    cli::add_install(app, session);
    cli::add_pack(app, session);
    cli::add_params(app, session);
    try {
        app.parse(argc, argv);
        return session.exit_code;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? cli::kExitOk : cli::kExitUsage;
    } catch (const UserError& error) {
        std::cerr << "n6vp: " << error.what() << "\n      " << error.remedy() << '\n';
        return error.exit_code();
    } catch (const std::exception& error) {
        std::cerr << "n6vp: internal error: " << error.what() << '\n';
        return cli::kExitInternal;
    }
}

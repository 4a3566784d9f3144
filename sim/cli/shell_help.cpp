// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

#include "sim/cli/completions.h"
#include "sim/cli/man_page.h"
#include "sim/cli/verb.h"
#include "sim/host/input_file.h"

namespace n6vp::sim::cli {

namespace {

constexpr std::uintmax_t kMaxTemplateBytes = 1 << 20;

constexpr const char* kFooter =
    "Examples:\n"
    "  n6vp completions bash > ~/.local/share/bash-completion/completions/n6vp\n"
    "  n6vp completions zsh > \"${fpath[1]}/_n6vp\"\n"
    "  n6vp completions fish > ~/.config/fish/completions/n6vp.fish";

std::string completions_of(const std::string& shell, const std::vector<VerbDescription>& verbs) {
    if (shell == "bash") return bash_completions(verbs);
    return shell == "zsh" ? zsh_completions(verbs) : fish_completions(verbs);
}

}  // namespace

void add_completions(CLI::App& app, Session& session) {
    auto shell = std::make_shared<std::string>();
    CLI::App* verb = app.add_subcommand("completions", "write the completions of a shell");
    verb->add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    verb->footer(kFooter);
    verb->callback(
        [shell, &app, &session] { session.out << completions_of(*shell, describe(app)); });
}

/// For the build: the help does not list it.
void add_man_page(CLI::App& app, Session& session) {
    auto file = std::make_shared<std::string>();
    CLI::App* verb = app.add_subcommand("man-page", "write a man page from its template");
    verb->group("");
    verb->add_option("TEMPLATE", *file, "template with lines @OPTIONS verb@")->required();
    verb->callback([file, &app, &session] {
        const auto page = read_input(*file, kMaxTemplateBytes, "a man page is shorter");
        session.out << man_page({page.begin(), page.end()}, describe(app));
    });
}

}  // namespace n6vp::sim::cli

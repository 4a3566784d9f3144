// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/verb.h"

namespace n6vp::sim::cli {

// A new verb is a source of its own, and here a declaration and a row. CONTRIBUTING.md lists the
// other places.
// NOLINTBEGIN(readability-redundant-declaration): a batch of sources may hold the definitions
void add_info(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_map(CLI::App& app, Session& session);
void add_install(CLI::App& app, Session& session);
void add_pack(CLI::App& app, Session& session);
void add_generate(CLI::App& app, Session& session);
void add_run(CLI::App& app, Session& session);
void add_board(CLI::App& app, Session& session);
void add_exec(CLI::App& app, Session& session);
void add_ecdump(CLI::App& app, Session& session);
void add_epoch(CLI::App& app, Session& session);
void add_analyze(CLI::App& app, Session& session);
void add_validate(CLI::App& app, Session& session);
void add_supported_ops(CLI::App& app, Session& session);
void add_params(CLI::App& app, Session& session);
void add_completions(CLI::App& app, Session& session);
void add_man_page(CLI::App& app, Session& session);
// NOLINTEND(readability-redundant-declaration)

namespace {

constexpr Verb kVerbs[] = {
    {add_info},        {add_check},    {add_map},      {add_install},       {add_pack},
    {add_generate},    {add_run},      {add_board},    {add_exec},          {add_ecdump},
    {add_epoch},       {add_analyze},  {add_validate}, {add_supported_ops}, {add_params},
    {add_completions}, {add_man_page},
};

}  // namespace

std::span<const Verb> verbs() {
    return kVerbs;
}

}  // namespace n6vp::sim::cli

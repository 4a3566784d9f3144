// SPDX-License-Identifier: Apache-2.0
// Apart from the rest, so that only a program that asks for names links them.
#include "loader/legacy_rules.h"

#include "loader/legacy/capi/ai_reloc_network.h"
#include "loader/rules.h"

const char* n6vp_rel_rule_name(ai_u32 rule) {
    using n6vp::loader::Rule;
    switch (static_cast<Rule>(rule)) {
#define N6VP_RULE_CASE(name, stage, severity, status) \
    case Rule::name:                                  \
        return #name;
        N6VP_CONTAINER_RULES(N6VP_RULE_CASE)
        N6VP_LEGACY_RULES(N6VP_RULE_CASE)
#undef N6VP_RULE_CASE
        default:
            return "?";
    }
}

// SPDX-License-Identifier: Apache-2.0
// Apart from the rest, so that only a program that asks for names links them.
#include "loader/rules.h"

#include "loader/capi/n6vp_reloc_platform.h"

namespace {

#define N6VP_RULE_NAME(rule, stage, severity, status) #rule,
constexpr const char* kNames[] = {"None", N6VP_CONTAINER_RULES(N6VP_RULE_NAME)};
#undef N6VP_RULE_NAME

}  // namespace

const char* n6vp_reloc_rule_name(uint32_t rule) {
    return rule < sizeof kNames / sizeof kNames[0] ? kNames[rule] : "?";
}

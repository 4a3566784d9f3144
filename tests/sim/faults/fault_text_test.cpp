// SPDX-License-Identifier: Apache-2.0
// A fault in words: status bits and numbers of exceptions are those of the Armv8-M architecture,
// addresses and interrupt lines those of the reference manual.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <utility>

#include "sim/faults/fault_report.h"
#include "sim/faults/fault_words.h"

using namespace n6vp;
using namespace n6vp::sim::fault_report;
using Refusal = models::AccessFault::Kind;
using Where = models::core::CoreFault::Where;

namespace {

FaultMoment moment_of(Kind kind, std::uint32_t status = 0, Where where = Where::Instruction) {
    FaultMoment moment;
    moment.kind = kind;
    moment.of_core = moment.exact = true;
    moment.status = status;
    moment.where = where;
    return moment;
}

Access refused(Refusal refusal, const char* reason, std::uint32_t address = 0x34200000) {
    Access access;
    access.address = address;
    access.refusal = refusal;
    access.reason = reason;
    return access;
}

}  // namespace

TEST_CASE("fault words: every status bit has its name, in the order of the register") {
    const std::pair<unsigned, const char*> configurable[] = {
        {0, "IACCVIOL"}, {1, "DACCVIOL"},    {3, "MUNSTKERR"},    {4, "MSTKERR"},   {5, "MLSPERR"},
        {8, "IBUSERR"},  {9, "PRECISERR"},   {10, "IMPRECISERR"}, {11, "UNSTKERR"}, {12, "STKERR"},
        {13, "LSPERR"},  {16, "UNDEFINSTR"}, {17, "INVSTATE"},    {18, "INVPC"},    {19, "NOCP"},
        {20, "STKOF"},   {24, "UNALIGNED"},  {25, "DIVBYZERO"}};
    std::string all;
    for (const auto& [bit, name] : configurable) {
        CHECK(status_text(Kind::UsageFault, 1u << bit) == name);
        CHECK_FALSE(rule_text(moment_of(Kind::UsageFault, 1u << bit)).empty());
        all += (all.empty() ? "" : " ") + std::string(name);
    }
    CHECK(status_text(Kind::HardFault, 0xFFFFFFFF) == all);
    const std::pair<unsigned, const char*> secure[] = {{0, "INVEP"},  {1, "INVIS"},   {2, "INVER"},
                                                       {3, "AUVIOL"}, {4, "INVTRAN"}, {5, "LSPERR"},
                                                       {7, "LSERR"}};
    for (const auto& [bit, name] : secure) CHECK(status_text(Kind::SecureFault, 1u << bit) == name);
    CHECK(status_text(Kind::BusFault, 0).empty());
    CHECK(status_text(Kind::BusFault, 1u << 15).empty());  // BFARVALID says nothing by itself
}

TEST_CASE("fault words: the rule is what the core, the bus and the event say") {
    CHECK(rule_text(moment_of(Kind::BusFault, 1u << 9 | 1u << 12)) ==
          "the bus answered with an error; bus error while stacking registers");
    FaultMoment now = moment_of(Kind::BusFault, 1u << 9);
    now.exact = false;
    CHECK(rule_text(now).empty());
    now.exact = true;
    now.of_core = false;
    CHECK(rule_text(now).empty());
    CHECK(rule_text(moment_of(Kind::HardFault, 0, Where::Vector)) ==
          "the vector table cannot be read");
    CHECK(rule_text(moment_of(Kind::HardFault, 0, Where::Breakpoint)) ==
          "BKPT without a debugger, and no DebugMonitor enabled");
    FaultMoment access = moment_of(Kind::DeniedAccess);
    access.access = refused(Refusal::Refused, "RISAF4: region 1 denies it");
    access.text = "at last";
    CHECK(rule_text(access) == "refused; RISAF4: region 1 denies it; answered with zero; at last");
    access.kind = Kind::BusFault;
    access.text = "";
    access.access = refused(Refusal::Unmapped, "");
    CHECK(rule_text(access) == "there is no memory at this address");
    access.access->refusal.reset();
    CHECK(rule_text(access).empty());
    const std::pair<Refusal, const char*> refusals[] = {
        {Refusal::Unreachable, "this master has no path to this address"},
        {Refusal::CrossesWindow, "the burst crosses the end of its memory"},
        {Refusal::ReadOnly, "this memory is read-only"},
        {Refusal::NotSupported, "not supported"}};
    for (const auto& [refusal, text] : refusals) CHECK(refusal_text(refusal) == std::string(text));
}

TEST_CASE("fault words: the remedy is the nearest that is known") {
    FaultMoment moment = moment_of(Kind::UsageFault, 1u << 19 | 1u << 17);
    CHECK(remedy_text(moment) == "enable CP10 and CP11 in CPACR first");
    moment.access = refused(Refusal::Unmapped, "", 0x34420000);
    CHECK(remedy_text(moment).starts_with("nearest memory: "));
    moment.access = refused(Refusal::Refused, "RCC_MEMENR has no clock");
    CHECK(remedy_text(moment) == "set-up step 3: RAM clocks: RCC MEMENR");
    moment.remedy = "its own";
    CHECK(remedy_text(moment) == "its own");
    const std::pair<unsigned, const char*> usage[] = {{17, "pointers to code"},
                                                      {20, "enlarge the stack"},
                                                      {24, "align the data"},
                                                      {16, "check that this code is intact"},
                                                      {25, "check the surrounding code"}};
    for (const auto& [bit, start] : usage)
        CHECK(remedy_text(moment_of(Kind::UsageFault, 1u << bit)).starts_with(start));
    CHECK(remedy_text(moment_of(Kind::HardFault, 0, Where::Vector)).starts_with("VTOR"));
    CHECK(remedy_text(moment_of(Kind::HardFault, 0, Where::Breakpoint)).find("BKPT 0xAB") !=
          std::string::npos);
    const std::pair<Kind, const char*> kinds[] = {
        {Kind::MemFault, "MPU"},      {Kind::SecureFault, "SAU"},    {Kind::NpuDeadlock, "frame"},
        {Kind::NpuProgram, "ecdump"}, {Kind::NpuLimit, "LIMITADDR"}, {Kind::BusFault, "n6vp map"}};
    for (const auto& each : kinds) {
        const auto& [kind, part] = each;
        CAPTURE(each.second);
        CHECK(remedy_text(moment_of(kind)).find(part) != std::string::npos);
    }
}

TEST_CASE("fault words: exceptions and places by name") {
    const std::pair<std::uint32_t, const char*> exceptions[] = {
        {0, "thread"},
        {2, "handler of NMI"},
        {3, "handler of HardFault"},
        {4, "handler of MemManage"},
        {5, "handler of BusFault"},
        {6, "handler of UsageFault"},
        {7, "handler of SecureFault"},
        {11, "handler of SVCall"},
        {14, "handler of PendSV"},
        {15, "handler of SysTick"},
        {16 + 53, "handler of interrupt 53 (NPU0)"},
        {16 + 56, "handler of interrupt 56 (NPU3)"},
        {496 + 15, "handler of interrupt 495"}};
    for (const auto& [number, text] : exceptions) CHECK(exception_text(number) == text);
    CHECK(exception_text(16).starts_with("handler of interrupt 0"));
    CHECK(region_text(0x34200010) == "AXISRAM3+0x10");
    CHECK(region_text(0x24200010) == "AXISRAM3+0x10");
    CHECK(region_text(0x71000000) == "XSPI2+0x1000000");
    CHECK(region_text(0xF0000000).empty());
    // DTS, which was said to be a part of BSEC.
    CHECK(region_text(0x56009FFC) == "BSEC+0xffc");
    CHECK(region_text(0x56003C04) == "no known peripheral");
    CHECK(region_text(0x46003C04) == "no known peripheral");
}

TEST_CASE("fault report: everything that is known stands on a line of its own") {
    FaultReport report;
    report.kind = Kind::BusFault;
    report.cause = "bus fault: a read";
    report.at = 1'234'567;
    report.state = "thread, secure";
    report.label = 7;
    report.count = 3;
    report.pc = 0x08000100;
    report.function = "main+0x2";
    report.called_from = "0x08000200 start";
    report.code = {{0x080000FE, 0x4770, 2, "bx lr", false},
                   {0x08000100, 0xF8D01004, 4, "ldr.w r1, [r0, #4]", true}};
    report.status = "PRECISERR";
    report.origin = OriginText{"r0 is 0x0", "GOT word 3", OriginText::Kind::Got,
                               3,           0x5B4,        0x34060010,
                               0x34060020,  0x40000004,   8};
    report.pool = "pool 1 (a)";
    report.phase = "run";
    report.waiting = {"one", "two"};
    report.nested = {"three"};
    report.remedy = "mend it";
    std::ostringstream text;
    write_report(text, report);
    CHECK(text.str() ==
          "n6vp: bus fault: a read\n"
          "      at        1.235 us, thread, secure, epoch label 7, 3 times\n"
          "      pc        0x08000100 main+0x2\n"
          "      called    0x08000200 start\n"
          "         0x080000fe  4770       bx lr\n"
          "      => 0x08000100  f8d0 1004  ldr.w r1, [r0, #4]\n"
          "      status    PRECISERR\n"
          "      origin    r0 is 0x0: GOT word 3\n"
          "      pool      pool 1 (a)\n"
          "      during    run\n"
          "      waits     one\n"
          "      waits     two\n"
          "      then      three\n"
          "      remedy    mend it\n");
    FaultReport bare;
    bare.cause = "c";
    bare.count = 1;
    std::ostringstream little;
    write_report(little, bare);
    CHECK(little.str() == "n6vp: c\n      at        0.000 us\n");
}

TEST_CASE("fault report: the document has every fact, and none that is not known") {
    using n6vp::sim::Json;
    FaultReport report;
    report.kind = Kind::BusFault;
    report.ended_run = true;
    report.cause = "c";
    report.who = "core";
    report.at = 5;
    report.count = 2;
    report.rule = "r";
    report.remedy = "m";
    CHECK(report_json(report) == Json({{"kind", "bus_fault"},
                                       {"ended_run", true},
                                       {"cause", "c"},
                                       {"who", "core"},
                                       {"time_ps", 5},
                                       {"count", 2},
                                       {"code", Json::array()},
                                       {"rule", "r"},
                                       {"remedy", "m"}}));
    report.pc = 0x08000100;
    report.function = "main";
    report.state = "thread";
    report.called_from = "start";
    report.code = {{0x080000FE, 0x0470, 2, "bx lr", false}, {0x08000100, 0x1, 4, "x", true}};
    report.access = refused(Refusal::Refused, "why");
    report.access->bytes = 4;
    report.region = "AXISRAM3+0x0";
    report.status = "PRECISERR";
    report.origin = OriginText{
        "r0", "text", OriginText::Kind::Relocation, 3, 0x5B4, 0x34060010, 0x20, 0x40000004, 8};
    report.pool = "pool 1";
    report.phase = "run";
    report.label = 7;
    report.waiting = {"one"};
    report.nested = {"two"};
    report.registers.emplace();
    report.registers->at(15) = 0x08000100;
    const Json document = report_json(report);
    CHECK(document["pc"] == "0x08000100");
    CHECK(document["function"] == "main");
    CHECK(document["state"] == "thread");
    CHECK(document["called_from"] == "start");
    CHECK(document["code"] == Json::array({{{"address", "0x080000fe"},
                                            {"encoding", "0470"},
                                            {"text", "bx lr"},
                                            {"marked", false}},
                                           {{"address", "0x08000100"},
                                            {"encoding", "00000001"},
                                            {"text", "x"},
                                            {"marked", true}}}));
    CHECK(document["access"] == Json({{"address", "0x34200000"},
                                      {"bytes", 4},
                                      {"kind", "read"},
                                      {"region", "AXISRAM3+0x0"},
                                      {"reason", "why"}}));
    CHECK(document["origin"] == Json({{"holder", "r0"},
                                      {"kind", "relocation"},
                                      {"index", 3},
                                      {"file_offset", 0x5B4},
                                      {"installed_at", "0x34060010"},
                                      {"installed_value", "0x00000020"},
                                      {"distance", 8},
                                      {"text", "text"},
                                      {"file_value", "0x40000004"}}));
    CHECK(document["status"] == "PRECISERR");
    CHECK(document["pool"] == "pool 1");
    CHECK(document["phase"] == "run");
    CHECK(document["epoch_label"] == 7);
    CHECK(document["waiting"] == Json({"one"}));
    CHECK(document["nested"] == Json({"two"}));
    CHECK(document["registers"].size() == 16);
    CHECK(document["registers"][0] == "0x00000000");
    CHECK(document["registers"][15] == "0x08000100");
    report.access->write = true;
    report.access->reason = "";
    report.origin->file_value.reset();
    CHECK(report_json(report)["access"]["kind"] == "write");
    CHECK_FALSE(report_json(report)["access"].contains("reason"));
    CHECK_FALSE(report_json(report)["origin"].contains("file_value"));
    report.access->fetch = true;
    CHECK(report_json(report)["access"]["kind"] == "fetch");
}

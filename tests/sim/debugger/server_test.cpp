// SPDX-License-Identifier: Apache-2.0
// The commands of a client, on a simulated core.
#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <string>

#include "sim/debugger/server.h"
#include "tests/sim/debugger/core_machine.h"
#include "tests/support/thumb.h"

using namespace n6vp;
using namespace n6vp::sim::debugger;
using test::CoreMachine;
using test::Thumb;

namespace {

constexpr std::uint32_t kBase = 0, kStack = 0x20010000, kData = 0x20000100;

/// A client that says one thing after the other.
struct Bench {
    explicit Bench(const Thumb& program)
        : server(machine, {[this](std::string_view bytes) { sent += bytes; }, {}}) {
        const std::vector<std::uint8_t> image = program.image(kBase, kStack);
        REQUIRE(machine.program(kBase, image));
        machine.core().reset();
    }
    /// Sends a packet; returns the payloads of the answers, parted by '|'.
    std::string ask(std::string_view payload) {
        sent.clear();
        put(frame(payload));
        PacketReader reader;
        reader.put(sent);
        std::string answers;
        while (const auto item = reader.take()) {
            if (item->kind != Incoming::Kind::Packet) continue;
            if (!answers.empty()) answers += '|';
            answers += item->payload;
        }
        return answers;
    }
    void put(std::string_view bytes) {
        server.receive({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        server.work();
    }
    /// Returns a register of the answer to `p`.
    std::uint32_t reg(unsigned number) {
        char text[16];
        std::snprintf(text, sizeof text, "p%x", number);
        const auto bytes = bytes_of_hex(ask(text));
        REQUIRE(bytes);
        std::uint32_t value = 0;
        std::memcpy(&value, bytes->data(), sizeof value);
        return value;
    }

    CoreMachine machine;
    std::string sent;
    Server server;
};

/// Adds 1 to r0 ten times, stores it at kData and ends.
Thumb counting() {
    Thumb program;
    program.set(4, kData).set(0, 0).set(5, 10);
    const std::size_t loop = program.code().size();
    program.add(0, 1).subtract(5, 1).repeat(loop);
    program.store(0, 4).load(6, 4).end();
    return program;
}
/// Of `add`, in the loop.
constexpr std::uint32_t kLoop = Thumb::kVectors + 6 * 4;
constexpr std::uint32_t kStore = kLoop + 6;

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a client learns what the server can do") {
    Bench bench(counting());
    const std::string support = bench.ask("qSupported:multiprocess+;swbreak+");
    CHECK(has(support, "PacketSize=4000"));
    CHECK(has(support, "qXfer:features:read+"));
    CHECK(has(support, "qXfer:memory-map:read+"));
    CHECK(bench.ask("vMustReplyEmpty") == "");
    CHECK(bench.ask("?").substr(0, 3) == "T05");
    CHECK(bench.ask("vCont?") == "vCont;c;C;s;S;r");
    CHECK(bench.ask("qC") == "QC1");
    CHECK(bench.ask("qfThreadInfo") == "m1");
    CHECK(bench.ask("qsThreadInfo") == "l");
    CHECK(bench.ask("T1") == "OK");
    CHECK(bench.ask("T2") == "E03");
    CHECK(bench.ask("Hg0") == "OK");
    CHECK(bench.ask("Hc-1") == "OK");
}

TEST_CASE("packets are acknowledged until the client wants none of that") {
    Bench bench(counting());
    bench.put(frame("qC"));
    CHECK(bench.sent == "+$QC1#c5");
    bench.sent.clear();
    bench.put("-");
    CHECK(bench.sent == "$QC1#c5");
    bench.sent.clear();
    bench.put("$qC#00");
    CHECK(bench.sent == "-");
    CHECK(bench.ask("QStartNoAckMode") == "OK");
    bench.sent.clear();
    bench.put(frame("qC"));
    CHECK(bench.sent == "$QC1#c5");
}

TEST_CASE("the target description comes in parts") {
    Bench bench(counting());
    std::string whole;
    for (unsigned at = 0;; at += 0x100) {
        char text[64];
        std::snprintf(text, sizeof text, "qXfer:features:read:target.xml:%x,100", at);
        const std::string part = bench.ask(text);
        REQUIRE_FALSE(part.empty());
        whole += part.substr(1);
        if (part[0] == 'l') break;
        REQUIRE(part[0] == 'm');
    }
    for (const char* const feature :
         {"org.gnu.gdb.arm.m-profile\"", "org.gnu.gdb.arm.vfp\"", "org.gnu.gdb.arm.m-profile-mve\"",
          "org.gnu.gdb.arm.m-system\"", "org.gnu.gdb.arm.secext\"", "name=\"xpsr\"", "name=\"d15\"",
          "name=\"vpr\"", "name=\"msp_ns\"", "name=\"psp_s\"", "name=\"basepri_ns\"",
          "name=\"control\""})
        CHECK_MESSAGE(has(whole, feature), feature);
    CHECK(bench.ask("qXfer:features:read:other.xml:0,100") == "E00");
    CHECK(bench.ask("qXfer:features:read:target.xml:0") == "E01");
}

TEST_CASE("the memory map tells flash from RAM") {
    Bench bench(counting());
    const std::string map = bench.ask("qXfer:memory-map:read::0,1000");
    CHECK(has(map, "type=\"flash\" start=\"0x0\" length=\"0x10000\""));
    CHECK(has(map, "type=\"ram\" start=\"0x20000000\" length=\"0x10000\""));
}

TEST_CASE("registers are read and written, one by one and together") {
    Bench bench(counting());
    CHECK(bench.reg(13) == kStack);
    CHECK(bench.reg(15) == Thumb::kVectors);
    CHECK((bench.reg(16) & 1u << 24) != 0);
    CHECK(bench.ask("P3=78563412") == "OK");
    CHECK(bench.machine.core().reg(3) == 0x12345678);
    const std::string all = bench.ask("g");
    CHECK(all.substr(24, 8) == "78563412");
    CHECK(bench.ask("G" + std::string("efbeadde") + all.substr(8)) == "OK");
    CHECK(bench.machine.core().reg(0) == 0xDEADBEEF);
    CHECK(bench.machine.core().reg(3) == 0x12345678);
    CHECK(bench.ask("P3=7856") == "E02");
    CHECK(bench.ask("Pfff=00000000") == "E02");
    CHECK(bench.ask("pfff") == "E02");
    CHECK(bench.ask("p") == "E01");
    CHECK(bench.ask("P3") == "E01");
    CHECK(bench.ask("Gzz") == "E01");
}

TEST_CASE("banked and floating-point registers have their places") {
    Bench bench(counting());
    models::core::CpuState& cpu = bench.machine.core().state();
    const CoreRegisters registers(bench.machine.core(), bench.machine.profile());
    const auto number = [&registers](const char* name) { return *registers.find(name); };
    cpu.stack_pointers[models::core::kPspNs] = 0x20001000;
    CHECK(bench.reg(number("psp_ns")) == 0x20001000);
    CHECK(bench.reg(number("msp_s")) == kStack);
    CHECK(bench.reg(number("msp")) == kStack);
    const auto write = [&](const char* name, const std::string& value) {
        char text[64];
        std::snprintf(text, sizeof text, "P%x=%s", number(name), value.c_str());
        CHECK(bench.ask(text) == "OK");
    };
    write("psp", "00200020");
    CHECK(cpu.stack_pointers[models::core::kPspS] == 0x20002000);
    write("msp_ns", "00300020");
    CHECK(cpu.stack_pointers[models::core::kMspNs] == 0x20003000);
    write("primask", "01000000");
    CHECK(cpu.primask[models::core::kSecure] == 1);
    CHECK(bench.reg(number("primask_ns")) == 0);
    // The process stack comes into use.
    write("control", "02000000");
    CHECK(bench.reg(13) == 0x20002000);
    CHECK(bench.reg(number("msp")) == kStack);
    write("d1", "000000000000f03f");
    CHECK(models::core::vector_lane<double>(cpu, 1) == 1.0);
    write("vpr", "ff00ff00");
    CHECK(cpu.vpr == 0x00FF00FF);
    write("xpsr", "000000f1");
    CHECK(models::core::apsr(cpu) == 0xF0000000);
}

TEST_CASE("a thread that does not run shows what it has saved, and keeps it") {
    Bench bench(counting());
    SavedRegisters saved;
    saved.general[4] = 0x12345678;
    saved.general[13] = 0x20008000;
    saved.general[15] = 0x70000200;
    bench.machine.listed = {{0x20001000, "main", {}},
                            {0x20002000, "bare", saved},
                            {0x20003000, "with a floating-point context", saved}};
    SavedRegisters::Float& floats = bench.machine.listed[2].saved->fp.emplace();
    floats.doubles[1] = 0x3FF0000000000000;
    floats.fpscr = 0x03000000;
    const CoreRegisters registers(bench.machine.core(), bench.machine.profile());
    const auto value = [&](const char* name) {
        char text[16];
        std::snprintf(text, sizeof text, "p%x", *registers.find(name));
        return bench.ask(text);
    };
    CHECK(bench.ask("qfThreadInfo") == "m20001000,20002000,20003000");
    CHECK(bench.ask("qC") == "QC20001000");
    CHECK(bench.ask("Hg20002000") == "OK");
    CHECK(value("r4") == "78563412");
    CHECK(value("pc") == "00020070");
    CHECK(value("d1") == "xxxxxxxxxxxxxxxx");
    CHECK(value("fpscr") == "xxxxxxxx");
    CHECK(value("psp") == "00800020");
    CHECK(value("psp_s") == "00800020");
    CHECK(value("psp_ns") == "00000000");
    CHECK(value("msp") == "00000120");
    CHECK(value("msp_s") == "00000120");
    CHECK(value("primask") == "xxxxxxxx");
    CHECK(bench.ask("P4=00000000") == "E02");
    CHECK(bench.ask("Hg20003000") == "OK");
    CHECK(value("d1") == "000000000000f03f");
    CHECK(value("fpscr") == "00000003");
    CHECK(bench.ask("Hg20001000") == "OK");
    CHECK(bench.reg(15) == Thumb::kVectors);
    CHECK(bench.ask("Hg20004000") == "E03");
}

TEST_CASE("memory is read and written within its bounds") {
    Bench bench(counting());
    CHECK(bench.ask("M20000100,4:01020304") == "OK");
    CHECK(bench.ask("m20000100,4") == "01020304");
    CHECK(bench.ask(std::string("X20000102,2:\x7f\x00", 14)) == "OK");
    CHECK(bench.ask("m20000100,4") == "01027f00");
    CHECK(bench.ask("X20000102,0:") == "OK");
    CHECK(bench.ask("m30000000,4") == "E0e");
    CHECK(bench.ask("m2000fffe,4") == "E0e");
    CHECK(bench.ask("mffffffff,2") == "E01");
    CHECK(bench.ask("M20000100,4:0102") == "E01");
    CHECK(bench.ask("M20000100,2:01zz") == "E01");
    CHECK(bench.ask("X20000100,4:ab") == "E01");
    CHECK(bench.ask("m20000000,ffffffff") == "E01");
    CHECK(bench.ask("m20000000,10000").size() == kMaxPayload);
}

TEST_CASE("a breakpoint stops before its instruction, and lets the core go on") {
    Bench bench(counting());
    bench.ask("qSupported:multiprocess+;swbreak+;hwbreak+");
    char text[64];
    std::snprintf(text, sizeof text, "Z0,%x,2", kLoop);
    REQUIRE(bench.ask(text) == "OK");
    for (unsigned round = 0; round < 3; ++round) {
        const std::string stop = bench.ask("c");
        CHECK(stop.substr(0, 3) == "T05");
        CHECK(has(stop, "swbreak:;"));
        CHECK(bench.reg(15) == kLoop);
        CHECK(bench.reg(0) == round);
    }
    text[0] = 'z';
    REQUIRE(bench.ask(text) == "OK");
    // The program ends with 10, which CoreMachine takes for its exit code.
    CHECK(bench.ask("vCont;c") == "W0a");
    CHECK(bench.server.state() == Server::State::Ended);
}

TEST_CASE("hardware breakpoints at the same place are told apart") {
    Bench bench(counting());
    bench.ask("qSupported:swbreak+;hwbreak+");
    char text[64];
    std::snprintf(text, sizeof text, "Z1,%x,2", kLoop);
    REQUIRE(bench.ask(text) == "OK");
    CHECK(has(bench.ask("c"), "hwbreak:;"));
    text[1] = '0';
    REQUIRE(bench.ask(text) == "OK");
    CHECK(has(bench.ask("c"), "swbreak:;"));
    text[0] = 'z';
    REQUIRE(bench.ask(text) == "OK");
    CHECK(has(bench.ask("c"), "hwbreak:;"));
}

TEST_CASE("a breakpoint with bit 0 of a Thumb address is that of the instruction") {
    const auto packet = [](const char* command, std::uint32_t address) {
        char text[64];
        std::snprintf(text, sizeof text, "%s,%x,2", command, address);
        return std::string(text);
    };
    for (const char* const kind : {"0", "1"}) {
        for (const std::uint32_t bit : {0u, 1u}) {
            CAPTURE(kind);
            CAPTURE(bit);
            const std::string set = std::string("Z") + kind, remove = std::string("z") + kind;
            Bench bench(counting());
            bench.ask("qSupported:swbreak+;hwbreak+");
            REQUIRE(bench.ask(packet(set.c_str(), kLoop | bit)) == "OK");
            CHECK(has(bench.ask("c"), *kind == '0' ? ";swbreak:;" : ";hwbreak:;"));
            CHECK(bench.reg(15) == kLoop);
            // By the other form of the address it is the same one.
            REQUIRE(bench.ask(packet(set.c_str(), kLoop | (1 - bit))) == "OK");
            REQUIRE(bench.ask(packet(remove.c_str(), kLoop | (1 - bit))) == "OK");
            CHECK(bench.ask("c") == "W0a");
        }
    }
}

TEST_CASE("a watched range is neither empty nor goes on at address 0") {
    CoreMachine machine;
    Points points(machine);
    CHECK_FALSE(points.add(PointKind::Write, 0x20000000, 0));
    CHECK_FALSE(points.add(PointKind::Write, 0xFFFFFFFC, 5));
    CHECK_FALSE(points.any_watchpoint());
    CHECK(points.add(PointKind::Write, 0xFFFFFFFC, 4));
    CHECK(points.add(PointKind::Write, 0xFFFFFFFC, 4));
    CHECK(machine.watched.size() == 1);
    CHECK(points.add(PointKind::Read, 0xFFFFFFFC, 4));
    REQUIRE(machine.watched.size() == 2);
    CHECK(machine.watched[0].on_write);
    CHECK_FALSE(machine.watched[0].on_read);
    CHECK(machine.watched[1].on_read);
    CHECK_FALSE(machine.watched[1].on_write);
    points.remove(PointKind::Write, 0xFFFFFFFC, 3);
    CHECK(machine.watched.size() == 2);
    points.remove(PointKind::Write, 0xFFFFFFFC, 4);
    CHECK(machine.watched.size() == 1);
    points.clear();
    CHECK(machine.watched.empty());
    CHECK_FALSE(points.any_watchpoint());
}

TEST_CASE("a client that did not ask for it is not told the kind of a breakpoint") {
    for (const char* const support :
         {"", "qSupported", "qSupported:swbreak-;xhwbreak+;hwbreak+x"}) {
        Bench bench(counting());
        if (*support != 0) bench.ask(support);
        for (const char kind : {'0', '1'}) {
            char text[64];
            std::snprintf(text, sizeof text, "Z%c,%x,2", kind, kLoop);
            REQUIRE(bench.ask(text) == "OK");
            const std::string stop = bench.ask("c");
            CHECK(stop.substr(0, 3) == "T05");
            CHECK_FALSE(has(stop, "break:"));
        }
    }
}

TEST_CASE("a watchpoint stops at the access, which is still to come") {
    Bench bench(counting());
    REQUIRE(bench.ask("Z2,20000102,1") == "OK");
    REQUIRE(bench.machine.watched.size() == 1);
    const std::string stop = bench.ask("c");
    CHECK(has(stop, "watch:20000102;"));
    CHECK(bench.reg(15) == kStore);
    CHECK(bench.ask("m20000100,4") == "00000000");
    bench.ask("s");
    CHECK(bench.reg(15) == kStore + 2);
    CHECK(bench.ask("m20000100,4") == "0a000000");
    CHECK(bench.ask("c") == "W0a");
}

TEST_CASE("watchpoints tell reads from writes") {
    Bench bench(counting());
    REQUIRE(bench.ask("Z3,20000100,4") == "OK");
    CHECK(has(bench.ask("c"), "rwatch:20000100;"));
    CHECK(bench.reg(15) == kStore + 2);
    REQUIRE(bench.ask("z3,20000100,4") == "OK");
    CHECK(bench.machine.watched.empty());
    CHECK(bench.ask("c") == "W0a");
    Bench other(counting());
    REQUIRE(other.ask("Z4,20000100,4") == "OK");
    CHECK(has(other.ask("c"), "awatch:20000100;"));
    CHECK(other.reg(15) == kStore);
    CHECK(has(other.ask("c"), "awatch:20000100;"));
    CHECK(other.reg(15) == kStore + 2);
    CHECK(other.ask("c") == "W0a");
}

TEST_CASE("of two watchpoints side by side the one that was set first is not always the one hit") {
    for (const char* const other : {"Z2,20000108,4", "Z4,20000104,1", "Z3,20000100,4"}) {
        CAPTURE(other);
        Bench bench(counting());
        REQUIRE(bench.ask(other) == "OK");
        REQUIRE(bench.ask("Z2,20000102,1") == "OK");
        CHECK(has(bench.ask("c"), ";watch:20000102;"));
        CHECK(bench.reg(15) == kStore);
    }
}

TEST_CASE("a watchpoint before the access, or at the other end of memory, is not the one hit") {
    CoreMachine machine;
    Points points(machine);
    REQUIRE(points.add(PointKind::Access, 0x00000004, 4));
    REQUIRE(points.add(PointKind::Access, 0xFFFFFFF0, 4));
    CHECK(points.watchpoint_of(0xFFFFFFF8, true).address == 0xFFFFFFF8);
    REQUIRE(points.add(PointKind::Write, 0xFFFFFFFC, 4));
    const Points::Hit hit = points.watchpoint_of(0xFFFFFFF8, true);
    CHECK(hit.kind == PointKind::Write);
    CHECK(hit.address == 0xFFFFFFFC);
}

TEST_CASE("a write of another master names it, and is done") {
    Bench bench(counting());
    REQUIRE(bench.ask("Z2,20000100,4") == "OK");
    bench.machine.other_access = {
        Halt::Reason::OtherAccess, 0x20000100, true, "STRENG 4 of epoch 12 writes 16 bytes\n", {}};
    const std::string answers = bench.ask("c");
    CHECK(answers.starts_with("O" + hex_of("STRENG 4 of epoch 12 writes 16 bytes\n") + "|T05"));
    CHECK(has(answers, "watch:20000100;"));
    // A client steps over what it takes for an access of the core: nothing is executed.
    CHECK(bench.ask("s").substr(0, 3) == "T05");
    CHECK(bench.reg(15) == Thumb::kVectors);
    bench.ask("s");
    CHECK(bench.reg(15) == Thumb::kVectors + 4);
}

TEST_CASE("a range is stepped through until it is left") {
    Bench bench(counting());
    char text[64];
    std::snprintf(text, sizeof text, "vCont;r%x,%x:1", Thumb::kVectors, kLoop);
    CHECK(bench.ask(text).substr(0, 3) == "T05");
    CHECK(bench.reg(15) == kLoop);
    CHECK(bench.ask("vCont;s:1;c").substr(0, 3) == "T05");
    CHECK(bench.reg(15) == kLoop + 2);
    CHECK(bench.ask("vCont;r1") == "E01");
    CHECK(bench.ask("vCont;") == "E01");
    CHECK(bench.ask("vCont;t") == "E01");
}

TEST_CASE("a step is one instruction of the program's own order") {
    Bench bench(counting());
    // The other core runs freely, with a hook that notes every instruction.
    CoreMachine free;
    REQUIRE(free.program(kBase, counting().image(kBase, kStack)));
    std::vector<std::uint32_t> expected;
    free.core().set_trace([&expected](const models::core::CpuState&, std::uint32_t pc,
                                      std::uint32_t) { expected.push_back(pc); });
    free.core().reset();
    static_cast<void>(free.run({}));
    REQUIRE(expected.size() > 30);
    for (const std::uint32_t pc : expected) {
        CHECK(bench.reg(15) == pc);
        bench.ask("s");
    }
}

TEST_CASE("a running program stops on 0x03") {
    Thumb forever;
    forever.raw({0xE7FE});
    Bench bench(forever);
    Server* server = nullptr;
    std::string sent;
    unsigned looks = 0;
    Server interrupted(bench.machine, {[&sent](std::string_view bytes) { sent += bytes; },
                                       [&] {
                                           const std::uint8_t byte = 3;
                                           if (++looks == 5) server->receive({&byte, 1});
                                           return true;
                                       }});
    server = &interrupted;
    const std::string packet = frame("c");
    interrupted.receive({reinterpret_cast<const std::uint8_t*>(packet.data()), packet.size()});
    interrupted.work();
    CHECK(has(sent, "$T02"));
    CHECK(looks == 5);
}

TEST_CASE("flash is written by erase, write and done") {
    Bench bench(counting());
    CHECK(bench.ask("vFlashErase:8000,1000") == "OK");
    CHECK(bench.ask("m8000,4") == "ffffffff");
    CHECK(bench.ask("vFlashWrite:8000:ab") == "OK");
    CHECK(bench.ask("vFlashWrite:8002:c") == "OK");
    CHECK(bench.ask("m8000,4") == "ffffffff");
    CHECK(bench.ask("vFlashDone") == "OK");
    CHECK(bench.ask("m8000,4") == "616263ff");
    CHECK(bench.ask("vFlashErase:20000000,1000") == "E0e");
    CHECK(bench.ask("vFlashErase:f000,2000") == "E0e");
    CHECK(bench.ask("vFlashWrite:ffffffff:abcd") == "OK");
    CHECK(bench.ask("vFlashDone") == "E0e");
    CHECK(bench.ask("vFlashDone") == "OK");
    CHECK(bench.ask("vFlashWrite:zz:abcd") == "E01");
}

TEST_CASE("pieces of flash without bytes do not fill the memory of the host") {
    Bench bench(counting());
    constexpr unsigned kMost = 65'536;
    std::string last;
    for (unsigned i = 0; i < kMost; ++i) {
        char text[32];
        std::snprintf(text, sizeof text, "vFlashWrite:%x:", i);
        last = bench.ask(text);
        if (last != "OK") break;
    }
    CHECK(last == "OK");
    CHECK(bench.ask("vFlashWrite:10000:") == "E16");
    CHECK(bench.ask("vFlashWrite:8000:ab") == "OK");
    CHECK(bench.ask("vFlashDone") == "OK");
    CHECK(bench.ask("m8000,2") == "6162");
    CHECK(bench.ask("vFlashWrite:10000:") == "OK");
}

TEST_CASE("sections are compared by the checksum of GDB") {
    Bench bench(counting());
    REQUIRE(bench.ask("X20000000,9:123456789") == "OK");
    // CRC-32/MPEG-2 of "123456789": the published check value.
    CHECK(bench.ask("qCRC:20000000,9") == "C0376e6e7");
    CHECK(bench.ask("qCRC:30000000,9") == "E0e");
    CHECK(bench.ask("qCRC:20000000,ffffffff") == "E01");
}

TEST_CASE("monitor lists its commands, runs them and resets") {
    Bench bench(counting());
    const std::string help = bench.ask("qRcmd," + hex_of("help"));
    CHECK(has(help, hex_of("monitor echo TEXT")));
    CHECK(help.ends_with("|OK"));
    CHECK(bench.ask("qRcmd," + hex_of("echo  a b")) == "O" + hex_of("a b\n") + "|OK");
    CHECK(has(bench.ask("qRcmd," + hex_of("nonsense")), hex_of("there is no command")));
    CHECK(bench.ask("qRcmd,zz") == "E01");
    bench.ask("s");
    bench.ask("qRcmd," + hex_of("reset"));
    CHECK(bench.machine.resets == 1);
    CHECK(bench.reg(15) == Thumb::kVectors);
    bench.ask("qRcmd," + hex_of("reset sideways"));
    CHECK(bench.machine.resets == 1);
}

TEST_CASE("a client leaves by detach or kill, and starts anew by run") {
    Bench detached(counting());
    CHECK(detached.ask("D") == "OK");
    CHECK(detached.server.state() == Server::State::Detached);
    Bench killed(counting());
    CHECK(killed.ask("k") == "");
    CHECK(killed.server.state() == Server::State::Killed);
    Bench ended(counting());
    CHECK(ended.ask("vKill;1") == "OK");
    CHECK(ended.server.state() == Server::State::Killed);
    Bench extended(counting());
    CHECK(extended.ask("!") == "OK");
    extended.ask("s");
    CHECK(extended.ask("vRun;").substr(0, 3) == "T05");
    CHECK(extended.machine.resets == 1);
    CHECK(extended.ask("vKill;1") == "OK");
    CHECK(extended.server.state() == Server::State::Serving);
    CHECK(extended.machine.resets == 2);
}

TEST_CASE("BKPT stops a core with a debugger") {
    Thumb program;
    program.add(0, 1).raw({0xBE01}).add(0, 2).end();
    Bench bench(program);
    bench.machine.core().set_halting_debug(true);
    CHECK(bench.ask("c").substr(0, 3) == "T05");
    CHECK(bench.reg(15) == Thumb::kVectors + 2);
    CHECK(bench.ask("Pf=00000000").substr(0, 2) == "OK");
}

TEST_CASE("hostile packets are answered, whatever they are") {
    Bench bench(counting());
    std::mt19937 random(7);
    const std::string_view starts[] = {"m",
                                       "M",
                                       "X",
                                       "Z2,",
                                       "z",
                                       "g",
                                       "G",
                                       "p",
                                       "P",
                                       "H",
                                       "T",
                                       "qXfer:features:read:",
                                       "qXfer:memory-map:read:",
                                       "qRcmd,",
                                       "vFlashErase:",
                                       "vFlashWrite:",
                                       "qCRC:",
                                       "vCont;r",
                                       "qThreadExtraInfo,",
                                       "s",
                                       "C",
                                       "vKill;"};
    constexpr std::string_view kCharacters = "0123456789abcdefABCDEF,;:=-|*{}$# \x00\xff";
    for (int i = 0; i < 3000; ++i) {
        std::string payload(starts[random() % std::size(starts)]);
        for (auto count = random() % 24; count > 0; --count)
            payload += kCharacters[random() % kCharacters.size()];
        bench.machine.most_cycles = 1000;
        bench.ask(payload);
        if (bench.server.state() != Server::State::Serving) break;
    }
    CHECK(bench.machine.core().reg(13) % 4 == 0);
}

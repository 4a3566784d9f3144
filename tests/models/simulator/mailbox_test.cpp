// SPDX-License-Identifier: Apache-2.0
// The simulator's mailbox: registers, requests, hostile guests.
#include <doctest/doctest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "memmap/peripherals.h"
#include "memmap/regions.h"
#include "models/simulator/mailbox.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp;
using namespace n6vp::models;
using n6vp::test::kWord;
namespace mb = n6vp::memmap::mailbox;

namespace {

constexpr std::uint32_t kBase = 0x34000000;

/// 64 KiB at 0x34000000 and 16 bytes at the top of the address space.
class Memory : public GuestView {
  public:
    bool fetch(std::uint32_t address, std::span<std::uint8_t> bytes) override {
        longest = std::max(longest, bytes.size());
        const std::uint8_t* const from = at(address, bytes.size());
        if (from == nullptr) return false;
        std::memcpy(bytes.data(), from, bytes.size());
        return true;
    }
    bool store(std::uint32_t address, std::span<const std::uint8_t> bytes) override {
        longest = std::max(longest, bytes.size());
        std::uint8_t* const to = at(address, bytes.size());
        if (to == nullptr) return false;
        if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
        return true;
    }
    void text(std::uint32_t address, const std::string& text) {
        std::memcpy(at(address, text.size()), text.data(), text.size());
    }
    void word(std::uint32_t address, std::uint32_t value) {
        std::memcpy(at(address, 4), &value, 4);
    }
    std::uint32_t word(std::uint32_t address) {
        std::uint32_t value = 0;
        std::memcpy(&value, at(address, 4), 4);
        return value;
    }
    std::size_t longest = 0;

  private:
    std::uint8_t* at(std::uint32_t address, std::size_t count) {
        if (address >= kBase && address - kBase <= ram_.size() &&
            count <= ram_.size() - (address - kBase))
            return ram_.data() + (address - kBase);
        if (address >= 0xFFFFFFF0 && count <= 0xFFFFFFFF - address + std::size_t{1})
            return top_.data() + (address - 0xFFFFFFF0);
        return nullptr;
    }
    std::vector<std::uint8_t> ram_ = std::vector<std::uint8_t>(65536);
    std::vector<std::uint8_t> top_ = std::vector<std::uint8_t>(16, 'T');
};

/// One file with 10,000 bytes, and notes of what was asked.
class Service : public MailboxService {
  public:
    Service() : content(10'000) {
        for (std::size_t i = 0; i < content.size(); ++i)
            content[i] = static_cast<std::uint8_t>(i * 7);
    }
    Error begin_phase(std::uint32_t id, std::string_view name, Picoseconds at) override {
        notes.push_back("begin " + std::to_string(id) + " " + std::string(name) + " " +
                        std::to_string(at));
        return Error::None;
    }
    Error end_phase(std::uint32_t id, Picoseconds at) override {
        notes.push_back("end " + std::to_string(id) + " " + std::to_string(at));
        return id == 99 ? Error::BadRequest : Error::None;
    }
    void put(std::span<const std::uint8_t> text) override { out.append(text.begin(), text.end()); }
    void exit(std::uint32_t code, Picoseconds at) override {
        notes.push_back("exit " + std::to_string(code) + " " + std::to_string(at));
    }
    std::uint64_t cycles(Picoseconds at) override { return 0x1'0000'0000 + at / 1250; }
    std::uint32_t seed() override { return 1234; }
    std::string_view arguments() override { return line; }
    bool has_folder() override { return folder; }
    Outcome open(std::string_view name, OpenMode mode) override {
        opened = std::string(name) + ":" + std::to_string(static_cast<unsigned>(mode));
        return {Error::None, 5};
    }
    Error close(std::uint32_t handle) override {
        return handle == 5 ? Error::None : Error::BadHandle;
    }
    Outcome read(std::uint32_t handle, std::span<std::uint8_t> bytes) override {
        if (handle != 5) return {Error::BadHandle, 0};
        const std::size_t count = std::min(bytes.size(), content.size() - position);
        std::copy_n(content.begin() + static_cast<std::ptrdiff_t>(position), count, bytes.begin());
        position += count;
        return {Error::None, static_cast<std::uint32_t>(count)};
    }
    Outcome write(std::uint32_t handle, std::span<const std::uint8_t> bytes) override {
        if (handle != 5) return {Error::BadHandle, 0};
        written.insert(written.end(), bytes.begin(), bytes.end());
        return {Error::None, static_cast<std::uint32_t>(bytes.size())};
    }
    Error seek(std::uint32_t, std::uint32_t to) override {
        position = to;
        return Error::None;
    }
    Outcome size(std::uint32_t) override {
        return {Error::None, static_cast<std::uint32_t>(content.size())};
    }

    bool folder = true;
    std::string line = "alpha beta", out, opened;
    std::vector<std::string> notes;
    std::vector<std::uint8_t> content, written;
    std::size_t position = 0;
};

/// A bus master to which the mailbox is a target.
struct Master : sc_core::sc_module {
    explicit Master(const sc_core::sc_module_name& name) : sc_module(name) {}
    tlm_utils::simple_initiator_socket<Master> port{"port"};
};

struct MailboxBench {
    MailboxBench() {
        master.port.bind(mailbox.port);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        CHECK(mailbox.write(offset, value, kWord, at).ok);
    }
    std::uint32_t get(std::uint32_t offset, Picoseconds at = 0) {
        return mailbox.read(offset, at).value;
    }
    mb::Error result() { return static_cast<mb::Error>(get(mb::kResult)); }
    mb::Error request(mb::FileOperation operation, std::uint32_t handle, std::uint32_t address,
                      std::uint32_t bytes, std::uint32_t argument = 0) {
        const std::uint32_t words[] = {static_cast<std::uint32_t>(operation), handle, address,
                                       bytes, argument};
        for (std::uint32_t i = 0; i < 5; ++i) memory.word(kBase + 4 * i, words[i]);
        memory.word(kBase + 4 * mb::kFileValue, 0xEEEEEEEE);
        memory.word(kBase + 4 * mb::kFileError, 0xEEEEEEEE);
        set(mb::kFile, kBase);
        CHECK(memory.word(kBase + 4 * mb::kFileError) == static_cast<std::uint32_t>(result()));
        return result();
    }
    std::uint32_t value() { return memory.word(kBase + 4 * mb::kFileValue); }

    Memory memory;
    Service service;
    Mailbox mailbox{"mailbox", memory, service};
    Master master{"master"};
};

}  // namespace

TEST_CASE("mailbox: the page is in Device memory, above every peripheral, in both aliases") {
    for (const AddressRange page : {mb::kSecurePage, mb::kNonSecurePage}) {
        CHECK(memmap::default_memory_type(page.start) == memmap::MemoryType::Device);
        CHECK(page.bytes == 4096);
        CHECK(is_aligned(page.start, 4096));
        CHECK_FALSE(memmap::find_region(page.start));
    }
    CHECK(to_word(mb::kSecurePage.start) - to_word(mb::kNonSecurePage.start) == 0x10000000);
    // The NPU is the last block of the public header; its register space ends below 0x58100000.
    for (const memmap::Peripheral& block : memmap::kPeripherals)
        CHECK(to_word(block.secure) < 0x58100000);
}

TEST_CASE("mailbox: identity, seed, counters keep their upper half") {
    MailboxBench bench;
    CHECK(bench.get(0x00) == 0x4D56364E);  // "N6VM", little endian
    CHECK(bench.get(0x04) == 1);
    CHECK(bench.get(0x08) == 1);
    CHECK(bench.get(mb::kSeed) == 1234);
    CHECK(bench.get(mb::kCyclesLow, 1'250'000) == 1000);
    CHECK(bench.get(mb::kCyclesHigh) == 1);
    constexpr Picoseconds kFiveSeconds = 5'000'000'000'000;  // 5e9 ns need 33 bits
    CHECK(bench.get(mb::kTimeLow, kFiveSeconds) == 705'032'704);
    CHECK(bench.get(mb::kTimeHigh, 0) == 1);
    bench.service.folder = false;
    CHECK(bench.get(mb::kFeatures) == 0);
}

TEST_CASE("mailbox: arguments read as they were written, commands as zero") {
    MailboxBench bench;
    for (const std::uint32_t value : {0x34001234u, 0u, 0xFFFFFFFFu}) {
        bench.set(mb::kTextAddress, value);
        bench.set(mb::kPhaseName, ~value);
        CHECK(bench.get(mb::kTextAddress) == value);
        CHECK(bench.get(mb::kPhaseName) == ~value);
    }
    for (const std::uint32_t command : {mb::kPhaseBegin, mb::kPhaseEnd, mb::kFile})
        CHECK(bench.get(command) == 0);
    // Halves of numbers are kept apart, and are zero before the lower one is read.
    CHECK(bench.get(mb::kCyclesHigh) == 0);
    CHECK(bench.get(mb::kTimeHigh) == 0);
}

TEST_CASE("mailbox: accesses add nothing to the delay, parts of words and unknown offsets fail") {
    MailboxBench bench;
    std::uint32_t word = 0;
    tlm::tlm_generic_payload trans;
    const auto access = [&](std::uint64_t at, unsigned bytes) {
        trans.set_command(tlm::TLM_READ_COMMAND);
        trans.set_address(at);
        trans.set_data_ptr(reinterpret_cast<std::uint8_t*>(&word));
        trans.set_data_length(bytes);
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_core::sc_time delay(123, sc_core::SC_NS);
        bench.master.port->b_transport(trans, delay);
        CHECK(delay == sc_core::sc_time(123, sc_core::SC_NS));
        return trans.get_response_status();
    };
    CHECK(access(0, 4) == tlm::TLM_OK_RESPONSE);
    CHECK(word == 0x4D56364E);
    CHECK(access(0, 1) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(access(2, 4) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(access(0x44, 4) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(access(0x1000, 4) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    tlm::tlm_dmi dmi;
    trans.set_address(0);
    CHECK_FALSE(bench.master.port->get_direct_mem_ptr(trans, dmi));
    CHECK(bench.master.port->transport_dbg(trans) == 0);
    CHECK_FALSE(bench.mailbox.write(mb::kExit, 1, 0xFF, 0).ok);
    CHECK(bench.service.notes.empty());
}

TEST_CASE("mailbox: phases carry number, name and time") {
    MailboxBench bench;
    bench.memory.text(kBase + 100, std::string("install\0", 8));
    bench.set(mb::kPhaseName, kBase + 100);
    bench.set(mb::kPhaseBegin, 7, 1000);
    bench.set(mb::kPhaseBegin, 8, 2000);  // the name was for the first only
    bench.set(mb::kPhaseEnd, 8, 3000);
    bench.set(mb::kExit, 42, 4000);
    CHECK(bench.service.notes == std::vector<std::string>{"begin 7 install 1000", "begin 8  2000",
                                                          "end 8 3000", "exit 42 4000"});
    bench.set(mb::kPhaseEnd, 99);
    CHECK(bench.result() == mb::Error::BadRequest);
}

TEST_CASE("mailbox: a name without an end is cut, a name outside memory is refused") {
    MailboxBench bench;
    bench.memory.text(kBase + 100, std::string(1000, 'n'));
    bench.set(mb::kPhaseName, kBase + 100);
    bench.set(mb::kPhaseBegin, 1);
    CHECK(bench.service.notes.back() == "begin 1 " + std::string(63, 'n') + " 0");
    for (const std::uint32_t address : {0x1u, 0x3400FFFFu + 1, 0xFFFFFFF0u}) {
        bench.set(mb::kPhaseName, address);
        bench.set(mb::kPhaseBegin, 2);
        CHECK(bench.result() == mb::Error::BadAddress);
    }
    CHECK(bench.service.notes.size() == 1);
}

TEST_CASE("mailbox: text up to 4096 bytes, nothing beyond memory") {
    MailboxBench bench;
    bench.memory.text(kBase + 8, "hello\n");
    bench.set(mb::kTextAddress, kBase + 8);
    bench.set(mb::kTextPut, 6);
    bench.set(mb::kCharacter, 0x121);
    CHECK(bench.service.out == "hello\n!");
    bench.set(mb::kTextPut, 4097);
    CHECK(bench.result() == mb::Error::BadRequest);
    bench.set(mb::kTextPut, 0xFFFFFFFF);
    CHECK(bench.result() == mb::Error::BadRequest);
    bench.set(mb::kTextAddress, kBase + 65536 - 5);
    bench.set(mb::kTextPut, 6);
    CHECK(bench.result() == mb::Error::BadAddress);
    bench.set(mb::kTextAddress, 0xFFFFFFFC);  // would wrap to 0
    bench.set(mb::kTextPut, 8);
    CHECK(bench.result() == mb::Error::BadAddress);
    bench.set(mb::kTextPut, 4);
    CHECK(bench.result() == mb::Error::None);
    CHECK(bench.service.out == "hello\n!TTTT");
}

TEST_CASE("mailbox: a text of 4096 bytes is not too long") {
    MailboxBench bench;
    const std::string text(4096, 't');
    bench.memory.text(kBase, text);
    bench.set(mb::kTextAddress, kBase);
    bench.set(mb::kTextPut, 4096);
    CHECK(bench.result() == mb::Error::None);
    CHECK(bench.service.out == text);
}

TEST_CASE("mailbox: a file is read in pieces and ends where it ends") {
    MailboxBench bench;
    bench.memory.text(kBase + 64, "data/in.bin");
    CHECK(bench.request(mb::FileOperation::Open, 0, kBase + 64, 11, 0) == mb::Error::None);
    CHECK(bench.value() == 5);
    CHECK(bench.service.opened == "data/in.bin:0");
    CHECK(bench.request(mb::FileOperation::Size, 5, 0, 0) == mb::Error::None);
    CHECK(bench.value() == 10'000);
    CHECK(bench.request(mb::FileOperation::Read, 5, kBase + 0x1000, 20'000) == mb::Error::None);
    CHECK(bench.value() == 10'000);
    std::vector<std::uint8_t> got(10'000);
    REQUIRE(bench.memory.fetch(kBase + 0x1000, got));
    CHECK(got == bench.service.content);
    CHECK(bench.request(mb::FileOperation::Seek, 5, 0, 0, 9'990) == mb::Error::None);
    CHECK(bench.request(mb::FileOperation::Read, 5, kBase + 0x1000, 4) == mb::Error::None);
    CHECK(bench.memory.word(kBase + 0x1000) % 256 == 9'990 * 7 % 256);
    CHECK(bench.request(mb::FileOperation::Write, 5, kBase + 0x1000, 9'000) == mb::Error::None);
    CHECK(bench.value() == 9'000);
    CHECK(bench.service.written.size() == 9'000);
    CHECK(bench.request(mb::FileOperation::Close, 5, 0, 0) == mb::Error::None);
}

TEST_CASE("mailbox: hostile lengths cost no host memory and end at the edge of memory") {
    MailboxBench bench;
    bench.service.content.assign(200'000, 'c');
    CHECK(bench.request(mb::FileOperation::Read, 5, kBase + 0x1000, 0xC0000000) ==
          mb::Error::BadAddress);
    CHECK(bench.request(mb::FileOperation::Write, 5, kBase + 0x1000, 0xCBFFEFFF) ==
          mb::Error::BadAddress);
    CHECK(bench.request(mb::FileOperation::Write, 5, kBase + 0x1000, 0xFFFFFFFF) ==
          mb::Error::BadAddress);
    CHECK(bench.request(mb::FileOperation::Read, 5, 0x20, 4) == mb::Error::BadAddress);
    CHECK(bench.memory.longest <= 4096);
}

TEST_CASE("mailbox: hostile requests are refused with a reason") {
    MailboxBench bench;
    bench.set(mb::kFile, 0x10);
    CHECK(bench.result() == mb::Error::BadAddress);
    bench.set(mb::kFile, kBase + 2);
    CHECK(bench.result() == mb::Error::BadAddress);
    bench.set(mb::kFile, 0xFFFFFFF0);  // 28 bytes from here wrap
    CHECK(bench.result() == mb::Error::BadAddress);
    bench.set(mb::kFile, kBase + 65536 - 24);
    CHECK(bench.result() == mb::Error::BadAddress);
    CHECK(bench.request(static_cast<mb::FileOperation>(0), 5, 0, 0) == mb::Error::BadRequest);
    CHECK(bench.request(static_cast<mb::FileOperation>(0xDEADBEEF), 5, 0, 0) ==
          mb::Error::BadRequest);
    CHECK(bench.request(mb::FileOperation::Close, 6, 0, 0) == mb::Error::BadHandle);
    CHECK(bench.request(mb::FileOperation::Read, 0xFFFFFFFF, kBase, 4) == mb::Error::BadHandle);
    bench.memory.text(kBase + 64, "file");
    CHECK(bench.request(mb::FileOperation::Open, 0, kBase + 64, 4, 3) == mb::Error::BadRequest);
    bench.service.folder = false;
    CHECK(bench.request(mb::FileOperation::Open, 0, kBase + 64, 4, 0) == mb::Error::NoFolder);
    CHECK(bench.request(mb::FileOperation::Read, 5, kBase + 64, 4) == mb::Error::NoFolder);
    CHECK(bench.service.opened.empty());
}

TEST_CASE("mailbox: only plain relative names reach the host") {
    MailboxBench bench;
    const std::string bad[] = {"",
                               "/etc/passwd",
                               "..",
                               "../up",
                               "a/../b",
                               "a//b",
                               "a/",
                               ".hidden",
                               "a/.git/x",
                               "a b",
                               "a\nb",
                               "a\\b",
                               "C:x",
                               std::string("a\0b", 3),
                               "\x1b[2J",
                               "\xff\xfe",
                               std::string(256, 'a'),
                               "~x",
                               "$HOME",
                               "a*"};
    for (const std::string& name : bad) {
        bench.memory.text(kBase + 64, name);
        CHECK(bench.request(mb::FileOperation::Open, 0, kBase + 64,
                            static_cast<std::uint32_t>(name.size()), 0) == mb::Error::BadName);
    }
    CHECK(bench.service.opened.empty());
    for (const std::string& name :
         {std::string("a"), std::string("x_1-2.b/c.d.bin"), std::string(255, 'z')}) {
        bench.memory.text(kBase + 64, name);
        CHECK(bench.request(mb::FileOperation::Open, 0, kBase + 64,
                            static_cast<std::uint32_t>(name.size()), 1) == mb::Error::None);
        CHECK(bench.service.opened == name + ":1");
    }
}

TEST_CASE("mailbox: arguments fit or are refused") {
    MailboxBench bench;
    CHECK(bench.request(mb::FileOperation::Arguments, 0, kBase + 64, 10) == mb::Error::None);
    CHECK(bench.value() == 10);
    CHECK(bench.memory.word(kBase + 64) == 0x68706C61);  // "alph"
    CHECK(bench.request(mb::FileOperation::Arguments, 0, kBase + 64, 9) == mb::Error::BadRequest);
    CHECK(bench.value() == 10);
    CHECK(bench.request(mb::FileOperation::Arguments, 0, 0x100, 10) == mb::Error::BadAddress);
    // The last ten bytes there are, and one more.
    CHECK(bench.request(mb::FileOperation::Arguments, 0, 0xFFFFFFF6, 10) == mb::Error::None);
    CHECK(bench.request(mb::FileOperation::Arguments, 0, 0xFFFFFFF7, 10) == mb::Error::BadAddress);
}

TEST_CASE("mailbox: random writes by a guest gone wild do no harm") {
    MailboxBench bench;
    std::uint32_t state = 1;
    const auto random = [&state] {
        state = state * 1664525 + 1013904223;
        return state >> 8;
    };
    // Half of the values point into memory, which holds random requests.
    for (std::uint32_t i = 0; i < 65536; i += 4)
        bench.memory.word(kBase + i, random() % 4 == 0 ? random() % 8 : kBase + random() % 70'000);
    int performed = 0;
    for (int i = 0; i < 100'000; ++i) {
        const std::uint32_t value = random() % 2 == 0 ? random() * 257 : kBase + random() % 65536;
        const std::uint32_t offset = random() % 20 * 4;
        static_cast<void>(bench.mailbox.write(offset, value, kWord, 0));
        CHECK(bench.get(mb::kResult) <= static_cast<std::uint32_t>(mb::Error::Failed));
        if (offset == mb::kFile && bench.result() != mb::Error::BadAddress) ++performed;
        if (bench.service.written.size() > 1'000'000) bench.service.written.clear();
        bench.service.position = 0;
    }
    CHECK(bench.memory.longest <= 4096);
    CHECK(performed > 100);
    CHECK(bench.service.notes.size() > 100);
    CHECK(bench.service.out.size() > 100);
}

// SPDX-License-Identifier: Apache-2.0
// The image for the board STM32N6570-DK: what it is made of and, on the simulated chip, what it
// prints on its UART for models in the external flash.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "loader/crc32.h"
#include "memmap/board.h"
#include "sim/host/elf.h"
#include "tests/support/process.h"

using namespace n6vp;
using namespace n6vp::test;

namespace {

const std::string kNetworks = N6VP_NETWORKS;

/// int8 numbers of a .npy file of format 1.
std::vector<int> npy(const std::string& path) {
    const std::string file = read_text(path);
    REQUIRE(file.size() > 10);
    const auto byte = [&file](std::size_t at) { return static_cast<std::uint8_t>(file[at]); };
    const std::size_t head = 10 + byte(8) + std::size_t{256} * byte(9);
    std::vector<int> numbers;
    numbers.reserve(file.size());
    for (std::size_t i = head; i < file.size(); ++i)
        numbers.push_back(static_cast<std::int8_t>(byte(i)));
    return numbers;
}

/// The line that begins so, without its end; fails if there is none.
std::string line_of(const std::string& text, const std::string& start) {
    const std::size_t at = text.starts_with(start) ? 0 : text.find("\n" + start) + 1;
    REQUIRE((at != 0 || text.starts_with(start)));
    const std::size_t end = text.find_first_of("\r\n", at);
    return text.substr(at, end - at);
}

std::string value_of(const std::string& line, const std::string& key) {
    const std::size_t at = line.find(" " + key + "=");
    REQUIRE(at != std::string::npos);
    const std::string rest = line.substr(at + key.size() + 2);
    return rest.substr(0, rest.find(' '));
}

std::vector<int> numbers_of(std::string list) {
    std::vector<int> numbers;
    while (!list.empty() && !list.starts_with("...")) {
        numbers.push_back(std::atoi(list.c_str()));
        list.erase(0, std::min(list.find(','), list.size() - 1) + 1);
    }
    return numbers;
}

std::string generate(const ScratchFolder& folder, const std::string& network) {
    const Outcome made =
        run_process({N6VP_BINARY, "generate", kNetworks + "/" + network + ".tflite", "-o",
                     folder.file("model")});
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
    return folder.file("model/network_rel.bin");
}

/// What the image prints for a network with all inputs 0.
std::string uart_of(const std::string& network) {
    const ScratchFolder folder;
    const std::string file = generate(folder, network);
    const Outcome outcome =
        run_process({N6VP_BINARY, "run", N6VP_SCENARIO, "--elf", N6VP_BOARD_IMAGE, "--image",
                     "0x71000000=" + file, "--quiet"});
    INFO(outcome.out, outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return outcome.out;
}

struct Found {
    std::size_t count = 0, within_one = 0;
    int largest = 0;
};

/// Compares what was printed with what the TFLite interpreter computed.
Found judge(const std::string& network) {
    const std::string line = line_of(uart_of(network), "output 0 ");
    const std::vector<int> wanted = npy(kNetworks + "/expected/" + network + "/zero_out0.npy");
    CHECK(value_of(line, "bytes") == std::to_string(wanted.size()));
    const std::vector<int> printed = numbers_of(value_of(line, "values"));
    constexpr std::size_t kMaxPrinted = 64;
    REQUIRE(printed.size() == std::min(wanted.size(), kMaxPrinted));
    Found found{printed.size()};
    for (std::size_t i = 0; i < printed.size(); ++i) {
        const int off = std::abs(printed[i] - wanted[i]);
        found.within_one += off <= 1 ? 1 : 0;
        found.largest = std::max(found.largest, off);
    }
    if (printed.size() == wanted.size()) {
        std::vector<std::uint8_t> bytes;
        bytes.reserve(printed.size());
        for (const int number : printed) bytes.push_back(static_cast<std::uint8_t>(number));
        const std::uint32_t crc =
            loader::crc32(0, bytes.data(), static_cast<std::uint32_t>(bytes.size()));
        CHECK(std::strtoul(value_of(line, "crc").c_str(), nullptr, 16) == crc);
    }
    return found;
}

}  // namespace

TEST_CASE("board image: lies within its 384 KiB with stack and heap") {
    constexpr std::uint32_t kStackAndHeap = (16 + 8) * 1024;
    const sim::ElfFile elf = sim::ElfFile::read(N6VP_BOARD_IMAGE);
    const auto start = to_word(memmap::board::kFirmware.start);
    std::uint32_t end = start;
    for (const sim::ElfSection& each : elf.sections()) {
        if (!each.allocated() || each.bytes == 0) continue;
        CHECK_MESSAGE(each.address >= start, each.name);
        end = std::max(end, each.address + each.bytes);
    }
    CHECK(end > start + 32 * 1024);  // loader and runtime are in it
    CHECK(end + kStackAndHeap <= memmap::board::kFirmware.end());
    CHECK(elf.find_symbol("n6vp_stack_top")->value == memmap::board::kFirmware.end());
}

TEST_CASE("board image: neither mailbox nor semihosting") {
    const sim::ElfFile board = sim::ElfFile::read(N6VP_BOARD_IMAGE);
    const sim::ElfFile chip = sim::ElfFile::read(N6VP_CHIP_FIRMWARE);
    const auto count = [](const sim::ElfFile& elf, std::string_view part) {
        return std::count_if(elf.symbols().begin(), elf.symbols().end(), [part](const auto& one) {
            return one.name.find(part) != std::string::npos;
        });
    };
    for (const char* part : {"mailbox", "semihosting"}) {
        CHECK(count(chip, part) != 0);
        CHECK(count(board, part) == 0);
    }
    // No BKPT in its code, which would lock a board up that has no debugger.
    const auto text = std::find_if(board.sections().begin(), board.sections().end(),
                                   [](const auto& one) { return one.name == ".text"; });
    REQUIRE(text != board.sections().end());
    constexpr std::uint8_t kSemihosting = 0xAB, kBreakpoint = 0xBE;
    for (std::size_t i = 0; i + 1 < text->content.size(); i += 2) {
        const bool calls = text->content[i] == kSemihosting && text->content[i + 1] == kBreakpoint;
        CHECK_FALSE(calls);
    }
}

TEST_CASE("board image: keyword spotting on the UART as the interpreter has it") {
    const Found found = judge("kws_ref_model");
    CHECK(found.count == 12);
    CHECK(found.largest <= 16);  // softmax makes up to 16 steps of one
    CHECK(found.within_one >= 11);
}
TEST_CASE("board image: persons in pictures on the UART as the interpreter has it") {
    const Found found = judge("vww_96_int8");
    CHECK(found.count == 2);
    CHECK(found.largest <= 1);
}
TEST_CASE("board image: anomaly detection on the UART as the interpreter has it") {
    const Found found = judge("ad01_int8");
    CHECK(found.count == 64);
    CHECK(found.within_one >= 63);
}

TEST_CASE("board image: without a model it says what is there instead") {
    const Outcome outcome = run_process({N6VP_BINARY, "run", "--boot", "reset", "--max-time",
                                         "100ms", "--quiet", "--elf", N6VP_BOARD_IMAGE});
    constexpr int kAsleep = 5;
    CHECK(outcome.exit_code == kAsleep);
    CHECK(outcome.out.find("error: no model at 0x71000000: the word there is 0xffffffff, not "
                           "0x4e49424e") != std::string::npos);
    CHECK(outcome.out.find("end: failed") != std::string::npos);
}

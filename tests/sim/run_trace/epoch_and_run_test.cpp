// SPDX-License-Identifier: Apache-2.0
// The same blob, started by `n6vp epoch` and by a program in `n6vp run`: both say the same.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/loader/epoch_controller/ec_assembler.h"
#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kNpu = 0x580E0000, kController = kNpu + 0x1E000, kBlob = 0x34100000,
                        kBlobMagic = 0xCA057A7A;
constexpr std::uint32_t kFrom = 0x34210000, kTo = 0x34220000, kBytes = 4096;
constexpr std::uint32_t kInput = 0x00080105, kOutput = 0x0008010D;  ///< CTRL with EN, bytes, RAW

/// One copy from engine 1 to engine 0 that runs to its end.
void add_copy(EcAssembler& blob, std::uint32_t from, std::uint32_t to) {
    const auto engine = [&blob](std::uint32_t page, std::uint32_t control, std::uint32_t address) {
        blob.write(page, 0, 2).write(page, 8, address).write(page, 0xC, kBytes);
        blob.write(page, 0x24, 0x24).write(page, 0x30, 6).write(page, 0x34, 1);
        blob.write(page, 0, control);
    };
    engine(5, kOutput, to);
    engine(6, kInput, from);
    blob.poll(5, 0, 31);  // CTRL.RUNNING of the output engine
}

/// Epoch 3 has one critical path, epoch 4 two of them, one after the other.
Words program() {
    EcAssembler blob;
    blob.write(0, 0x10, 0x07FFFFFF).write(4, 0, 1).write(4, 8, 3);
    blob.label(3);
    add_copy(blob, kFrom, kTo);
    blob.label(4);
    add_copy(blob, kTo, kFrom);
    add_copy(blob, kFrom, kTo + 0x10000);
    blob.irq();
    Words words{kBlobMagic, blob.size()};
    words.insert(words.end(), blob.words().begin(), blob.words().end());
    return words;
}

/// Rows by title, one per epoch.
std::vector<std::map<std::string, std::string>> rows_of(const std::string& path) {
    std::ifstream in(path);
    const auto cells_of = [](const std::string& line) {
        std::vector<std::string> cells;
        std::istringstream text(line);
        for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
        return cells;
    };
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> titles = cells_of(line);
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(in, line)) {
        const std::vector<std::string> cells = cells_of(line);
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < cells.size(); ++i) row[titles[i]] = cells[i];
    }
    return rows;
}

}  // namespace

TEST_CASE("n6vp epoch and n6vp run say the same of the same blob") {
    const Workdir room;
    const Words words = program();
    Thumb starter;
    starter.write(kNpu, 1).write(kNpu + 8, 0xFFFFFFFF).write(kNpu + 0xC, 0xFFFFFFFF);
    for (std::size_t i = 0; i < words.size(); ++i) {
        starter.write(kBlob + static_cast<std::uint32_t>(4 * i), words[i]);
    }
    starter.write(kController + 8, kBlob).write(kController, 1).set(1, kController);
    const std::size_t again = starter.code().size();
    starter.load(0, 1).raw({0x0FC0}).repeat(again);  // LSRS r0, r0, #31
    starter.write(kExit, 0).raw({0xE7FE});
    const Outcome ran = room.run(starter, {"--quiet", "--trace", room.folder.file("t.csv")});
    INFO(ran.err);
    REQUIRE(ran.exit_code == 0);
    const auto rows = rows_of(room.folder.file("t.csv"));

    std::vector<std::uint8_t> bytes;
    for (const std::uint32_t word : words) {
        for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> 8 * i));
    }
    static_cast<void>(room.folder.write("blob.bin", bytes));
    const std::string file = room.folder.write("e.toml", std::string(R"([[buffer]]
name = "program"
at = 0x34100000
file = "blob.bin"
[[epoch]]
name = "net"
blob = "program"
)"));
    const Outcome alone = run_process({N6VP_BINARY, "epoch", file, "--json"});
    INFO(alone.err);
    REQUIRE(alone.exit_code == 0);
    const Json document = Json::parse(alone.out);
    REQUIRE(rows.size() == 2);
    REQUIRE(document["epochs"].size() == 2);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(i);
        const Json& epoch = document["epochs"][i];
        const auto& row = rows[i];
        for (const char* name : {"macs", "bytes_read", "bytes_written", "controller_bytes",
                                 "npu_cache_hits", "npu_cache_misses", "bursts_waited_ps"}) {
            CAPTURE(name);
            CHECK(epoch[name].get<std::uint64_t>() == std::stoull(row.at(name)));
        }
        for (const char* name : {"npu_cycles", "waited_cycles", "mac_utilisation"}) {
            CAPTURE(name);
            CHECK(epoch[name].get<double>() ==
                  doctest::Approx(std::stod(row.at(name))).epsilon(1e-3));
        }
        const double time = std::stod(row.at("end_ps")) - std::stod(row.at("start_ps"));
        CHECK(epoch["npu_ps"].get<double>() == doctest::Approx(time).epsilon(1e-3));
        REQUIRE(!epoch["bound"].empty());
        CHECK(epoch["bound"][0]["cause"] == row.at("bound"));
        CHECK(epoch["bound"][0]["share"].get<double>() ==
              doctest::Approx(std::stod(row.at("bound_share"))).epsilon(1e-3));
    }
    // Both paths of the second epoch count: of twice the bytes, at one word a cycle.
    CHECK(std::stod(rows[1].at("bytes_read")) == 2 * kBytes);
    const double cycles[] = {std::stod(rows[0].at("npu_cycles")),
                             std::stod(rows[1].at("npu_cycles"))};
    CHECK(cycles[0] > kBytes);
    CHECK(cycles[1] > 2 * cycles[0]);
    const auto path = [&rows](std::size_t i) {
        return std::stod(rows[i].at("bound_share")) *
               (std::stod(rows[i].at("end_ps")) - std::stod(rows[i].at("start_ps")));
    };
    CHECK(rows[0].at("bound") == "link");
    CHECK(rows[1].at("bound") == "link");
    CHECK(path(1) == doctest::Approx(2 * path(0)).epsilon(0.01));
}

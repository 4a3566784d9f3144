// SPDX-License-Identifier: Apache-2.0
#include "models/soc/camera/dcmipp_registers.h"

#include <array>
#include <deque>
#include <span>
#include <string>

namespace n6vp::models::camera {

namespace {

struct Row {
    std::uint32_t offset;
    const char* name;
    std::uint32_t reset = 0;
    std::uint32_t writable = 0;
    bool has_current = false;
};

constexpr std::uint32_t kAll = 0xFFFFFFFF, kPoint = 0x0FFF0FFF, kArea = 0x8FFF0FFF,
                        kTwoFactors = 0x07FF07FF, kFactorAndOffset = 0x03FF07FF,
                        kFlags = 0x8787C760;

constexpr Row kCommon[] = {
    {0x000, "IPGR1", 0x2, 0x01000007},
    {0x004, "IPGR2", 0, 1},
    {0x008, "IPGR3", 1},
    {0x01C, "IPGR8", 0xAA040314},
    {0x104, "PRCR", 0, 0x06FF5CF0},
    {0x108, "PRESCR", 0, kAll},
    {0x10C, "PRESUR", 0, kAll},
    {0x1F4, "PRIER", 0, 0x40},
    {0x1F8, "PRSR", 0x30000},
    {0x1FC, "PRFCR", 0, 0x40},
    {0x204, "CMCR", 0, 0x97},
    {0x208, "CMFRCR"},
    {0x3F0, "CMIER", 0, kFlags},
    {0x3F4, "CMSR1", 3},
    {0x3F8, "CMSR2"},
    {0x3FC, "CMFCR", 0, kFlags},
};
/// First and last word of the FIFO of each client of the bus.
constexpr std::uint32_t kClientFifos[] = {0x007F0000, 0x013F0080, 0x018F0140, 0x01BF0190,
                                          0x027F01C0};

constexpr Row kDump[] = {
    {0x004, "FSCR", 0, 0x801B3F3F, true},
    {0x100, "FCTCR", 0, 0xF, true},
    {0x104, "SCSTR", 0, kPoint, true},
    {0x108, "SCSZR", 0, 0xCFFF0FFF, true},
    {0x1B0, "DCCNTR"},
    {0x1B4, "DCLMTR", 0xFFFFFF, 0x80FFFFFF},
    {0x1C0, "PPCR", 0, 0x1EFE1, true},
    {0x1C4, "PPM0AR1", 0, kAll, true},
    {0x1C8, "PPM0AR2", 0, kAll, true},
    {0x1D0, "STM0AR"},
    {0x1F4, "IER", 0, 0xC7},
    {0x1F8, "SR"},
    {0x1FC, "FCR", 0, 0xC7},
};
/// Of both pixel pipes.
constexpr Row kPixel[] = {
    {0x100, "FCTCR", 0, 0xF, true},
    {0x104, "CRSTR", 0, kPoint, true},
    {0x108, "CRSZR", 0, kArea, true},
    {0x10C, "DCCR", 0, 0x1F, true},
    {0x110, "DSCR", 0, 0x83FF03FF, true},
    {0x114, "DSRTIOR", 0, kAll, true},
    {0x118, "DSSZR", 0, kPoint, true},
    {0x120, "CMRICR", 0, 0xFF0003, true},
    {0x170, "GMCR", 0, 1},
    {0x1C0, "PPCR", 0, 0x1FE01F, true},
    {0x1C4, "PPM0AR1", 0, kAll, true},
    {0x1C8, "PPM0AR2", 0, kAll, true},
    {0x1D0, "STM0AR"},
    {0x1F4, "IER", 0, 0x87},
    {0x1F8, "SR"},
    {0x1FC, "FCR", 0, 0x87},
};
constexpr Row kMain[] = {
    {0x004, "FSCR", 0, 0xFF1F3F3F, true},
    {0x020, "SRCR", 0, 0xFFFF},
    {0x024, "BPRCR", 0, 0xF, true},
    {0x028, "BPRSR"},
    {0x030, "DECR", 0, 0x1F},
    {0x040, "BLCCR", 0, 0xFFFFFF01, true},
    {0x044, "EXCR1", 0, 0x7FF00001, true},
    {0x048, "EXCR2", 0, 0x7FF07FF0, true},
    {0x050, "ST1CR", 0, 0xFD, true},
    {0x054, "ST2CR", 0, 0xFD, true},
    {0x058, "ST3CR", 0, 0xFD, true},
    {0x05C, "STSTR", 0, kPoint, true},
    {0x060, "STSZR", 0, kArea, true},
    {0x064, "ST1SR"},
    {0x068, "ST2SR"},
    {0x06C, "ST3SR"},
    {0x070, "DMCR", 0, 0x77770007},
    {0x080, "CCCR", 0, 7, true},
    {0x084, "CCRR1", 0, kTwoFactors, true},
    {0x088, "CCRR2", 0, kFactorAndOffset, true},
    {0x08C, "CCGR1", 0, kTwoFactors, true},
    {0x090, "CCGR2", 0, kFactorAndOffset, true},
    {0x094, "CCBR1", 0, kTwoFactors, true},
    {0x098, "CCBR2", 0, kFactorAndOffset, true},
    {0x0A0, "CTCR1", 0x2000, 0x7E01, true},
    {0x0A4, "CTCR2", 0x20202020, 0x7E7E7E7E, true},
    {0x0A8, "CTCR3", 0x20202020, 0x7E7E7E7E, true},
    {0x180, "YUVCR", 0, 7},
    {0x184, "YUVRR1", 0, kTwoFactors},
    {0x188, "YUVRR2", 0, kFactorAndOffset},
    {0x18C, "YUVGR1", 0, kTwoFactors},
    {0x190, "YUVGR2", 0, kFactorAndOffset},
    {0x194, "YUVBR1", 0, kTwoFactors},
    {0x198, "YUVBR2", 0, kFactorAndOffset},
    {0x1CC, "PPM0PR", 0, 0x7FFF, true},
    {0x1D4, "PPM1AR1", 0, kAll, true},
    {0x1D8, "PPM1AR2", 0, kAll, true},
    {0x1DC, "PPM1PR", 0, 0x7FFF, true},
    {0x1E0, "STM1AR"},
    {0x1E4, "PPM2AR1", 0, kAll, true},
    {0x1E8, "PPM2AR2", 0, kAll, true},
    {0x1F0, "STM2AR"},
};
constexpr Row kAncillary[] = {
    {0x004, "FSCR", 0, 0xFF18003F, true},
    {0x1CC, "PPM0PR", 0, 0x7FFF},
};

/// Registers by their word; names are put together once.
class Table {
  public:
    Table() {
        for (const Row& row : kCommon) add(row.offset, row.name, row);
        for (unsigned client = 0; client < std::size(kClientFifos); ++client) {
            const std::string name = "IPC" + std::to_string(client + 1) + "R";
            const std::uint32_t first = 0x020 + 0x10 * client;
            add(first, name + "1", {0, "", 4, 0xF07});
            add(first + 4, name + "2", {0, "", 0x10000, 0xF0F00});
            add(first + 8, name + "3", {0, "", kClientFifos[client], 0x03FF03FF});
        }
        add_pipe(0, kDump);
        for (const unsigned pipe : {1u, 2u}) {
            add_pipe(pipe, kPixel);
            add_regions(pipe);
        }
        add_pipe(1, kMain);
        add_pipe(2, kAncillary);
    }
    [[nodiscard]] const DcmippRegister& at(std::uint32_t offset) const {
        return words_[offset / 4 % words_.size()];
    }

  private:
    void add_pipe(unsigned pipe, std::span<const Row> rows) {
        for (const Row& row : rows) add_of_pipe(pipe, row, row.name);
    }
    /// Regions of interest: rectangles to draw.
    void add_regions(unsigned pipe) {
        constexpr unsigned kRegions = 8;
        for (unsigned i = 0; i < kRegions; ++i) {
            const std::string name = "RI" + std::to_string(i + 1) + "CR";
            const std::uint32_t first = 0x124 + 8 * i;
            add_of_pipe(pipe, {first, "", 0, 0x3FFFFFFF, true}, name + "1");
            add_of_pipe(pipe, {first + 4, "", 0, kPoint, true}, name + "2");
        }
    }
    void add_of_pipe(unsigned pipe, const Row& row, const std::string& name) {
        const std::string number = "P" + std::to_string(pipe);
        const std::uint32_t offset = dcmipp_pipe(pipe) + row.offset;
        add(offset, number + name, row);
        if (row.has_current)
            add(offset + kDcmippToCurrent, number + "C" + name, {0, "", row.reset});
    }
    void add(std::uint32_t offset, const std::string& name, const Row& row) {
        names_.push_back(name);
        words_[offset / 4] = {names_.back().c_str(), row.reset, row.writable, row.has_current};
    }

    std::deque<std::string> names_;  // whose texts keep their places
    std::array<DcmippRegister, kDcmippEnd / 4> words_{};
};

}  // namespace

const DcmippRegister& dcmipp_register(std::uint32_t offset) {
    static const Table table;
    return table.at(offset);
}

}  // namespace n6vp::models::camera

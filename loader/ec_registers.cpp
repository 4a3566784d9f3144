// SPDX-License-Identifier: Apache-2.0
#include "loader/ec_registers.h"

namespace n6vp::loader::ec {
namespace {

/// A run of consecutive registers, both ends inclusive, present in units first_ip … last_ip.
struct Run {
    std::uint8_t first_ip, last_ip;
    std::uint16_t first, last;
    bool read_only;
};

// Register arrays are expanded: MEM_LOW/MEM_HIGH, ROM1_AB/ROM1_C and COEFF_AB/COEFF_C interleave
// into one run each.
constexpr Run kRuns[] = {
    {0, 31, 0x000, 0x000, false},   // CTRL
    {0, 31, 0x004, 0x004, true},    // VERSION
    {0, 0, 0x008, 0x010, false},    // CLKCTRL
    {1, 3, 0x008, 0x030, false},    // INTCTRL, BUSIF
    {4, 4, 0x008, 0x0A8, false},    // STRSWITCH: DST[0..40]
    {5, 14, 0x008, 0x054, false},   // STRENG
    {5, 14, 0x058, 0x068, true},    // STRENG: LASTADDR and counters
    {15, 18, 0x008, 0x034, false},  // CONVACC
    {19, 20, 0x008, 0x010, false},  // DECUN
    {19, 20, 0x800, 0xFFC, false},  // DECUN: MEM
    {21, 22, 0x008, 0x014, false},  // ACTIV
    {21, 22, 0x400, 0x47C, false},  // ACTIV: ROM0
    {21, 22, 0x800, 0x9FC, false},  // ACTIV: ROM1
    {21, 22, 0xC00, 0xCFC, false},  // ACTIV: LUT
    {23, 26, 0x008, 0x038, false},  // ARITH
    {23, 26, 0x400, 0xFFC, false},  // ARITH: COEFF
    {27, 28, 0x008, 0x020, false},  // POOL
    {29, 29, 0x008, 0x008, false},  // RECBUF: FORMAT0
    {29, 29, 0x014, 0x018, false},  // RECBUF: FORMAT1, FORMAT2
    {30, 30, 0x008, 0x018, false},  // EPOCHCTRL
    {30, 30, 0x01C, 0x024, true},   // EPOCHCTRL: LABEL, BC, ACC
    {31, 31, 0x008, 0x014, true},   // DEBUG_TRACE: link states
    {31, 31, 0x01C, 0x038, false},  // DEBUG_TRACE: TRIG
    {31, 31, 0x040, 0x07C, false},  // DEBUG_TRACE: EVENT
    {31, 31, 0x084, 0x0C0, false},  // DEBUG_TRACE: EVENT_CNT
};

// Fixed-width text instead of pointers: nothing here needs relocation.
constexpr char kNames[kUnits][12] = {
    "CLKCTRL", "INTCTRL",  "BUSIF0",    "BUSIF1",      "STRSWITCH", "STRENG0", "STRENG1",
    "STRENG2", "STRENG3",  "STRENG4",   "STRENG5",     "STRENG6",   "STRENG7", "STRENG8",
    "STRENG9", "CONVACC0", "CONVACC1",  "CONVACC2",    "CONVACC3",  "DECUN0",  "DECUN1",
    "ACTIV0",  "ACTIV1",   "ARITH0",    "ARITH1",      "ARITH2",    "ARITH3",  "POOL0",
    "POOL1",   "RECBUF",   "EPOCHCTRL", "DEBUG_TRACE",
};

const Run* find(std::uint32_t ip, std::uint32_t byte_offset) {
    if (ip >= kUnits || byte_offset % 4 != 0) return nullptr;
    for (const Run& run : kRuns) {
        if (ip >= run.first_ip && ip <= run.last_ip && byte_offset >= run.first &&
            byte_offset <= run.last) {
            return &run;
        }
    }
    return nullptr;
}

}  // namespace

bool register_exists(std::uint32_t ip, std::uint32_t byte_offset) {
    return find(ip, byte_offset) != nullptr;
}

bool register_is_read_only(std::uint32_t ip, std::uint32_t byte_offset) {
    const Run* run = find(ip, byte_offset);
    return run != nullptr && run->read_only;
}

std::uint32_t clock_gate(std::uint32_t ip) {
    // Gate n belongs to unit n + 5; CLKCTRL, INTCTRL, BUSIF and STRSWITCH have none there.
    return ip >= 5 && ip < kUnits ? std::uint32_t{1} << (ip - 5) : 0;
}

const char* unit_name(std::uint32_t ip) {
    return ip < kUnits ? kNames[ip] : nullptr;
}

}  // namespace n6vp::loader::ec

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// What the generator, the runner on QEMU and the runner on our core agree on: addresses, the job
// file, the records. Freestanding, little-endian.

namespace n6vp::test::diff {

/// Where things are on one of QEMU's boards; our side lays its flat memory out alike.
struct Places {
    std::uint32_t code, slots, data;

    /// Where a vector that ran through ends.
    [[nodiscard]] constexpr std::uint32_t landing() const { return code + 0x200; }
    /// Handler of all exceptions.
    [[nodiscard]] constexpr std::uint32_t fault_entry() const { return code + 0x400; }
    /// By which a faulted vector returns.
    [[nodiscard]] constexpr std::uint32_t resume_frame() const { return data + 0x3F000; }
    /// All that vectors load and store.
    [[nodiscard]] constexpr std::uint32_t window() const { return data + 0x40000; }
};
inline constexpr Places kAn547{0x10000000, 0x11000000, 0x30000000};  ///< Secure aliases
inline constexpr Places kAn505{0x10000000, 0x10200000, 0x38000000};  ///< Secure aliases
inline constexpr Places kAn386{0x00000000, 0x20200000, 0x20000000};  ///< an500 as well

#ifndef N6VP_DIFF_PLACES
#define N6VP_DIFF_PLACES kAn547
#endif
/// Those of this run: the runner is compiled for one board.
inline Places places = N6VP_DIFF_PLACES;

inline constexpr std::uint32_t kCodeMemoryBytes = 0x80000, kDataMemoryBytes = 0x80000;
inline constexpr std::uint32_t kSlotBytes = 256, kSlotCount = 4096;
inline constexpr std::uint32_t kWindowBytes = 8192, kWindowWords = kWindowBytes / 4;

/// Of mps3-an547: ends of RAM on either side, behind which nothing is, and the free bytes before
/// them.
inline constexpr std::uint32_t kRamEnds[] = {0x10080000, 0x11200000, 0x30080000};
inline constexpr std::uint32_t kRamEndCount = 3;
inline constexpr std::uint32_t kEdgeBytes = 2048, kEdgeWords = kEdgeBytes / 4;
inline constexpr std::uint32_t kSlotMemoryBytes = 0x200000;

/// Where neither side has anything. The rest belongs to memories, to devices that mps3-an547 has
/// and our side has not, or to the private peripheral bus.
struct Hole {
    std::uint32_t start, bytes;
};
inline constexpr Hole kHoles[] = {
    {0x00080000, 0x00F80000}, {0x01200000, 0x0EE00000}, {0x10080000, 0x00F80000},
    {0x11200000, 0x0EE00000}, {0x20080000, 0x00F80000}, {0x22000000, 0x06000000},
    {0x28800000, 0x07800000}, {0x30080000, 0x00F80000}, {0x32000000, 0x06000000},
    {0x38800000, 0x07800000}, {0x42000000, 0x05000000}, {0x4A000000, 0x06000000},
    {0x5A000000, 0x06000000}, {0xE0100000, 0x1FF00000},
};
inline constexpr std::uint32_t kHoleCount = sizeof(kHoles) / sizeof(kHoles[0]);

/// Halfword of a slot at which an entry's code starts. What surrounds it are landing pads: SVC with
/// the number of the halfword.
inline constexpr unsigned kCodeStart = 64;
inline constexpr unsigned kSlotHalfwords = kSlotBytes / 2;
inline constexpr unsigned kMaxCode = 33;     ///< halfwords
inline constexpr unsigned kEnterCall = 255;  ///< SVC by which the runner enters some vectors

/// What an entry's vector operand holds.
enum class VectorRole : std::uint8_t { Data, Offsets, Addresses };

/// What the memory window holds before the first vector of an entry.
enum class WindowFill : std::uint8_t { Random, Targets, SmallBytes, SmallHalfwords };

enum EntryFlag : std::uint32_t {
    kVprMasks = 1,         ///< half of the vectors stand in a VPT block
    kTail = 2,             ///< a quarter of the vectors has LTPSIZE below 4 and a small LR
    kUnaligned = 4,        ///< an eighth of the vectors has unaligned bases
    kEnterByReturn = 8,    ///< entered by an exception return that restores ECI from `epsr`
    kClearTargetBit = 16,  ///< an eighth of the branch targets has bit 0 clear
    kStackLimit = 32,      ///< a stack limit near the stack pointer
    kSignedSmall = 128,    ///< small registers hold -47 to 47
    kWild = 64,            ///< bases point near the ends of RAM or to where nothing is
};

/// One encoding, or one short sequence, and the kind of states it meets. The job file is a header
/// and `Entry`s.
struct Entry {
    std::uint32_t seed = 0;
    std::uint32_t flags = 0;
    std::uint16_t vectors = 0;
    std::uint16_t base_registers = 0;    ///< bit per general register: holds an address
    std::uint16_t small_registers = 0;   ///< holds a number of `small_bits` bits
    std::uint16_t target_registers = 0;  ///< holds the address of a landing pad
    std::uint8_t small_bits = 8;
    std::uint8_t align_log2 = 0;  ///< of window addresses
    std::uint8_t vector_register = 0;
    VectorRole vector_role = VectorRole::Data;
    std::uint8_t element_log2 = 2;  ///< bytes of an element of the vector operand
    std::uint8_t offset_bits = 8;   ///< of vector offsets, multiples of 1 << align_log2
    WindowFill window_fill = WindowFill::Random;
    std::uint8_t epsr = 0;  ///< ECI (bits 3:0) with kEnterByReturn
    std::uint16_t halfwords = 0;
    std::uint16_t code[kMaxCode] = {};
};
static_assert(sizeof(Entry) == 92);

enum class JobMode : std::uint32_t {
    Hash,     ///< answer one word per entry
    Records,  ///< answer one Record per vector
    Windows,  ///< answer Record and window per vector
};

struct JobHeader {
    std::uint32_t magic = kMagic;
    JobMode mode = JobMode::Hash;
    std::uint32_t entries = 0;
    std::uint32_t reserved = 0;
    static constexpr std::uint32_t kMagic = 0x4E364431;
};

/// State before a vector. vector.S knows the offsets.
struct State {
    std::uint32_t r[13] = {};
    std::uint32_t sp = 0;
    std::uint32_t lr = 0;
    std::uint32_t entry = 0;  ///< address of the code, bit 0 set
    std::uint32_t apsr = 0;
    std::uint32_t fpscr = 0;  ///< with LTPSIZE
    std::uint32_t vpr = 0;
    std::uint32_t sp_limit = 0;
    std::uint32_t by_return = 0;  ///< nonzero: the frame below sp is to be returned by
    std::uint32_t reserved[11] = {};
    std::uint32_t vector[32] = {};
};
static_assert(sizeof(State) == 256 && offsetof(State, vector) == 128);

/// State after a vector. vector.S knows the offsets.
struct Record {
    std::uint32_t r[13] = {};
    std::uint32_t sp = 0;
    std::uint32_t lr = 0;
    std::uint32_t pc = 0;  ///< return address of the exception, from the slot's start; 0 without
    std::uint32_t apsr = 0;
    std::uint32_t fpscr = 0;
    std::uint32_t vpr = 0;
    std::uint32_t exception = 0;  ///< 0: ran through
    std::uint32_t cfsr = 0, hfsr = 0, sfsr = 0;
    std::uint32_t address = 0;      ///< MMFAR, BFAR or SFAR where CFSR or SFSR says valid
    std::uint32_t epsr = 0;         ///< IT and ECI bits of the stacked xPSR
    std::uint32_t window_hash = 0;  ///< not in hash mode
    std::uint32_t reserved[6] = {};
    std::uint32_t vector[32] = {};
};
static_assert(sizeof(Record) == 256 && offsetof(Record, vector) == 128);

}  // namespace n6vp::test::diff

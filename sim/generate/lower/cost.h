// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// What an epoch takes, before any simulation: the closed form of the published measurements, in
/// NPU cycles at 1 GHz. Lowering chooses modes by it, `n6vp analyze` prints it.
namespace n6vp::sim::generate {

/// A count as a term of these formulas.
[[nodiscard]] inline double real(std::uint64_t count) {
    return static_cast<double>(count);
}

/// Costs of words and beats; value, unit, source, confidence.
struct CostParameters {
    double frame_restart = 35;        ///< cycles a frame, fitted to one measured network
    double flash_byte = 2.515;        ///< cycles, xSPI2 in place, measured
    double flash_first = 155;         ///< cycles until the first byte, assumed
    double ram_first = 30;            ///< the same from RAM, assumed
    double read_beat = 1.40;          ///< cycles, one-beat read of an npuRAM bank, measured
    double write_beat = 1.16;         ///< cycles, one-beat write, measured
    double long_beat = 1000.0 / 900;  ///< cycles, beats of longer bursts, documented clock ratio
    double core_start = 945;          ///< cycles of an epoch that the core starts, measured
    double controller_fetch = 16;     ///< cycles per 8 bytes of a blob, fitted
    double cache_access = 12;         ///< cycles that the NPU's cache is busy with a hit, fitted
    double cache_beat = 2.5;          ///< cycles per 8 bytes of a hit, one beat at 400 MHz
    double cache_miss = 135;          ///< cycles it is busy with a line from flash, fitted
    double multipliers = 72;          ///< 8x8 bits in a CONVACC, documented
    double units = 4;                 ///< CONVACC
};

/// One CONVACC, or several at the same work with their own kernels.
struct ConvolutionWork {
    std::uint64_t in_words = 0;   ///< of one frame of features
    std::uint64_t out_words = 0;  ///< of one frame
    std::uint64_t set_words = 0;  ///< of the kernels of one frame
    std::uint64_t set_bytes = 0;  ///< the same of all units that read flash together
    std::uint64_t frames = 1;
    std::uint64_t line_words = 0, lines_ahead = 0;  ///< before the first output line
    bool flash = false;
};

/// Memory side of all engines of an epoch on one bank.
struct BankWork {
    std::uint64_t single_reads = 0, single_writes = 0;  ///< one-beat bursts
    std::uint64_t long_reads = 0, long_writes = 0;      ///< beats of longer ones
};

[[nodiscard]] double convolution_cycles(const ConvolutionWork& work,
                                        const CostParameters& cost = {});
[[nodiscard]] double bank_cycles(const BankWork& work, const CostParameters& cost = {});

/// Beats of `runs` stretches of `bytes`, added to the single or the long ones. Alignment is not
/// looked at: a run of up to 8 bytes is taken as one beat.
struct Beats {
    std::uint64_t single = 0, longer = 0;
};
[[nodiscard]] Beats beats_of(std::uint64_t runs, std::uint64_t bytes);

}  // namespace n6vp::sim::generate

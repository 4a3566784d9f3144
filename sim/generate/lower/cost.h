// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::sim {
struct PlatformParameters;
}

/// What an epoch takes, before any simulation: the closed form of the published measurements, in
/// NPU cycles. Lowering chooses modes by it, `n6vp analyze` and `n6vp generate` print it.
namespace n6vp::sim::generate {

/// A count as a term of these formulas.
[[nodiscard]] inline double real(std::uint64_t count) {
    return static_cast<double>(count);
}

/// Costs of words, beats and bytes in NPU cycles, each from the parameters of the platform: a
/// prediction and a simulation start from the same numbers.
struct CostParameters {
    double frame_restart = 0;     ///< of a frame
    double flash_byte = 0;        ///< of a byte that is read in place
    double flash_first = 0;       ///< until the first byte
    double ram_first = 0;         ///< the same from an npuRAM bank
    double read_beat = 0;         ///< one-beat read of an npuRAM bank
    double write_beat = 0;        ///< one-beat write
    double long_beat = 0;         ///< beats of longer bursts
    double controller_fetch = 0;  ///< of 8 bytes of a blob
    double cache_access = 0;      ///< that the NPU's cache is busy with a hit
    double cache_beat = 0;        ///< of 8 bytes of a hit
    double cache_miss = 0;        ///< that it is busy with a line from outside
    double cache_line = 0;        ///< bytes
    double multipliers = 0;       ///< 8x8 bits in a CONVACC
    double units = 4;             ///< CONVACC
    double npu_hz = 0;
    double per_core_cycle = 0;  ///< NPU cycles in a cycle of the core

    [[nodiscard]] double all_multipliers() const { return multipliers * units; }
};
[[nodiscard]] CostParameters costs_of(const PlatformParameters& parameters);
/// Returns the costs of the platform as it is without settings.
[[nodiscard]] const CostParameters& default_costs();

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
                                        const CostParameters& cost = default_costs());
[[nodiscard]] double bank_cycles(const BankWork& work,
                                 const CostParameters& cost = default_costs());

/// Beats of `runs` stretches of `bytes`, added to the single or the long ones. Alignment is not
/// looked at: a run of up to 8 bytes is taken as one beat.
struct Beats {
    std::uint64_t single = 0, longer = 0;
};
[[nodiscard]] Beats beats_of(std::uint64_t runs, std::uint64_t bytes);

}  // namespace n6vp::sim::generate

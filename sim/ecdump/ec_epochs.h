// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "memmap/npu/units.h"
#include "sim/ecdump/ec_text.h"

/// What the instructions of a stream add up to: which units run how in which epoch.
namespace n6vp::sim {

/// The last value of a register that was written since its unit's configuration was cleared.
struct EcSetting {
    std::uint32_t value = 0;
    std::optional<std::uint32_t> word;  ///< that held it; none if only fields were written
};

/// A unit that runs, with everything that was written to it, by byte offset.
struct EcUnit {
    memmap::npu::Unit unit;
    std::map<std::uint32_t, EcSetting> settings;
};

/// A destination of the stream switch that is in use.
struct EcLink {
    std::uint32_t destination = 0;
    std::uint32_t value = 0;  ///< of its DST register
};

/// Units that run together until their output engines are done.
struct EcRun {
    std::vector<EcUnit> units;  ///< in the order of their enables
    std::vector<EcLink> links;
    std::vector<std::uint32_t> waited;  ///< pages of the units whose RUNNING is waited for
};

/// From one label to the next.
struct EcEpoch {
    std::optional<std::uint32_t> label;  ///< none before the first label
    std::uint32_t first_word = 0, end_word = 0;
    std::uint32_t instructions = 0;
    std::vector<EcRun> runs;  ///< usually one; none in an epoch of software
};

/// Neighbouring elements of a register array that were written.
struct EcArray {
    std::uint32_t first = 0;
    std::vector<std::uint32_t> values;
};

/// Returns what was written to the elements of `at`, a register of the unit, in ascending order.
[[nodiscard]] std::vector<EcArray> written_elements(const EcUnit& unit,
                                                    const memmap::npu::Register& at);

/// Follows the writes of a stream. A unit's registers return to their reset values where CONFCLR is
/// written; a run is what is enabled when a RUNNING bit is waited for first, or at the end of the
/// epoch.
[[nodiscard]] std::vector<EcEpoch> find_epochs(const std::vector<EcInstruction>& instructions);

}  // namespace n6vp::sim

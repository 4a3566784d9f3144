// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "models/fabric/bus_events.h"
#include "models/npu/npu.h"
#include "models/npu/stream/stream_config.h"
#include "models/soc/base/register_log.h"
#include "models/soc/system/clock_tree.h"

/// Lines of the log about what models report. Times are those since reset.
namespace n6vp::sim {

/// Infos and warnings of SystemC become lines of component `kernel`; its errors stay exceptions.
void log_kernel_reports();
/// Logs every frequency now and whenever one changes.
void log_clocks(models::ClockTree& clocks);
void log_fault(const models::AccessFault& fault, models::Picoseconds at);
void log_buffer_in_use(const models::BufferInUse& use, models::Picoseconds at);
void log_unwritten_read(std::string_view memory, std::uint32_t offset, models::Picoseconds at);
void log_register(const models::RegisterAccess& access, models::Picoseconds at);
void log_npu_event(const models::npu::NpuEvent& event, models::Picoseconds at);
/// `counters` are those at the engine's end, null at its beginning.
void log_engine(unsigned engine, const models::npu::StreamConfig& stream,
                const models::npu::EngineCounters* counters, models::Picoseconds at);
void log_epoch_label(std::uint32_t label, models::Picoseconds at);

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/npu/dataflow/convolution_node.h"
#include "models/npu/top/engines.h"
#include "models/npu/units/coefficient_memory.h"
#include "models/npu/units/decun.h"

namespace n6vp::models::npu {

/// CONVACC, DECUN, ACTIV, ARITH, POOL and RECBUF behind their registers. A unit takes its
/// configuration when EN becomes 1 and works with it until EN becomes 0 or CLR is written.
///
/// Assumed: that CTRL.ILL raises the interrupt of CONVACC and goes with CLR; that coefficients of
/// ARITH and codebooks of DECUN survive CLR and CONFCLR.
/// Limits: RECBUF. Not modelled: CTRL.FSTATLOADED and FSTATOVERF, KFILT.IDX, AFILT.IDX, ITER.IDX
/// (read as written or zero).
class ComputeUnits {
  public:
    using ConvolutionListener =
        std::function<void(unsigned unit, const ConvolutionNode::Counters&, Picoseconds)>;

    ComputeUnits(const NpuContext& context, const ConvolutionListener& listener);
    ~ComputeUnits();
    ComputeUnits(const ComputeUnits&) = delete;
    ComputeUnits& operator=(const ComputeUnits&) = delete;

    [[nodiscard]] static bool is_one(const memmap::npu::Unit& unit);

    void on_enable(const memmap::npu::Unit& unit, bool on);
    void on_clear(const memmap::npu::Unit& unit);
    void on_configuration_clear(const memmap::npu::Unit& unit);
    /// A register other than CTRL.
    void on_write(const memmap::npu::Unit& unit, const Register& at, std::uint32_t index);
    /// CTRL was written, and what that asked for is done.
    void on_control_written(const memmap::npu::Unit& unit);
    void reset();

    /// Says of each unit that is on what it waits for.
    [[nodiscard]] std::vector<std::string> waiting() const;

  private:
    /// A unit that is on.
    struct Working {
        std::unique_ptr<Node> node;  ///< null: off or refused
        std::vector<Port*> ports;    ///< by number
        const ConvolutionNode* convolution = nullptr;
        bool refused = false;
    };

    void start(const memmap::npu::Unit& unit);
    void stop(const memmap::npu::Unit& unit);
    [[nodiscard]] Working build(const memmap::npu::Unit& unit);
    [[nodiscard]] Working build_convolution(const memmap::npu::Unit& unit);
    [[nodiscard]] Working build_arith(const memmap::npu::Unit& unit);
    [[nodiscard]] Working build_activ(const memmap::npu::Unit& unit);
    [[nodiscard]] Working build_pool(const memmap::npu::Unit& unit);
    [[nodiscard]] Working build_decun(const memmap::npu::Unit& unit);
    [[nodiscard]] const RegisterFile& registers(const memmap::npu::Unit& unit) const;
    [[nodiscard]] Link& link(const memmap::npu::Unit& unit);
    void set_illegal(const memmap::npu::Unit& unit, bool illegal);
    void show_coefficients(unsigned arith);
    void show_page(unsigned decun);
    void store_coefficient(const memmap::npu::Unit& unit, const Register& at, std::uint32_t index);

    NpuContext context_;
    const ConvolutionListener& listener_;
    std::array<Working, memmap::npu::kPages> working_;  ///< by page
    std::array<CoefficientMemory, memmap::npu::kArith.count> coefficients_;
    std::array<DecunMemory, memmap::npu::kDecun.count> codebooks_;
};

}  // namespace n6vp::models::npu

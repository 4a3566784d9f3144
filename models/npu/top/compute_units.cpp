// SPDX-License-Identifier: Apache-2.0
#include "models/npu/top/compute_units.h"

#include <utility>

#include "models/npu/dataflow/decun_node.h"
#include "models/npu/dataflow/pool_node.h"
#include "models/npu/dataflow/vector_node.h"
#include "models/npu/registers/field_value.h"
#include "models/npu/units/convolution_registers.h"
#include "models/npu/units/recbuf.h"
#include "models/npu/units/vector_registers.h"

namespace n6vp::models::npu {

namespace {

using namespace memmap::npu;

constexpr unsigned kFirstConvolutionSource = field(kIntctrl, "INTREG.CONVACC_0").lsb;

}  // namespace

ComputeUnits::ComputeUnits(const NpuContext& context, const ConvolutionListener& listener)
    : context_(context), listener_(listener) {}

/// Links outlive the nodes that offer on them.
ComputeUnits::~ComputeUnits() {
    for (std::uint32_t page = 0; page < kPages; ++page) {
        if (working_[page].node)
            context_.switchboard.source_gone(Switchboard::source_of(unit_at(page)));
    }
}

bool ComputeUnits::is_one(const Unit& unit) {
    return unit.type == &kConvacc || unit.type == &kDecun || unit.type == &kActiv ||
           unit.type == &kArith || unit.type == &kPool || unit.type == &memmap::npu::kRecbuf;
}

const RegisterFile& ComputeUnits::registers(const Unit& unit) const {
    return context_.window.registers(unit.page());
}

Link& ComputeUnits::link(const Unit& unit) {
    return context_.switchboard.link(Switchboard::source_of(unit));
}

void ComputeUnits::on_enable(const Unit& unit, bool on) {
    stop(unit);
    if (on) start(unit);
}

void ComputeUnits::on_clear(const Unit& unit) {
    stop(unit);
    if (unit.type == &kConvacc) set_illegal(unit, false);
}

void ComputeUnits::on_configuration_clear(const Unit& unit) {
    if (unit.type == &kArith) show_coefficients(unit.index);
    if (unit.type == &kDecun) show_page(unit.index);
}

void ComputeUnits::on_write(const Unit& unit, const Register& at, std::uint32_t index) {
    if (unit.type == &kArith) {
        constexpr Register kTranslate = reg(kArith, "TRANSLATEADDR");
        constexpr Register kFirst = reg(kArith, "COEFF_AB");
        if (at.offset == kTranslate.offset) show_coefficients(unit.index);
        if (at.offset >= kFirst.offset) store_coefficient(unit, at, index);
    } else if (unit.type == &kDecun) {
        constexpr Register kLow = reg(kDecun, "MEM_LOW");
        if (at.offset < kLow.offset) return;
        const std::uint32_t page = field_value<kDecun, "CTRL.PAGEADDR">(registers(unit));
        DecunMemory::Entry& entry =
            codebooks_[unit.index].entries[std::size_t{page} * kDecunPageEntries + index];
        (at.offset == kLow.offset ? entry.low : entry.high) = registers(unit).word(at, index);
    }
}

void ComputeUnits::on_control_written(const Unit& unit) {
    if (unit.type == &kDecun) show_page(unit.index);
}

void ComputeUnits::store_coefficient(const Unit& unit, const Register& at, std::uint32_t index) {
    const bool translate = field_value<kArith, "TRANSLATEADDR.EN">(registers(unit));
    const std::uint32_t offset = at.offset + index * at.stride;
    const auto place = CoefficientMemory::place(offset, translate);
    if (place) {
        coefficients_[unit.index].write(*place, registers(unit).word(at, index));
        return;
    }
    context_.report.assumed(name_of(unit), {kArith.name, "TRANSLATEADDR",
                                            "what lies below 0xC00 while it is 0; nothing here"});
    context_.window.set_word(unit, at, 0, index);
}

/// The window shows a part of the memory.
void ComputeUnits::show_coefficients(unsigned arith) {
    const Unit unit{&kArith, arith};
    const bool translate = field_value<kArith, "TRANSLATEADDR.EN">(registers(unit));
    for (const Register& at : {reg(kArith, "COEFF_AB"), reg(kArith, "COEFF_C")}) {
        for (std::uint32_t i = 0; i < at.count; ++i) {
            const auto place = CoefficientMemory::place(at.offset + i * at.stride, translate);
            context_.window.set_word(unit, at, place ? coefficients_[arith].read(*place) : 0, i);
        }
    }
}

void ComputeUnits::show_page(unsigned decun) {
    constexpr Register kLow = reg(kDecun, "MEM_LOW"), kHigh = reg(kDecun, "MEM_HIGH");
    const Unit unit{&kDecun, decun};
    const std::uint32_t page = field_value<kDecun, "CTRL.PAGEADDR">(registers(unit));
    for (std::uint32_t i = 0; i < kDecunPageEntries; ++i) {
        const DecunMemory::Entry& entry =
            codebooks_[decun].entries[std::size_t{page} * kDecunPageEntries + i];
        context_.window.set_word(unit, kLow, entry.low, i);
        context_.window.set_word(unit, kHigh, entry.high, i);
    }
}

void ComputeUnits::start(const Unit& unit) {
    Working& working = working_[unit.page()];
    working = build(unit);
    for (unsigned i = 0; i < working.ports.size(); ++i) {
        context_.switchboard.attach(Switchboard::destination_of(unit, i), *working.ports[i],
                                    context_.now);
    }
}

void ComputeUnits::stop(const Unit& unit) {
    Working& working = working_[unit.page()];
    if (working.node) {
        if (working.convolution != nullptr && listener_)
            listener_(unit.index, working.convolution->counters(), context_.now);
        for (unsigned i = 0; i < working.ports.size(); ++i)
            context_.switchboard.detach(Switchboard::destination_of(unit, i));
        context_.switchboard.source_gone(Switchboard::source_of(unit));
        context_.network.remove(*working.node);
    }
    working = {};
}

void ComputeUnits::reset() {
    for (std::uint32_t page = 0; page < kPages; ++page) {
        const Unit unit = unit_at(page);
        if (is_one(unit)) stop(unit);
    }
    coefficients_ = {};
    codebooks_ = {};
}

ComputeUnits::Working ComputeUnits::build(const Unit& unit) {
    if (unit.type == &kConvacc) return build_convolution(unit);
    if (unit.type == &kArith) return build_arith(unit);
    if (unit.type == &kActiv) return build_activ(unit);
    if (unit.type == &kPool) return build_pool(unit);
    if (unit.type == &kDecun) return build_decun(unit);
    context_.report.refused(name_of(unit), kRecbuf);
    Working refused;
    refused.refused = true;
    return refused;
}

ComputeUnits::Working ComputeUnits::build_convolution(const Unit& unit) {
    Working made;
    ConvolutionNode::Setup setup;
    setup.config = decode_convolution(registers(unit));
    const ConvolutionVerdict verdict = judge(setup.config);
    set_illegal(unit, verdict.illegal != nullptr);
    made.refused = !context_.report.verdict(name_of(unit), verdict);
    if (made.refused) return made;
    setup.rounding = context_.parameters.rounding;
    setup.cycle = context_.cycle;
    setup.start = context_.now;
    auto node = std::make_unique<ConvolutionNode>(setup, context_.parameters.convolution,
                                                  context_.network, link(unit));
    made.ports = {&node->features, &node->kernels, &node->accumulator};
    made.convolution = node.get();
    made.node = std::move(node);
    return made;
}

ComputeUnits::Working ComputeUnits::build_arith(const Unit& unit) {
    Working made;
    const ArithConfig config = decode_arith(registers(unit));
    made.refused = !context_.report.verdict(name_of(unit), judge(config));
    if (made.refused) return made;
    const ArithRounding rounding{context_.parameters.rounding, Rounding::Floor};
    auto node = std::make_unique<VectorNode>(
        [arith = Arith(config, coefficients_[unit.index], rounding)](
            std::span<const Word> x, std::span<const Word> y, std::span<Word> out) mutable {
            arith.compute(x, y, out);
        },
        config.dualin, context_.cycle, context_.now, context_.network, link(unit));
    made.ports = {&node->x};
    if (config.dualin) made.ports.push_back(&node->y);
    made.node = std::move(node);
    return made;
}

ComputeUnits::Working ComputeUnits::build_activ(const Unit& unit) {
    Working made;
    const ActivConfig config = decode_activ(registers(unit));
    const ActivTables tables = decode_activ_tables(registers(unit));
    made.refused = !context_.report.verdict(name_of(unit), judge(config, tables));
    if (made.refused) return made;
    auto node = std::make_unique<VectorNode>(
        [activ = Activ(config, tables, context_.parameters.rounding)](
            std::span<const Word> x, std::span<const Word>, std::span<Word> out) {
            activ.compute(x, out);
        },
        false, context_.cycle, context_.now, context_.network, link(unit));
    made.ports = {&node->x};
    made.node = std::move(node);
    return made;
}

ComputeUnits::Working ComputeUnits::build_pool(const Unit& unit) {
    Working made;
    PoolNode::Setup setup;
    setup.config = decode_pool(registers(unit));
    made.refused = !context_.report.verdict(name_of(unit), judge(setup.config));
    if (made.refused) return made;
    setup.rounding = context_.parameters.rounding;
    setup.cycle = context_.cycle;
    setup.start = context_.now;
    auto node = std::make_unique<PoolNode>(setup, context_.network, link(unit));
    made.ports = {&node->features};
    made.node = std::move(node);
    return made;
}

ComputeUnits::Working ComputeUnits::build_decun(const Unit& unit) {
    Working made;
    const DecunConfig config = decode_decun(registers(unit));
    made.refused = !context_.report.verdict(name_of(unit), judge(config));
    if (made.refused) return made;
    const std::string name = name_of(unit);
    auto node = std::make_unique<DecunNode>(
        Decun(config, codebooks_[unit.index]), context_.cycle, context_.now, context_.network,
        link(unit), [this, name] { context_.report.assumed(name, kIndexBeyondCodebook); });
    made.ports = {&node->indices};
    made.node = std::move(node);
    return made;
}

void ComputeUnits::set_illegal(const Unit& unit, bool illegal) {
    constexpr Register kControl = reg(kConvacc, "CTRL");
    constexpr Field kIllegal = field(kConvacc, "CTRL.ILL");
    const std::uint32_t word = registers(unit).word(kControl);
    context_.window.set_word(unit, kControl, insert(word, kIllegal, illegal ? 1 : 0));
    context_.window.set_source(kFirstConvolutionSource + unit.index, illegal);
}

std::vector<std::string> ComputeUnits::waiting() const {
    std::vector<std::string> found;
    for (std::uint32_t page = 0; page < kPages; ++page) {
        const Working& working = working_[page];
        const Unit unit = unit_at(page);
        if (working.refused)
            found.push_back(name_of(unit) + " is idle: its configuration was refused");
        if (!working.node) continue;
        std::string text = name_of(unit) + " waits for " + working.node->waits_for() + " (";
        for (unsigned i = 0; i < working.ports.size(); ++i) {
            const unsigned destination = Switchboard::destination_of(unit, i);
            const char* name = link_destination(destination).port_name;
            text += i == 0 ? "" : ", ";
            text += (*name == '\0' ? "" : std::string(name) + " ") + "from " +
                    context_.switchboard.sources_text(destination);
        }
        found.push_back(text + "; received by " +
                        context_.switchboard.listeners_text(Switchboard::source_of(unit)) + ")");
    }
    return found;
}

}  // namespace n6vp::models::npu

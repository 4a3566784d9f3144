// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/fabric/bus.h"
#include "models/memory/sram.h"
#include "tests/models/probe.h"

namespace n6vp::test {

/// Lets pass what starts at or above `open_from`, and answers otherwise what it is told.
class Gate : public models::AccessFilter {
  public:
    Verdict otherwise = Verdict::Zero;
    std::uint32_t open_from = 0;
    bool open_for_writes = true;
    bool only_secure = false;
    mutable unsigned asked = 0;
    unsigned judged = 0;
    std::uint32_t address = 0;  ///< of the access judged last

    Verdict judge(const models::Transfer& transfer, const Access& access) override {
        ++judged;
        address = access.address;
        return allows(transfer, access) ? Verdict::Pass : otherwise;
    }
    bool passes(const models::Transfer& transfer, const Access& access) const override {
        ++asked;
        return allows(transfer, access);
    }
    const char* reason() const override { return "GATE_CR.OPEN = 0"; }

  private:
    [[nodiscard]] bool allows(const models::Transfer& transfer, const Access& access) const {
        return access.offset >= open_from && (open_for_writes || !access.write) &&
               (transfer.secure || !only_secure);
    }
};

/// Two initiators, two RAMs of 64 KB. The first at 0x1000_0000 and 0x2000_0000, the second at
/// 0x1001_0000 from offset 0x1000 on; the second initiator cannot reach the second.
struct FabricBench {
    static constexpr std::uint32_t kLow = 0x10000000, kAlias = 0x20000000, kHigh = 0x10010000;

    FabricBench() {
        first.port.bind(bus.from[0]);
        second.port.bind(bus.from[1]);
        bus.to[0].bind(low.port);
        bus.to[1].bind(high.port);
        bus.map(0, {GuestAddr{kLow}, 0x10000});
        bus.map(0, {GuestAddr{kAlias}, 0x10000});
        bus.map(1, {GuestAddr{kHigh}, 0xF000}, 0x1000);
        bus.set_route(0, 0, {7000, 5000, 2500, 8});
        bus.set_route(0, 1, {9000, 6000, 2500, 8});
        bus.set_route(1, 0, {1000, 2000, 2500, 8});
        bus.on_fault = [this](const models::AccessFault& fault) { faults.push_back(fault); };
        bus.on_buffer_in_use = [this](const models::BufferInUse& event) {
            collisions.push_back(event);
        };
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    /// Makes a page one that something was stored in.
    void touch(std::uint32_t address) {
        first.data.assign(4, 0x11);
        first.debug(tlm::TLM_WRITE_COMMAND, address, 4);
    }
    struct Direct {
        bool granted = false, read = false, write = false;
        std::uint64_t start = 0, end = 0;
    };
    static Direct direct(Probe& probe, tlm::tlm_command command, std::uint64_t address,
                         models::Transfer* with = nullptr) {
        tlm::tlm_generic_payload query;
        tlm::tlm_dmi dmi;
        query.set_command(command);
        query.set_address(address);
        if (with != nullptr) query.set_extension(with);
        Direct answer;
        answer.granted = probe.port->get_direct_mem_ptr(query, dmi);
        if (with != nullptr) query.clear_extension(with);
        if (!answer.granted) return answer;
        answer.read = dmi.is_read_allowed();
        answer.write = dmi.is_write_allowed();
        answer.start = dmi.get_start_address();
        answer.end = dmi.get_end_address();
        return answer;
    }

    models::Bus bus{"bus", 2, 2};
    models::Sram low{"low", 0x10000, 400e6, {}};
    models::Sram high{"high", 0x10000, 400e6, {}};
    Probe first{"first"}, second{"second"};
    std::vector<models::AccessFault> faults;
    std::vector<models::BufferInUse> collisions;
};

}  // namespace n6vp::test

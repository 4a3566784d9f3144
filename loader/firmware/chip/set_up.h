// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The set-up of the platform before the NPU works, in the order and with the registers of the
/// vendor's validation firmware: one function for each step but the first, which is
/// `caches::enable`. `Job::omitted` leaves steps out, to see what a program without them meets.
namespace n6vp::firmware::chip {

void set_up_clocks();        ///< 2: PLLs, dividers, core voltage scale
void set_up_ram_clocks();    ///< 3: RCC MEMENR
void set_up_ram_power();     ///< 4: RAMCFG SRAMSD
void set_up_npu_clocks();    ///< 5: RCC AHB5ENR, AHB5RSTR
void set_up_sleep_clocks();  ///< 6: RCC MEMLPENR, AHB5LPENR
void set_up_rif_master();    ///< 7: RIFSC RIMC
void set_up_rif_slave();     ///< 8: RIFSC RISC
void set_up_risaf();         ///< 9: two open regions in each filter
void set_up_iac();           ///< 10: illegal accesses interrupt
void set_up_fast_pins();     ///< 11: OTP 124
void set_up_vectors();       ///< 12: VTOR, priority, NVIC line of the NPU

/// Does steps 1 to 12, but those the job omits.
void set_up();

}  // namespace n6vp::firmware::chip

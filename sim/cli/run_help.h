// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace n6vp::sim::cli {

/// What `n6vp run --help` shows behind the options.
inline constexpr const char* kRunFooter =
    R"(A model is installed and run by built-in firmware, which also sets up the chip. The report shows
install, initialisation, the time of each node, inferences, and the outputs with their CRC.
A program (--elf, or an image) runs on the simulated chip: core, caches, memories, fabric,
peripherals. It starts at its vector table (--vectors), or at the entry of a boot header.
Standard output receives USART1 and the text of the simulator's mailbox, then the report.
With --boot ready, memories and NPU are already set up as by platform firmware; with --boot reset
the program must set them up itself. With --boot flash a first-stage boot loader does: the boot ROM
copies its image from the flash at 0x70000000 to 0x34180000 and starts it at the header's entry.
With --chip, firmware (--elf, --hex, --bin) runs on an older STM32 from reset; n6vp map --chip list
names them. Its console is the serial port of the board's debug probe, or that of --uart-port;
--external adds memory of the board. --coherence, --boot, --svd, --dump, --csv, --trace and HTML
reports are for the STM32N6. Expectations there: end, exit_code, console, console_without, min_time,
max_time, memory.
Options override the scenario, the scenario overrides the defaults. For parameters, --set overrides
--params-file, and both override [parameters] of the scenario.
A model of the older family (AI_RELOC; Cortex-M4, M33, M7) needs --chip and runs in the same way:
XIP from flash or --external memory with its data in RAM, or COPY into RAM or TCM; --mode all
compares them. --at, --params-at, --exec and --ext set the addresses; --exec heap allocates the
RAM from the firmware's heap. The times of external memory are assumed: --set external.NAME=N.
Examples:
  n6vp run network_rel.bin -i image.npy -o out --repeat 2
  n6vp run a_rel.bin b_rel.bin --repeat 3             alternating, each with its own exec RAM
  n6vp run network_rel.bin --chip u585 --params network_data.bin --mode all
  n6vp run --elf firmware.elf
  n6vp run --chip l4r5 --elf firmware.elf --uart stdio   firmware of an older STM32
  n6vp run --chip u575 --bin firmware.bin@0x08000000 --max-time 2s
  n6vp run --elf firmware.elf --image 0x71000000=network_rel.bin --report run.json
  n6vp run --image fsbl-trusted.bin                   first-stage boot loader, as the boot ROM puts it
  n6vp run --boot flash --hex fsbl.hex --hex app.hex --hex network_data.hex
  n6vp run scenario.toml --timing precise --max-time 50ms
  n6vp run scenario.toml --print-config               every setting with its origin
  n6vp run network_rel.bin --params-file slow.toml    one setting per line: clock.cpu = 600
A scenario:
  [run]
  elf = "firmware.elf"                 or a list of them
  max_time = "20ms"
  [[image]]
  at = 0x71000000                      of raw bytes only, as in --image ADDR=FILE
  file = "network_rel.bin"
  [model]                              instead of elf and [[image]]
  file = "network_rel.bin"             keys like the options: params, at, params_at, ext_ram, mode,
  expect = ["output.npy"]              clear, policy, in, input, seed, range, out, expect,
  tolerance = 1                        tolerance, repeat
  [[master]]                           generated traffic of another master, as with --master
  name = "dcmipp"                      also ltdc, gpu2d, dma2d, venc, eth, usb1, ... or any other name
  pattern = "640x480x2@30"             or a rate: "100MB/s"
  access = "write"                     or read
  address = 0x34200000                 also size, burst, fifo, fill, start, stop, rights
  [[i2c]]                              imx335, vd66gy, vd55g1, vd65g4, ov5640, wm8904, cs42l51, gt911;
  device = "imx335"                    another: bus, address, register_bytes, value_bytes, values;
                                       "echo": bus, address, answer = "..." or what was written
  [[spi]]                              a device with registers; or device = "loopback"
  bus = "SPI5"                         also register_bytes, value_bytes, read_bit, values
  select = "PE4"                       pin that selects it; default: NSS of the controller
  [[pin]]                              also levels = [["0s", 1], ["10ms", 0]]; wire = "PA6"
  name = "PC13"                        watch = true: the report has the changes of this output
  level = 1
  [[input]]                            input of the board at a given time
  at = "10ms"                          also every, count
  uart = "usart1"                      default: the console's port
  text = "help\r"                      or hex = "0d 0a", or pin = "PC13" and level = 1, or i2c =
                                       "I2C1", address, text or hex, read = 4: another controller
  [parameters]
  clock.cpu = 600
  [expect]                             all keys are optional; paths are relative to the scenario
  end = "exit"                         reset, breakpoint, lockup, unmodelled, limit, asleep,
                                       no_progress
  exit_code = 0                        of the program
  console = ["status=0"]               required console text; console_without: forbidden text
  events = ["AXISRAM3EN = 0"]          required text in the report's events; also events_without
  coherence = 0                        number of missing cache maintenance operations
  coherence_parties = ["NPU port 0", "core data"]   both in one of those events
  set_up_steps = [3, 6]                exactly these steps are missing (boot = "reset")
  set_up_bits = ["RCC_MEMENR"]         required text in the report of missing steps
  min_time = "1ms"                     of simulated time; also max_time
  [[expect.memory]]                    memory at the end, as seen by the core
  at = 0x34060000
  hex = "de ad be ef"                  or file = "image.bin"
  [[expect.counter]]                   names as in the JSON report: cycles, instructions, time_ps,
  name = "bytes_read"                  bytes_read, bytes_written, waited_ps, dcache.fills, ...
  phase = "install"                    name or number of a phase
  from = "core data"                   with = "XSPI2": initiator and target of the traffic
  max = 150000                         or min, or equals
  [[expect.output]]                    a file that the program writes into `files`
  name = "output_0.bin"                equal to `file`, or within `tolerance` for a `type` (int8,
  file = "expected.bin"                uint8, int16, uint16, int32, uint32, float32)
  [expect.time]
  inference = "10ms"                   upper limit for the longest phase of that name
  [expect.use]
  exec_ram = "256K"                    of a model; external_ram; or AXISRAM2 etc.: written bytes
                                       in pages of 4 KiB
  [expect]
  no_warnings = true                   no events, missing cache maintenance, unmodelled registers
Exit code: 0 if the program ended with 0; 1 if with any other, or after a reset request;
3 lockup, breakpoint, no progress, any failure inside a fault handler or after an NPU failure,
and, under --strict, stale data, a buffer in use or a denied access;
4 under --strict, unmodelled or assumed behaviour of a register or the NPU;
5 time or instruction limit, or the core sleeps without a wake-up source;
7 an output could not be written, all others are complete;
130 interrupted, with partial results.
With [expect]: 1 if an expectation fails, with one line for each; 0 if end or exit_code is given
and holds; else as above. Several scenarios: 0 if each gives 0, else 1.
A fault report shows instruction, access, the word of the model that holds the address, pool,
phase and remedy. --symbols adds function names of models, --dump writes the state to files.)";

}  // namespace n6vp::sim::cli

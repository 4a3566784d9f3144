# SPDX-License-Identifier: Apache-2.0
"""`n6vp run MODEL --chip` with the sample models.

    run_models.py CASE CHIP CORE N6VP MODELS WORK
"""
import functools
import pathlib
import re
import shutil
import struct
import sys
import tempfile
import zlib

from samples import SAMPLES, Failure, Tool, npy, require, same


def outputs(tool, chip, core):
    """In every mode, outputs are those worked out here; nodes and MACCs those of the description."""
    for name, (reference, _, nodes, macc, _) in SAMPLES.items():
        inputs, words = tool.write_inputs(name, 7)
        folder = tool.work / f"out_{name}"
        shutil.rmtree(folder, ignore_errors=True)
        model = tool.document("run", *tool.model(name, core), "--chip", chip, "--mode", "all",
                              "--repeat", 2, "-o", folder, *words)["model"]
        require(model["macc"] == macc, f"{name}: {model['macc']} MACC")
        wanted = reference(inputs)
        for number, data in enumerate(wanted):
            found = npy(folder / f"output_{number}.npy")
            require(same(name, found, data), f"{name}: output {number} is {found.hex()}")
        crcs = set()
        for variant in model["variants"]:
            crcs |= {one["output_crc"] for one in variant["inferences"] + [variant["observed"]]}
            require(len(variant["inferences"]) == 2, f"{name}: repeat")
            indices = [node["c_idx"] for node in variant["nodes"]]
            require(indices == list(range(nodes)), f"{name}: nodes {indices}")
            inside = sum(node["core_cycles"] for node in variant["nodes"])
            require(0 < inside < variant["observed"]["cycles"], f"{name}: cycles of nodes")
        require(len(crcs) == 1 and model["identical"], f"{name}: {crcs}")
        modes = {variant["mode"] for variant in model["variants"]}
        require(modes == {"xip", "copy"}, f"{name}: modes {modes}")


def image_of(tool, name, core, chip, variant):
    """Returns what `n6vp install`, whose loader runs on the host, writes for that variant."""
    words = tool.model(name, core) + ["--chip", chip, "--mode", variant["mode"], "--at",
                                      variant["file"]["address"]]
    if variant["weights"]["bytes"] != 0:
        words += ["--params-at", variant["weights"]["address"]]
    image = variant["install"]["image"]
    with tempfile.TemporaryDirectory() as folder:
        tool.text("install", *words, "--exec", f"{image['address']}:{image['bytes']}", "--dump",
                  folder)
        data = bytearray((pathlib.Path(folder) / "ram.bin").read_bytes())
    if variant["heap"]:
        # The context names the heap block, which `n6vp install` does not have.
        header = struct.unpack_from("<25I", pathlib.Path(words[0]).read_bytes())
        context, ram_bytes = header[24] & 0x0FFFFFFF, (header[6] & 0x0FFFFFFF) + 3 & ~3
        at = len(data) - ram_bytes + context + 0x10
        require(data[at:at + 4] == bytes(4), f"{name}: a heap block of the host")
        struct.pack_into("<I", data, at, int(image["address"], 16))
    return data


def images(name, tool, chip, core):
    """The image that the firmware installs is that of the host's loader, byte by byte, at all
    addresses."""
    ram = "0x24004000" if chip.startswith("stm32h7") else "0x20018000"
    places = [["--mode", "all"],
              ["--exec", f"{ram}:16384"],
              ["--mode", "copy", "--exec", f"{int(ram, 16) + 0x1004:#x}:16384"],
              ["--at", "0x08020100", "--mode", "copy"],
              ["--at", "0x08030004"],
              ["--exec", "heap"],
              ["--exec", "heap", "--mode", "copy"]]
    # One sample at all of them; the others, in all modes, at two.
    for words in places if name == "dense" else places[:2]:
        dump = tool.work / f"dump_{name}"
        shutil.rmtree(dump, ignore_errors=True)
        run = tool.document("run", *tool.model(name, core), "--chip", chip, "--dump", dump,
                            *words)["model"]
        require(len(list(dump.iterdir())) == len(run["variants"]), f"{name} {words}: files of dump")
        for number, variant in enumerate(run["variants"]):
            image = variant["install"]["image"]
            data = image_of(tool, name, core, chip, variant)
            found = (dump / f"image_{number}.bin").read_bytes()
            require(len(data) == image["bytes"], f"{name} {words}: {len(data)} bytes")
            at = [i for i, (one, other) in enumerate(zip(data, found)) if one != other]
            require(len(found) == len(data) and not at,
                    f"{name} {words}: {variant['title']}: {len(data)} bytes of the host, "
                    f"{len(found)} of the chip, different from offset {at[:1]}")
            require(f"0x{zlib.crc32(found):08x}" == image["crc"], f"{name} {words}: CRC of report")
            heap = variant["heap_bytes"]
            require((heap != 0) == ("heap" in words), f"{name} {words}: heap {heap}")


def reports(tool, chip, core):
    """Text and JSON say the same, twice."""
    def document(words):
        result = tool.document(*words)
        result.pop("host_seconds", None)
        return result

    words = ["run", *tool.model("dense", core), "--chip", chip, "--mode", "copy", "--input",
             "random", "--seed", "5"]
    first = document(words)
    require(first == document(words), "two runs differ")
    other = document(words[:-1] + ["6"])
    require(first["model"]["inputs"] != other["model"]["inputs"], "--seed has no effect")
    text = tool.text(*words)
    variant = first["model"]["variants"][0]
    hz = first["model"]["clock_hz"]

    def shown(pattern):
        found = re.search(pattern, text)
        require(found is not None, f"no {pattern} in\n{text}")
        return found.groups()

    ms, cycles, crc = shown(r"inference 1: ([0-9.]+) ms, (\d+) cycles, outputs (0x\w+)")
    inference = variant["inferences"][0]
    require((int(cycles), crc) == (inference["cycles"], inference["output_crc"]), "inference")
    require(ms == f"{inference['cycles'] * 1e3 / hz:.3f}", f"{ms} ms at {hz} Hz")
    require(int(shown(r"install +[0-9.]+ +(\d+)")[0]) == variant["install"]["cycles"], "install")
    for phase in variant["install"]["phases"]:
        if phase["cycles"] == 0:
            continue
        found = shown(rf"  {phase['name']} +[0-9.]+ +(\d+) *(\d*)\n")
        require(int(found[0]) == phase["cycles"], phase["name"])
        require(int(found[1] or 0) == phase["bytes"], phase["name"])
    total = sum(phase["cycles"] for phase in variant["install"]["phases"])
    require(0 <= variant["install"]["cycles"] - total < 200, f"phases take {total} cycles")
    stack = shown(r"stack (\d+) bytes in an inference, (\d+) in create and init; heap (\d+)")
    require([int(each) for each in stack] ==
            [variant["stack_bytes"]["inference"], variant["stack_bytes"]["set_up"],
             variant["heap_bytes"]], f"memory {stack}")
    for node in variant["nodes"]:
        shown(rf" +{node['c_idx']} +{node['id']}  {node['type']} .* {node['core_cycles']}  \[")
    require(f"{variant['cycles_per_macc']:.2f} cycles per multiply-accumulate" in text, "ratio")
    file = pathlib.Path(tool.model("dense", core)[0])
    places(text, variant, file)
    heap = [*words[:-2], "--exec", "heap", "--external", "0x90000000:64K", "--at", "0x90000000"]
    places(tool.text(*heap), document(heap)["model"]["variants"][0], file)


def repetition(tool, chip, core):
    """Ten inferences are shown, of more the range of all; the stack figure is that of one. Modes are
    compared line by line."""
    words = ["run", *tool.model("dense", core), "--chip", chip]
    hz, stacks = 0, set()
    for count in (1, 10, 11):
        model = tool.document(*words, "--repeat", count)["model"]
        hz, variant = model["clock_hz"], model["variants"][0]
        text = tool.text(*words, "--repeat", count)
        cycles = [one["cycles"] for one in variant["inferences"]]
        require(len(cycles) == count, f"{len(cycles)} inferences of {count}")
        rows = re.findall(r"^inference (\d+): [0-9.]+ ms, (\d+) cycles", text, re.MULTILINE)
        wanted = [(str(i + 1), str(each)) for i, each in enumerate(cycles[:10])]
        require(rows == wanted, f"--repeat {count}: {rows}, not {wanted}")
        all_of_them = re.findall(r"^all .*$", text, re.MULTILINE)
        least, most = (f"{each * 1e3 / hz:.3f}" for each in (min(cycles), max(cycles)))
        require(all_of_them == ([f"all {count} of them: {least} to {most} ms"] if count > 10 else []),
                f"--repeat {count}: {all_of_them}")
        ratio = cycles[-1] / model["macc"]
        require(f"{ratio:.2f} cycles per multiply-accumulate ({model['macc']})" in text, "ratio")
        stacks.add(variant["stack_bytes"]["inference"])
        require(0 < variant["stack_bytes"]["inference"] < 0x4000, f"stack {stacks}")
    require(len(stacks) == 1, f"stack of one inference: {stacks}")

    document = tool.document(*words, "--mode", "all")
    variants = document["model"]["variants"]
    text = tool.text(*words, "--mode", "all")
    headings(text, document)
    for variant, part in zip(variants, text.split("\nmemory  ")[1:]):
        node_table(part, variant, hz)
    table = text[text.index("\nmode "):]
    for variant in variants:
        cycles = variant["inferences"][-1]["cycles"]
        install = variant["install"]["cycles"] * 1e3 / hz
        ram = variant["ram"]["bytes"] + variant["activations"]["bytes"]
        row = [f"{install:.3f}", f"{cycles * 1e3 / hz:.3f}", "ms", str(cycles),
               f"{variant['cycles_per_macc']:.2f}", str(ram)]
        found = [line.split() for line in table.splitlines() if line.startswith(variant["title"])]
        require([each[-6:] for each in found] == [row], f"{variant['title']}: {found}, not {row}")


def headings(text, document):
    """Chip and clock once, the model once, then a heading for each variant."""
    model = document["model"]
    first = text.splitlines()[0]
    wanted = (f"{model['file']}: {document['chip'].upper()}, {model['core']}, "
              f"{model['clock_hz'] / 1e6:.3f} MHz, {model['wait_states']} wait states, approx timing, ")
    require(first.startswith(wanted), f"{first}, not {wanted}")
    found = re.findall(r"^model (\S+), tools (\S+), runtime (\S+): (\d+) multiply-accumulates, "
                       r"(\d+) nodes$", text, re.MULTILINE)
    wanted = [(model["name"], model["tools"], model["runtime"], str(model["macc"]),
               str(model["node_count"]))]
    require(found == wanted, f"{found}, not {wanted}")
    found = re.findall(r"^(.+)\nmemory +address +bytes$", text, re.MULTILINE)
    require(found == [each["title"] for each in model["variants"]], f"headings {found}")


def node_table(text, variant, hz):
    """Of each node its own time, its share and the share up to it; the last row has the sums."""
    nodes = variant["nodes"]
    core, pre = (sum(each[key] for each in nodes) for key in ("core_cycles", "pre_cycles"))
    wanted, done = [], 0
    for number, node in enumerate(nodes):
        cycles = node["core_cycles"]
        done += cycles
        wanted.append([str(node["c_idx"]), str(node["id"]), str(node["type"]),
                       f"{cycles * 1e3 / hz:.3f}", f"{100 * cycles / core:.1f}",
                       f"{100 * done / core:.1f}", str(cycles), "[", str(node["pre_cycles"]),
                       str(cycles), "0", "]", "node", str(number)])
    wanted.append(["total", f"{core * 1e3 / hz:.3f}", str(core), "[", str(pre), str(core), "0", "]"])
    rows = text[text.index("  name\n"):text.index("type: the model's")].splitlines()[1:]
    found = [row.split() for row in rows]
    require(found == wanted, f"{found}, not {wanted}")
    require(f"Of an inference of {variant['observed']['cycles']} cycles with an observer." in text,
            "the inference with an observer")


def places(text, variant, file):
    """Each line has address, bytes and memory of what the JSON names; nothing is left out."""
    rows = [("model", variant["file"]), ("weights", variant["weights"]),
            ("RAM, from the heap" if variant["heap"] else "RAM", variant["ram"]),
            ("activations", variant["activations"])]
    for name, place in rows:
        found = re.findall(rf"^{name} +(0x\w{{8}}) +(\d+)  (\w+)$", text, re.MULTILINE)
        wanted = (place["address"], str(place["bytes"]), place["memory"])
        require(found == ([wanted] if place["bytes"] else []), f"{name}: {found}, not {wanted}")
    require(variant["file"]["bytes"] == file.stat().st_size, "bytes of the model")


def external(tool, chip, core):
    """XIP from the board's memory: the outputs of the flash, the image of the host's loader, later by
    the start of each access and by each byte."""
    board = "0x90000000:64K"
    inputs, words = tool.write_inputs("dense", 3)
    wanted = SAMPLES["dense"][0](inputs)
    folder, dump = tool.work / "out_external", tool.work / "dump_external"
    for each in (folder, dump):
        shutil.rmtree(each, ignore_errors=True)
    command = ["run", *tool.model("dense", core), "--chip", chip, "--external", board, *words]
    model = tool.document(*command, "--mode", "all", "-o", folder, "--dump", dump)["model"]
    for number, data in enumerate(wanted):
        require(same("dense", npy(folder / f"output_{number}.npy"), data), f"output {number}")
    places = [(variant["mode"], variant["file"]["address"]) for variant in model["variants"]]
    flash = places[0][1]
    require(places[:3] == [("xip", flash), ("xip", "0x90000000"), ("copy", flash)], f"{places}")
    require(model["identical"], "outputs differ between the memories")
    data = image_of(tool, "dense", core, chip, model["variants"][1])
    require((dump / "image_1.bin").read_bytes() == data, "image of the external memory")
    cycles = [variant["inferences"][0]["cycles"] for variant in model["variants"]]
    require(cycles[1] > cycles[0], f"external memory is as quick as flash: {cycles}")

    def run(start, byte):
        document = tool.document(*command, "--at", "0x90000000", "--set",
                                 f"external.access_cycles={start}", "--set",
                                 f"external.byte_cycles={byte}")
        row, = document["external_memory"]
        shown = row["address"], row["access_cycles"]["value"], row["byte_cycles"]["value"]
        require(shown == ("0x90000000", start, byte), f"{shown}")
        return document["model"]["variants"][0]["inferences"][0]["cycles"]

    base, start, byte, both = run(10, 2), run(20, 2), run(10, 4), run(20, 4)
    require(base < start and base < byte, f"{base} {start} {byte}")
    if core != "cortex-m7":  # no cache: whole accesses, one after the other
        # To one cycle each: time is kept in picoseconds.
        require(abs((start - base) % 10) <= 1 and abs(both - start - byte + base) <= 2,
                f"{base} {start} {byte} {both}")
    text = tool.text(*command, "--mode", "xip")
    require("start of an access 40 (assumed), a byte 4 (assumed)" in text, text)


def refusals(tool, chip, core):
    """Each names cause and remedy, and leaves no outputs behind."""
    other = "cortex-m4" if core != "cortex-m4" else "cortex-m33"
    model = ["run", *tool.model("dense", core), "--chip", chip]
    alone = ["run", tool.models / "conv" / core / "network_rel.bin", "--chip", chip]
    short = tool.work / "short.bin"
    short.write_bytes(bytes(20))
    folder = tool.work / "refused"
    shutil.rmtree(folder, ignore_errors=True)
    rows = [
        (["run", *tool.model("dense", other), "--chip", chip], 6, "legacy-cpu-part",
         f"--core {other}"),
        (["run", *tool.model("dense", core)], 2, f"is a model of the {core.title()}", chip),
        (alone, 6, "its weights are missing, 88 bytes", "--params network_data.bin"),
        ([*alone, "--params", short], 6, "legacy-weights-given-too-short", "network_data.bin"),
        ([*model, "--exec", "0x20010000:64"], 6, "legacy-ram-too-small", "--exec 0x20010000:"),
        ([*model, "--ext", "0x20010000:16"], 6, "legacy-activations-too-small", "act_size"),
        ([*model, "--at", "0x90000000"], 2, "has no external memory at 0x90000000",
         "--external ADDR:SIZE"),
        ([*model, "--external", "0x20000000:4K"], 2, "not an address of external memory",
         "0x60000000"),
        ([*model, "--external", "0x90000000:2K", "--at", "0x90000400"], 2,
         "has no external memory at 0x90000800", "--external ADDR:SIZE"),
        ([*model, "--mode", "all", "--external",
          ",".join(f"{at:#x}:64K" for at in range(0x90000000, 0x96000000, 0x1000000))], 2,
         "more external memories", "at most 4"),
        ([*model, "--exec", "0x08040000:4K"], 2, "has flash at 0x08040000", "--exec"),
        ([*model, "--exec", "0x20000000:4K"], 2, "the firmware is there", "--exec"),
        ([*model, "--mode", "both"], 2, "--mode 'both'", "xip, copy or all"),
        ([*model, "--mode", "all", "--exec", "heap"], 2, "--mode all with", "one mode at a time"),
        ([*model, "--clock", "7MHz"], 2, "does not run at 7000000 Hz", "PLL"),
        ([*model, "--clear"], 2, "--clear and chip", "leave it out"),
        ([*model, "--overlay"], 2, "--overlay and chip", "leave it out"),
        ([*model, "--policy", "compat"], 2, "--policy and chip", "leave it out"),
        ([*model, "--clocks", "400"], 2, "--clocks and chip", "leave it out"),
        ([*model, "--boot", "reset"], 2, "--boot and a model", "built-in firmware"),
        ([*model, "-i", short], 2, "20 bytes", "short.bin"),
        ([*model, "--dump", tool.work], 2, "the folder is not empty", "empty or new folder"),
    ]
    for words, code, cause, remedy in rows:
        found, out, err = tool.call(*words, "-o", folder)
        shown = " ".join(map(str, words)) + f": {found}\n{out}{err}"
        require(found == code, shown)
        require(cause in out + err and remedy in out + err, shown)
        require(not folder.exists() or not list(folder.iterdir()), f"{shown}: outputs are left")
        if cause == "legacy-ram-too-small":  # what is proposed is enough, and not a word more
            size = int(re.search(r"--exec 0x20010000:(\d+)", out + err)[1])
            for given, end in ((size, 0), (size - 4, 6)):
                require(tool.call(*model, "--exec", f"0x20010000:{given}")[0] == end, shown)


CASES = {"outputs": outputs, "reports": reports, "repetition": repetition, "external": external,
         "refusals": refusals}
for sample in SAMPLES:
    CASES[f"images_{sample}"] = functools.partial(images, sample)


def main(case, chip, core, program, models, work):
    try:
        CASES[case](Tool(program, models, work), chip, core)
    except Failure as failure:
        print(failure)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

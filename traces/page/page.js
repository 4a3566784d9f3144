// SPDX-License-Identifier: Apache-2.0
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.querySelector("main");

  // Text ------------------------------------------------------------------------------------------

  // Everything goes in as text, never as markup: names come from programs and models.
  function make(tag, name, text) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  }
  function put(parent, ...children) {
    for (const child of children) parent.appendChild(child);
    return parent;
  }
  function digits(value, count) {
    return value.toLocaleString("en", { minimumFractionDigits: count, maximumFractionDigits: count });
  }
  function duration(ns) {
    const steps = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"]];
    for (const [unit, name] of steps) {
      if (ns >= unit) return digits(ns / unit, ns / unit >= 100 ? 1 : ns / unit >= 10 ? 2 : 3) + "\u00a0" + name;
    }
    return digits(ns, 0) + "\u00a0ns";
  }
  function size(bytes) {
    const steps = [[1 << 30, "GiB"], [1 << 20, "MiB"], [1 << 10, "KiB"]];
    for (const [unit, name] of steps) {
      if (bytes >= unit) return digits(bytes / unit, bytes / unit >= 100 ? 0 : 1) + "\u00a0" + name;
    }
    return digits(bytes, 0) + "\u00a0B";
  }
  function percent(share) {
    return digits(100 * share, share !== 0 && share < 0.1 ? 1 : 0) + "\u00a0%";
  }
  const causes = new Map(data.causes.map((row) => [row.name, row]));
  function cause(name) {
    return causes.has(name) ? "var(" + causes.get(name).color + ")" : "var(--other)";
  }
  function sentence(name) {
    return causes.has(name) ? causes.get(name).sentence : "";
  }
  // What a canvas understands.
  function resolved(color) {
    const name = /^var\((--[a-z0-9-]+)\)$/.exec(color);
    return name ? getComputedStyle(document.documentElement).getPropertyValue(name[1]).trim() : color;
  }
  // Black or white, whichever is easier to read on a color (relative luminance, WCAG 2).
  function ink_on(color) {
    const parts = /^#(..)(..)(..)$/.exec(color);
    if (!parts) return "#000000";
    const [red, green, blue] = parts.slice(1).map((hex) => {
      const part = parseInt(hex, 16) / 255;
      return part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#0b0f16" : "#ffffff";
  }
  function section(title, lead) {
    const box = make("section");
    put(box, make("h2", "", title));
    if (lead) put(box, make("p", "lead", lead));
    put(root, box);
    return box;
  }
  function key(color) {
    const mark = make("i", "key");
    mark.style.background = color;
    return mark;
  }
  function stack(parts) {
    const bar = make("div", "stack");
    for (const part of parts) {
      const piece = make("i");
      piece.style.width = 100 * part.share + "%";
      piece.style.background = part.color;
      piece.title = part.text;
      put(bar, piece);
    }
    return bar;
  }

  const tip = put(document.body, make("div", "tip")).lastChild;
  function show(text, x, y) {
    tip.textContent = text;
    tip.style.display = text ? "block" : "none";
    if (!text) return;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - box.width - 4)) + "px";
    tip.style.top = Math.max(4, Math.min(y + 14, innerHeight - box.height - 4)) + "px";
  }

  // Head ------------------------------------------------------------------------------------------

  function head() {
    const header = make("header");
    put(header, make("div", "brand", "n6vp \u00b7 simulated STM32N6"), make("h1", "", data.title),
      make("div", "sub", data.subtitle));
    put(root, header);
    assumptions();
    const tiles = make("div", "tiles");
    for (const fact of data.facts) {
      put(tiles, put(make("div", "tile"), make("span", "", fact.label), make("b", "", fact.value),
        make("span", "", fact.note)));
    }
    put(root, tiles);
  }

  function assumptions() {
    if (!data.assumptions.length) return;
    const box = section("Results rest on assumptions",
      "The NPU computed something that is not known for certain. Outputs may differ from those of the chip. " +
      "--strict ends the run at the first of these.");
    box.className = "assumed";
    const list = make("ul", "events");
    for (const text of data.assumptions) put(list, make("li", "", text));
    put(box, list);
  }

  // What bounds it --------------------------------------------------------------------------------

  function bound() {
    const sums = new Map();
    let total = 0;
    for (const epoch of data.epochs) {
      const time = epoch.end - epoch.start;
      total += time;
      for (const part of epoch.bound) sums.set(part[0], (sums.get(part[0]) || 0) + part[1] * time);
    }
    if (!total || !sums.size) return;
    const parts = [...sums].map(([name, time]) => ({ name, share: time / total, time }))
      .sort((one, other) => other.share - one.share);
    const most = parts[0];
    const box = section("What bounds the NPU",
      "Of " + duration(total) + " in " + data.epochs.length + " epochs, " + percent(most.share) +
      " went to " + most.name + (sentence(most.name) ? ": " + sentence(most.name) : "") +
      ". Shares refer to the critical path, not to the load of each unit.");
    put(box, stack(parts.map((part) => ({
      share: part.share, color: cause(part.name), text: part.name + " " + percent(part.share),
    }))));
    const legend = make("div", "legend");
    for (const part of parts) {
      if (part.share < 0.0005) continue;
      const entry = make("span");
      put(entry, key(cause(part.name)),
        document.createTextNode(part.name + "  " + percent(part.share) + "  " + duration(part.time)));
      entry.title = sentence(part.name);
      put(legend, entry);
    }
    put(box, legend);
  }

  // Timeline --------------------------------------------------------------------------------------

  const kRow = 19, kCurve = 42, kGap = 5, kAxis = 22;

  function lanes() {
    const all = [];
    const depth = data.phases.reduce((most, phase) => Math.max(most, phase.depth), 0);
    for (let level = 0; level <= depth; ++level) {
      const rows = data.phases.filter((phase) => phase.depth === level);
      all.push({
        name: level === 0 ? "phases" : "",
        slices: rows.map((phase) => ({
          from: phase.start, to: phase.end, label: phase.name, color: "var(--p" + Math.min(level, 3) + ")",
          text: phase.name + "\n" + duration(phase.end - phase.start) + ", " + digits(phase.cycles, 0) + " cycles",
        })),
      });
    }
    all.push({
      name: "epochs",
      slices: data.epochs.map((epoch) => ({
        from: epoch.start, to: epoch.end, label: epoch.name,
        color: epoch.bound.length ? cause(epoch.bound[0][0]) : "var(--other)", text: epoch_text(epoch),
      })),
    });
    for (const lane of data.lanes) {
      all.push({
        name: lane.name,
        slices: lane.slices.map((slice) => ({
          from: slice[0], to: slice[1], label: "", color: "var(--" + lane.color + ")",
          text: lane.name + ": " + lane.names[slice[2]] + "\n" + duration(slice[1] - slice[0]),
        })),
      });
    }
    for (const curve of data.curves) all.push({ name: curve.name, curve: curve });
    return all.filter((lane) => lane.curve || lane.slices.length);
  }

  function epoch_text(epoch) {
    const parts = epoch.bound.slice(0, 4).map((part) => part[0] + " " + percent(part[1]));
    return epoch.name + (epoch.phase ? " (" + epoch.phase + ")" : "") + "\n" +
      duration(epoch.end - epoch.start) + ", " + digits(epoch.cycles, 0) + " NPU cycles\n" +
      (parts.length ? parts.join(", ") : "not ended") + "\nengines " + epoch.engines;
  }

  function timeline() {
    const box = section("Timeline", "Drag over a part to enlarge it, double-click for all of it; arrow keys move, + and \u2212 zoom.");
    const list = lanes();
    const view = { from: 0, to: Math.max(1, data.end) };
    const buttons = make("div", "bar-row");
    const go = (from, to) => {
      const least = 20;
      const middle = (from + to) / 2, half = Math.max(to - from, least) / 2;
      view.from = Math.max(0, middle - half);
      view.to = Math.min(Math.max(1, data.end), middle + half);
      draw();
    };
    const button = (text, label, action) => {
      const made = make("button", "", text);
      made.type = "button";
      made.setAttribute("aria-label", label);
      made.addEventListener("click", action);
      put(buttons, made);
    };
    const zoom = (factor) => {
      const middle = (view.from + view.to) / 2, half = (view.to - view.from) / 2 * factor;
      go(middle - half, middle + half);
    };
    button("All", "show everything", () => go(0, data.end));
    button("+", "zoom in", () => zoom(0.5));
    button("\u2212", "zoom out", () => zoom(2));
    const marked = data.phases.filter((phase) => phase.depth === 1 && phase.end - phase.start > data.end / 500);
    for (const phase of marked.slice(0, 8)) {
      button(phase.name, "show " + phase.name, () => {
        const margin = (phase.end - phase.start) / 50;
        go(phase.start - margin, phase.end + margin);
      });
    }
    const canvas = make("canvas");
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "Timeline of phases, epochs, core and buses; the tables below have the same numbers.");
    put(box, buttons, canvas);

    let top = kAxis;
    for (const lane of list) {
      lane.top = top;
      lane.height = lane.curve ? kCurve : kRow;
      top += lane.height + kGap;
    }
    const height = top;
    let width = 0, gutter = 0, selecting = null;
    const x_of = (time) => gutter + (time - view.from) / (view.to - view.from) * (width - gutter);
    const time_of = (x) => view.from + (x - gutter) / (width - gutter) * (view.to - view.from);

    function axis(pen, colors) {
      const span = view.to - view.from, wanted = Math.max(2, Math.floor((width - gutter) / 110));
      let step = Math.pow(10, Math.floor(Math.log10(span / wanted)));
      for (const factor of [2, 2.5, 2]) if (span / step > wanted) step *= factor;
      pen.textAlign = "center";
      for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) {
        const x = x_of(time);
        pen.fillStyle = colors.line;
        pen.fillRect(Math.round(x), kAxis - 5, 1, height - kAxis);
        pen.fillStyle = colors.soft;
        if (x > gutter + 24 && x < width - 26) pen.fillText(duration(time), x, 11);
      }
      pen.textAlign = "left";
    }

    function slices(pen, lane) {
      let painted = -1;
      for (const slice of lane.slices) {
        if (slice.to < view.from || slice.from > view.to) continue;
        const from = Math.max(gutter, x_of(slice.from)), to = Math.min(width, x_of(slice.to));
        // Of many within one pixel the first is enough.
        if (to - from < 0.6 && from < painted) continue;
        painted = Math.max(to, from + 0.8);
        const color = resolved(slice.color);
        pen.fillStyle = color;
        pen.fillRect(from, lane.top, Math.max(0.8, to - from - (to - from > 3 ? 0.7 : 0)), lane.height);
        if (!slice.label || to - from < 34) continue;
        pen.save();
        pen.beginPath();
        pen.rect(from, lane.top, to - from - 3, lane.height);
        pen.clip();
        pen.fillStyle = ink_on(color);
        pen.fillText(slice.label, from + 5, lane.top + lane.height / 2 + 1);
        pen.restore();
      }
    }

    function curve(pen, lane, colors) {
      const bottom = lane.top + lane.height, most = lane.curve.most || 1;
      pen.fillStyle = colors.track;
      pen.fillRect(gutter, lane.top, width - gutter, lane.height);
      pen.fillStyle = resolved("var(--" + lane.curve.color + ")");
      const points = lane.curve.points;
      for (let i = 0; i < points.length; ++i) {
        const from = points[i][0], to = i + 1 < points.length ? points[i + 1][0] : data.end;
        if (to < view.from || from > view.to || points[i][1] === 0) continue;
        const x = Math.max(gutter, x_of(from)), tall = Math.max(1, lane.height * Math.min(1, points[i][1] / most));
        pen.fillRect(x, bottom - tall, Math.max(0.7, Math.min(width, x_of(to)) - x), tall);
      }
      pen.fillStyle = colors.soft;
      pen.fillText(digits(most, most < 10 ? 1 : 0) + " " + lane.curve.unit, gutter + 4, lane.top + 9);
    }

    function draw() {
      width = canvas.clientWidth;
      gutter = width < 560 ? 68 : 128;
      const dots = devicePixelRatio || 1;
      canvas.width = Math.round(width * dots);
      canvas.height = Math.round(height * dots);
      canvas.style.height = height + "px";
      const pen = canvas.getContext("2d");
      const colors = { card: resolved("var(--card)"), soft: resolved("var(--soft)"), line: resolved("var(--line)"), track: resolved("var(--track)"), ink: resolved("var(--ink)") };
      pen.scale(dots, dots);
      pen.font = "11.5px system-ui, sans-serif";
      pen.textBaseline = "middle";
      axis(pen, colors);
      for (const lane of list) {
        if (lane.curve) curve(pen, lane, colors); else slices(pen, lane);
        pen.fillStyle = colors.card;
        pen.fillRect(0, lane.top - 1, gutter - 2, lane.height + 2);
        pen.fillStyle = colors.ink;
        pen.fillText(lane.name, 0, lane.top + lane.height / 2 + 1, gutter - 8);
      }
      if (selecting) {
        pen.globalAlpha = 0.25;
        pen.fillStyle = resolved("var(--accent)");
        pen.fillRect(Math.min(selecting.from, selecting.to), kAxis - 5, Math.abs(selecting.to - selecting.from), height - kAxis);
        pen.globalAlpha = 1;
      }
    }

    function under(x, y) {
      const lane = list.find((one) => y >= one.top && y < one.top + one.height + kGap);
      if (!lane || x < gutter) return "";
      const time = time_of(x), slack = (view.to - view.from) / (width - gutter);
      if (lane.curve) {
        let value = 0;
        for (const point of lane.curve.points) if (point[0] <= time) value = point[1]; else break;
        return lane.name + ": " + digits(value, value < 10 ? 2 : 0) + " " + lane.curve.unit + "\nat " + duration(time);
      }
      const hit = lane.slices.find((one) => one.from - slack <= time && time <= one.to + slack);
      return hit ? hit.text : "";
    }
    const place = (event) => {
      const frame = canvas.getBoundingClientRect();
      return [event.clientX - frame.left, event.clientY - frame.top];
    };
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = place(event);
      if (selecting) {
        selecting.to = Math.max(gutter, Math.min(width, x));
        draw();
      } else {
        show(under(x, y), event.clientX, event.clientY);
      }
    });
    canvas.addEventListener("pointerleave", () => show(""));
    canvas.addEventListener("pointerdown", (event) => {
      const x = Math.max(gutter, place(event)[0]);
      if (event.pointerType === "mouse") selecting = { from: x, to: x };
    });
    addEventListener("pointerup", () => {
      if (!selecting) return;
      const { from, to } = selecting;
      selecting = null;
      if (Math.abs(to - from) > 4) go(time_of(Math.min(from, to)), time_of(Math.max(from, to))); else draw();
    });
    canvas.addEventListener("dblclick", () => go(0, data.end));
    canvas.addEventListener("keydown", (event) => {
      const move = (view.to - view.from) / 5;
      if (event.key === "ArrowLeft") go(view.from - move, view.to - move);
      else if (event.key === "ArrowRight") go(view.from + move, view.to + move);
      else if (event.key === "+") zoom(0.5);
      else if (event.key === "-") zoom(2);
      else return;
      event.preventDefault();
    });
    addEventListener("resize", draw);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    draw();
  }

  // Tables ----------------------------------------------------------------------------------------

  // `columns`: [title, class]; `cells(row)`: a text or an element for each.
  function table(columns, rows, cells) {
    const made = make("table"), line = make("tr");
    for (const [title, name] of columns) put(line, make("th", name, title));
    const body = make("tbody");
    for (const row of rows) {
      const made_row = make("tr");
      cells(row).forEach((cell, i) => {
        const place = make("td", columns[i][1]);
        if (cell instanceof Node) put(place, cell); else place.textContent = cell;
        put(made_row, place);
      });
      put(body, made_row);
    }
    return put(make("div", "scroll"), put(made, put(make("thead"), line), body));
  }

  function phases() {
    const rows = data.phases.filter((phase) => !phase.block);
    if (!rows.length) return;
    const box = section("Phases", "Phases marked by the program, with their time and bus traffic. Waited: stall time summed over all bursts of all masters, overlapping stalls included.");
    put(box, table([["phase", "name"], ["", "bar wide"], ["time", ""], ["cycles", ""], ["instructions", "wide"], ["bytes", ""], ["waited", "wide"]],
      rows, (phase) => {
        const meter = make("div", "meter"), mark = make("i");
        mark.style.left = 100 * phase.start / data.end + "%";
        mark.style.width = 100 * (phase.end - phase.start) / data.end + "%";
        mark.style.background = "var(--p" + Math.min(phase.depth, 2) + ")";
        put(meter, mark);
        const name = make("span", "", phase.name + (phase.ended ? "" : " (not ended)"));
        name.style.paddingLeft = 12 * phase.depth + "px";
        name.style.display = "inline-block";
        return [name, meter, duration(phase.end - phase.start), digits(phase.cycles, 0),
          digits(phase.instructions, 0), size(phase.bytes), phase.waited ? duration(phase.waited) : "\u2013"];
      }));
  }

  function epochs() {
    if (!data.epochs.length) return;
    const box = section("Epochs", "Bar length: duration of the epoch; colours: causes. NPU cycles: first engine start to last output end. MAC use: MACs over the capacity of all four CONVACC in these cycles, padding included. Read and written: by the engines. Cache hits: NPU cache, reads and writes. Waited: stall cycles on the critical path due to contention for banks and ports.");
    const order = make("select");
    order.setAttribute("aria-label", "order of the epochs");
    for (const text of ["longest first", "in the order of the run"]) put(order, make("option", "", text));
    const more = make("button");
    more.type = "button";
    const place = make("div");
    put(box, put(make("div", "bar-row"), order, more), place);
    const longest = data.epochs.reduce((most, epoch) => Math.max(most, epoch.end - epoch.start), 1);
    const kFew = 20;
    let all = false;
    const fill = () => {
      const rows = data.epochs.slice();
      if (order.selectedIndex === 0) rows.sort((one, other) => (other.end - other.start) - (one.end - one.start));
      const shown = all ? rows : rows.slice(0, kFew);
      place.replaceChildren(table([["epoch", "name"], ["", "bar"], ["time", ""], ["NPU cycles", "wide"], ["bound by", "text"],
        ["MAC use", "wide"], ["read", "wide"], ["written", "wide"], ["cache hits", "wide"], ["waited", "wide"], ["engines", "wide text"]],
      shown, (epoch) => {
        const meter = make("div", "meter");
        const bar = stack(epoch.bound.map((part) => ({
          share: part[1], color: cause(part[0]), text: part[0] + " " + percent(part[1]),
        })));
        bar.style.width = 100 * (epoch.end - epoch.start) / longest + "%";
        if (!epoch.bound.length) bar.style.background = "var(--other)";
        put(meter, bar);
        const first = epoch.bound[0], looked = epoch.hits + epoch.misses;
        return [epoch.name, meter, duration(epoch.end - epoch.start), digits(epoch.cycles, 0),
          first ? first[0] + " " + percent(first[1]) : "not ended", epoch.macs ? percent(epoch.use) : "\u2013",
          size(epoch.read), size(epoch.written), looked ? percent(epoch.hits / looked) : "\u2013",
          digits(epoch.waited, 0), epoch.engines];
      }));
      more.style.display = rows.length > kFew ? "" : "none";
      more.textContent = all ? "show fewer" : "show all " + rows.length;
    };
    order.addEventListener("change", fill);
    more.addEventListener("click", () => { all = !all; fill(); });
    fill();
  }

  function memories() {
    if (!data.memories.length) return;
    const box = section("Memory map", "Location of program, model and pools, and traffic of each memory. Percentages: share of the run spent on reads and on writes. Banks of the NPU have separate read and write ports; for other memories the sum of both is the load of the single port.");
    for (const memory of data.memories) {
      const row = make("div", "memory"), line = make("div", "head");
      put(line, put(make("span"), make("b", "", memory.name), document.createTextNode("  " + memory.base + ", " + size(memory.bytes))),
        make("span", "", "read " + size(memory.read) + " in " + percent(memory.reading) + ", written " + size(memory.written) + " in " + percent(memory.writing)));
      const meter = make("div", "meter"), list = make("ul");
      for (const use of memory.uses) {
        const mark = make("i");
        mark.style.left = 100 * use.offset / memory.bytes + "%";
        mark.style.width = 100 * use.bytes / memory.bytes + "%";
        mark.style.background = "var(--u-" + use.kind + ")";
        mark.title = use.what;
        put(meter, mark);
        put(list, put(make("li"), key("var(--u-" + use.kind + ")"), document.createTextNode(use.what + ", " + size(use.bytes))));
      }
      put(row, line, meter);
      if (memory.uses.length) put(row, list);
      put(box, row);
    }
  }

  function traffic() {
    if (!data.flows.length) return;
    const box = section("Who waited for whom", "Traffic of each master with each memory over the whole run, and its stall time summed over all bursts, overlapping stalls included, by the master that held the port.");
    put(box, table([["master", "name"], ["memory", "text"], ["bursts", ""], ["read", "wide"], ["written", "wide"], ["waited", ""], ["because of", "wide text"]],
      data.flows, (flow) => [flow.master, flow.memory, digits(flow.bursts, 0), size(flow.read), size(flow.written),
        flow.waited ? duration(flow.waited) : "\u2013", flow.because]));
  }

  function events() {
    if (!data.events.length) return;
    const box = section("Faults and warnings", "As in the text report, first occurrences first.");
    const list = make("ul", "events");
    for (const text of data.events) put(list, make("li", "", text));
    put(box, list);
  }

  head();
  bound();
  timeline();
  epochs();
  phases();
  memories();
  traffic();
  events();
  put(root, make("footer", "", data.footer));
})();

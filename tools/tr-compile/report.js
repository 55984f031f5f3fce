// SPDX-License-Identifier: Apache-2.0
//
// Draws the page of `tr-compile --html` from the JSON in it. Everything that comes from the model
// goes through textContent. A cell whose value `tr-run inspect --json` has too carries the path of
// it as data-key.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const SVG = 'http://www.w3.org/2000/svg';

// ---- elements

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function titled(made, text) {
  made.append(shape('title', {}, text));
  return made;
}

function grouped(value) { return value.toLocaleString('en-US'); }

function inUnits(bytes) {
  for (const [unit, size] of [['GB', 1e9], ['MB', 1e6], ['kB', 1e3]])
    if (bytes >= size) return (bytes / size).toPrecision(4) + ' ' + unit;
  return bytes + ' B';
}

function section(heading, text) {
  const made = element('section', {}, element('h2', {}, heading));
  if (text) made.append(element('p', { class: 'faint' }, text));
  document.body.append(made);
  return made;
}

// A cell is a text, a number, or {text, key}: what tr-run inspect calls it.
function cell(content) {
  const value = content !== null && typeof content === 'object' ? content.text : content;
  const made = element('td', typeof value === 'number' ? { class: 'number' } : {},
    typeof value === 'number' ? grouped(value) : value === null ? '' : String(value));
  if (value === content || content === null) return made;
  if (!/bytes$/.test(content.key)) {
    made.dataset.key = content.key;
    return made;
  }
  made.replaceChildren(element('span', { 'data-key': content.key }, grouped(value)),
    element('span', { class: 'faint' }, ` ${inUnits(value)}`));
  return made;
}

function table(headings, rows) {
  const made = element('table');
  const kinds = rows.length ? rows[0].map((content) => cell(content).className) : [];
  made.append(element('tr', {}, ...headings.map((heading, i) =>
    element('th', kinds[i] ? { class: kinds[i] } : {}, heading))));
  for (const row of rows) made.append(element('tr', {}, ...row.map(cell)));
  return made;
}

function hue(index, lightness) {
  return index < 0 ? '#c9ced9' : `hsl(${(index * 137.508) % 360} 55% ${lightness}%)`;
}

// The part of a layer that a kernel op works for, where its parameters say.
function partOf(op) { return op[5] || layerPath(op[1]); }

function layerPath(index) { return index < 0 ? '(no layer)' : data.layers[index].path; }

// ---- summary

function drawHead() {
  document.title = 'Renaissance: ' + data.model;
  document.body.append(element('h1', {}, data.model), element('p', { class: 'faint' },
    `${data.producer}, ${data.target.optimizer}, ${data.target.precision}, ${data.target.target}, ` +
    `${data.target.slices} slices, ${data.target.classes} classes`));
  const tiles = element('div', { class: 'tiles' });
  const tile = (label, value, key) => {
    const figure = element('b', key ? { 'data-key': key } : {}, grouped(value));
    const units = /^bytes/.test(label) ? ` (${inUnits(value)})` : '';
    tiles.append(element('div', { class: 'tile' }, figure, label + units));
  };
  tile('parameters', data.parameters, 'parameters');
  tile('FLOPs of one sample', data.summary.reduce((sum, row) => sum + row.flops, 0));
  tile('bytes of arena', data.arena_bytes, 'arena_bytes');
  for (const [name, memory] of schedulesInOrder)
    tile(`bytes of activations at the peak of ${name}`, memory.activation_peak_bytes);
  document.body.append(tiles);
}

function drawLayers() {
  const rows = data.summary.map((row) =>
    [row.path, row.kind, row.input, row.output, row.parameters, row.flops, row.location]);
  section('Layers', 'After normalisation and fusion. FLOPs: multiplications and additions of convolutions ' +
    'and fully connected layers, inference of one sample.').append(
    element('div', { class: 'scroll' },
      table(['layer', 'kind', 'input', 'output', 'parameters', 'FLOPs', 'source'], rows)));
}

function drawFusions() {
  const made = section('Fusions', 'Layers that became one, and those that nearly did.');
  const counts = Object.entries(data.fusions)
    .sort().map(([kind, count]) => [kind, { text: count, key: 'fusions.' + kind }]);
  if (counts.length) made.append(table(['fused layer', 'count'], counts));
  if (!data.decisions.length) {
    made.append(element('p', {}, 'No pass had a chance to merge layers.'));
    return;
  }
  const list = table(['', 'pass', 'source', 'reason'], []);
  for (const decision of data.decisions) {
    const tag = element('span', { class: decision.merged ? 'tag' : 'tag missed' },
      decision.merged ? 'merged' : 'kept');
    list.append(element('tr', {}, element('td', {}, tag), cell(decision.pass),
      cell(decision.location), cell(decision.reason)));
  }
  made.append(element('div', { class: 'scroll' }, list));
}

// ---- memory over time

function drawMemory() {
  const made = section('Memory', 'Each rectangle is a tensor of the pool: alive from left to ' +
    'right, at its place from bottom to top, in the colour of its layer. The dashed line is the bound that no plan can be ' +
    'below. Click a time to see what is alive there; it starts where the bound is.');
  made.append(table(['', 'bytes'], [
    ['arena', data.arena_bytes],
    ['of it persistent', { text: data.memory.persistent_bytes, key: 'memory.persistent_bytes' }]]));
  const key = (name, field) => `memory.schedules.${name}.${field}`;
  made.append(table(['schedule', 'peak', 'lower bound', 'without reuse'],
    schedulesInOrder.map(([name, memory]) => [name].concat(
      ['activation_peak_bytes', 'activation_lower_bound_bytes', 'activation_no_reuse_bytes']
        .map((field) => ({ text: memory[field], key: key(name, field) }))))));
  for (const [name, memory] of schedulesInOrder)
    drawTimeline(made, name, memory);
}

function drawTimeline(parent, name, memory) {
  const width = 1240, height = 360, left = 90, bottom = 24;
  const top = Math.max(memory.activation_peak_bytes, 1), count = memory.nodes.length;
  const x = (node) => left + (node / Math.max(count, 1)) * (width - left);
  const y = (bytes) => (1 - bytes / top) * height;
  const svg = shape('svg', { width, height: height + bottom, 'data-schedule': name });
  for (let i = 0; i <= 4; ++i) {
    const at = (top * i) / 4;
    svg.append(shape('line', { class: 'axis', x1: left, x2: width, y1: y(at), y2: y(at) }),
      shape('text', { class: 'label', x: 0, y: Math.max(y(at), 10) }, inUnits(at)));
  }
  svg.append(shape('text', { class: 'label', x: left, y: height + 16 },
    `${count} kernel ops of one step of ${name}, in order`));
  for (const [id, lower, upper, bytes, offset] of memory.tensors) {
    const tensor = data.tensors[id];
    svg.append(titled(shape('rect', {
      class: 'tensor', x: x(lower), width: Math.max(x(upper) - x(lower), .5),
      y: y(offset + bytes), height: Math.max(y(offset) - y(offset + bytes), .5),
      fill: hue(tensor[1], 68), 'data-row': [id, lower, upper, bytes, offset].join(','),
    }), `${tensor[0]}\n${tensor[2]}, ${grouped(bytes)} bytes at ${grouped(offset)}\n` +
      `kernel ops ${lower} to ${upper - 1}`));
  }
  const bound = memory.activation_lower_bound_bytes;
  svg.append(shape('line', { class: 'bound', x1: left, x2: width, y1: y(bound), y2: y(bound) }));
  const cursor = shape('line', { class: 'cursor', y1: 0, y2: height });
  svg.append(cursor);
  const alive = element('div', { class: 'scroll', 'data-alive': name });
  const show = (node) => {
    cursor.setAttribute('x1', x(node + .5));
    cursor.setAttribute('x2', x(node + .5));
    alive.replaceChildren(...describeAlive(memory, node));
  };
  svg.addEventListener('click', (event) => {
    const at = (event.clientX - svg.getBoundingClientRect().left - left) / (width - left);
    show(Math.max(0, Math.min(count - 1, Math.floor(at * count))));
  });
  show(memory.fullest_node);
  const layers = [...new Set(memory.tensors.map(([id]) => data.tensors[id][1]))];
  const legend = element('p', { class: 'legend' }, ...layers.sort((a, b) => a - b).map((layer) =>
    element('span', { class: 'chip', style: `border-color: ${hue(layer, 68)}` },
      layerPath(layer))));
  parent.append(element('h3', {}, name), element('div', { class: 'chart' }, svg), legend, alive);
}

function describeAlive(memory, node) {
  const byLayer = new Map();
  let total = 0;
  for (const [id, lower, upper, bytes] of memory.tensors) {
    if (node < lower || node >= upper) continue;
    const [name, layer] = data.tensors[id];
    const entry = byLayer.get(layer) || { bytes: 0, names: [] };
    entry.bytes += bytes;
    entry.names.push(name);
    byLayer.set(layer, entry);
    total += bytes;
  }
  const rows = [...byLayer].sort((a, b) => b[1].bytes - a[1].bytes)
    .map(([layer, entry]) => [layerPath(layer), entry.bytes, entry.names.join(', ')]);
  const op = data.ops[memory.nodes[node]];
  const where = op ? `at kernel op ${node}, ${op[0]} of ${partOf(op)}` : '';
  return [element('p', {}, `Alive ${where}: ${grouped(total)} bytes`),
    table(['layer', 'bytes', 'tensors'], rows)];
}

// ---- steps

function drawSteps() {
  const made = section('Steps', 'A step as kernel ops by stream; an op stands to the right of ' +
    'everything that it waits for. Click one to see its edges: blue from what it waits for, ' +
    'red to what waits for it.');
  made.append(table(['schedule', 'graph', 'kernel ops', 'edges'], data.schedules.map((s) => [
    s.name, s.graph, { text: s.nodes.length, key: `schedules.${s.name}.${s.graph}.nodes` },
    { text: s.edges.length, key: `schedules.${s.name}.${s.graph}.edges` }])));
  made.append(element('details', {}, element('summary', {}, 'kernel ops by kind'), kernelTable()));
  const choice = element('select', {}, ...data.schedules.map((s, i) =>
    element('option', { value: i }, `${s.name} of graph ${s.graph}`)));
  const zoom = element('input', { type: 'range', min: 4, max: 150, value: 4 });
  const chart = element('div', { class: 'chart', id: 'steps' });
  const said = element('p', { class: 'mono' }, ''), legend = element('p');
  const draw = () => {
    const schedule = data.schedules[choice.value];
    if (!schedule) return;
    chart.replaceChildren(drawDag(schedule, Number(zoom.value), said));
    legend.replaceChildren(...describeColours(schedule));
  };
  const fit = () => {
    const schedule = data.schedules[choice.value];
    if (schedule)
      zoom.value = Math.max(4, Math.min(150, 1200 / (Math.max(...levelsOf(schedule)) + 1)));
    draw();
  };
  choice.addEventListener('change', fit);
  zoom.addEventListener('input', draw);
  made.append(element('label', {}, 'schedule ', choice), element('label', {}, 'zoom ', zoom),
    said, chart, legend);
  fit();
}

function describeColours(schedule) {
  const subgraphs = [...new Set(schedule.nodes.map((op) => data.ops[op][3]))];
  return subgraphs.map((id) => element('span',
    { class: 'chip', style: `border-color: ${hue(id, 62)}` }, data.subgraphs[id].name));
}

// How often each kernel runs in a step of training and of inference.
function kernelTable() {
  const wanted = ['train_a', 'infer_a'], counts = new Map();
  for (const schedule of data.schedules)
    if (schedule.graph === 0 && wanted.includes(schedule.name))
      for (const op of schedule.nodes) {
        const kernel = data.ops[op][0], row = counts.get(kernel) || [0, 0];
        ++row[wanted.indexOf(schedule.name)];
        counts.set(kernel, row);
      }
  return table(['kernel', ...wanted], [...counts].sort().map(([kernel, row]) => [kernel, ...row]));
}

// Of each node the longest way to it; nodes are in a topological order.
function levelsOf(schedule) {
  const levels = schedule.nodes.map(() => 0), edges = schedule.edges.slice();
  edges.sort((a, b) => a[0] - b[0]);
  for (const [from, to] of edges) levels[to] = Math.max(levels[to], levels[from] + 1);
  return levels;
}

// Nodes of one stream and level stand below each other; a lane is as high as its fullest level.
function placeNodes(schedule) {
  const levels = levelsOf(schedule), filled = data.streams.map(() => new Map());
  const places = schedule.nodes.map((op, node) => {
    const stream = data.ops[op][2], row = filled[stream].get(levels[node]) || 0;
    filled[stream].set(levels[node], row + 1);
    return { level: levels[node], stream, row };
  });
  const heights = filled.map((lane) => Math.max(1, ...lane.values()));
  return { places, heights, depth: Math.max(0, ...levels) + 1 };
}

function drawDag(schedule, step, said) {
  const { places, heights, depth } = placeNodes(schedule);
  const left = 80, rowHeight = step < 60 ? 12 : 20, gap = 16;
  const tops = heights.map((_, i) =>
    heights.slice(0, i).reduce((sum, rows) => sum + rows * rowHeight + gap, gap));
  const height = tops[2] + heights[2] * rowHeight + gap, width = left + depth * step + 20;
  const svg = shape('svg', { width, height, 'data-schedule': schedule.name });
  data.streams.forEach((name, i) => svg.append(
    shape('text', { class: 'label', x: 4, y: tops[i] + rowHeight - 3 }, name),
    shape('line', { class: 'axis', x1: 0, x2: width, y1: tops[i] - gap / 2, y2: tops[i] - gap / 2 })));
  const box = ({ level, stream, row }) => ({ x: left + level * step,
    y: tops[stream] + row * rowHeight, width: Math.max(step * .8, 3), height: rowHeight - 3 });
  const boxes = places.map(box);
  const lines = schedule.edges.map(([from, to]) => {
    const a = boxes[from], b = boxes[to], middle = (a.x + a.width + b.x) / 2;
    const ya = a.y + a.height / 2, yb = b.y + b.height / 2;
    const line = shape('path', { class: 'edge',
      d: `M${a.x + a.width} ${ya}C${middle} ${ya} ${middle} ${yb} ${b.x} ${yb}` });
    svg.append(line);
    return line;
  });
  const choose = (node) => {
    schedule.edges.forEach(([from, to], i) => lines[i].setAttribute('class',
      to === node ? 'edge into' : from === node ? 'edge outof' : 'edge'));
    svg.querySelectorAll('.chosen').forEach((old) => old.classList.remove('chosen'));
    svg.querySelector(`[data-node="${node}"]`).classList.add('chosen');
    said.textContent = describeNode(schedule, node).replaceAll('\n', ', ');
  };
  boxes.forEach((place, node) => drawNode(svg, schedule, node, place, () => choose(node)));
  return svg;
}

function drawNode(svg, schedule, node, place, choose) {
  const [kernel, , , subgraph] = data.ops[schedule.nodes[node]];
  const rect = titled(shape('rect',
    { ...place, class: 'node', fill: hue(subgraph, 62), 'data-node': node }),
  describeNode(schedule, node));
  rect.addEventListener('click', choose);
  svg.append(rect);
  if (place.width > 60)
    svg.append(shape('text', { x: place.x + 3, y: place.y + place.height - 5,
      'pointer-events': 'none' }, kernel.slice(0, Math.floor(place.width / 7))));
}

function describeNode(schedule, node) {
  const op = data.ops[schedule.nodes[node]], [kernel, , stream, subgraph, algorithm] = op;
  return `kernel op ${node}: ${kernel}${algorithm ? ' by ' + algorithm : ''}\n` +
    `layer ${partOf(op)}\nsubgraph ${data.subgraphs[subgraph].name}\n` +
    `stream ${data.streams[stream]}`;
}

// ---- the rest of the plan

function drawVariants() {
  section('Variants', 'Each is a batch and resolution that the plan was made for.').append(table(
    ['variant', 'mode', 'batch', 'height', 'width', 'channels', 'shares graphs and captures'],
    data.variants.map((v) => [v.name, v.training ? 'training' : 'inference',
      { text: v.batch, key: `variants.${v.name}.batch` }, v.resolution[0], v.resolution[1],
      { text: v.channels, key: `variants.${v.name}.channels` },
      v.shares_with ? `with ${v.shares_with}: equal batch and resolution` : ''])));
}

function drawSubgraphs() {
  const rows = data.subgraphs.map((s, id) => [id, s.name,
    { text: s.nodes, key: `subgraphs.${id}.nodes` }, { text: s.reason, key: `subgraphs.${id}.reason` }]);
  const listing = (wanted) => table(['id', 'subgraph', 'kernel ops', ''],
    rows.filter((row) => (row[2].text > 0) === wanted));
  section('Subgraphs', 'Kernel ops that run as one unit.').append(listing(true),
    element('details', {}, element('summary', {}, 'empty ones, and why'), listing(false)));
}

function drawRegions() {
  section('Regions', 'Places in the arena. The pooled ones are one place over time.').append(table(
    ['region', 'offset', 'bytes', ''], data.regions.map((r) => [r.name,
      { text: r.offset, key: `regions.${r.name}.offset` },
      { text: r.bytes, key: `regions.${r.name}.bytes` }, r.pooled ? 'pooled' : ''])));
}

// JSON has no order of keys.
const schedulesInOrder = ['train', 'infer'].filter((name) => data.memory.schedules[name])
  .map((name) => [name, data.memory.schedules[name]]);
drawHead();
drawLayers();
drawFusions();
drawMemory();
drawSteps();
drawVariants();
drawSubgraphs();
drawRegions();

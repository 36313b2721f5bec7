'use strict';
// Draws the weights that lie in the page; see tools/inspect/attention_page.hpp for their form.
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const at = id => document.getElementById(id);
// A memory network, which attends to the sentences of a story in hops, has questions.
const hasQuestions = data.lines[0].question !== undefined, unit = hasQuestions ? 'hop' : 'layer';
const kinds = {
  encoder: {title: 'Encoder self-attention', layers: data.encoder_layers, heads: data.heads, from: 'source', to: 'source'},
  decoder: {title: 'Decoder self-attention', layers: data.lines[0].decoder ? data.decoder_layers : 0, heads: data.decoder_heads, from: 'written next', to: 'written so far'},
  cross: {title: 'Decoder to encoder', layers: data.decoder_layers, heads: data.decoder_heads, from: 'written next', to: 'source'},
};
if (hasQuestions) Object.assign(kinds.cross, {title: 'Question to memories', from: 'answer', to: 'memories'});
// A recurrent network has only the attention between decoder and encoder.
for (const kind of Object.keys(kinds)) if (kinds[kind].layers === 0) delete kinds[kind];
const first = kinds.cross ? 'cross' : 'encoder';  // BERT has no decoder
const state = {sentence: 0, kind: first, layer: kinds[first].layers - 1, heads: new Set(range(kinds[first].heads))};
let pinned = null;  // the word that stays singled out: {side: 'from' or 'to', index}

function range(n) { return Array.from({length: n}, (_, i) => i); }

// ---- Weights: two characters each, twelve bits.
const digitOf = new Uint8Array(128);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((c, i) => digitOf[c.charCodeAt(0)] = i);

function sentence() { return data.lines[state.sentence]; }
// The encoder may have another number of heads than the decoder.
function headCount() { return kinds[state.kind].heads; }
function tokens(side) {
  const {source, target} = sentence();
  if (state.kind === 'encoder' || (state.kind === 'cross' && side === 'to')) return source;
  // A row of the decoder writes a token, and sees those before it.
  return side === 'from' ? target : ['(start)', ...target.slice(0, -1)];
}
function weight(layer, head, row, column) {
  const rows = tokens('from').length, columns = tokens('to').length;
  const causal = state.kind === 'decoder', heads = headCount();
  if (causal && column > row) return 0;
  const place = causal ? (layer * heads + head) * rows * (rows + 1) / 2 + row * (row + 1) / 2 + column
                       : ((layer * heads + head) * rows + row) * columns + column;
  const text = sentence()[state.kind];
  return (digitOf[text.charCodeAt(2 * place)] * 64 + digitOf[text.charCodeAt(2 * place + 1)]) / 4095;
}
function mean(row, column) {
  let sum = 0;
  for (const head of state.heads) sum += weight(state.layer, head, row, column);
  return sum / state.heads.size;
}
// Square roots, so that a weight of one in fifty can be seen.
function shade(w) { return Math.sqrt(w); }
function percent(w) { return w >= 0.0995 ? Math.round(100 * w) + ' %' : (100 * w).toFixed(1) + ' %'; }
// Eight colors that color-blind readers can distinguish; of more heads, hues.
function headColor(head) {
  return headCount() <= 8 ? `var(--head-${head})` : `hsl(${Math.round(360 * head / headCount() + 215) % 360} 60% var(--lightness))`;
}
function heatColor() { return getComputedStyle(document.documentElement).getPropertyValue('--heat'); }
// Sentences, which are the labels of memories, may be longer than words.
function shown(token) {
  const most = token.includes(' ') ? 48 : 18;
  return token.length > most ? token.slice(0, most - 1) + '…' : token;
}
function isMarked(token) { return token.length > 1 && token.startsWith('▁'); }
function spoken(token) { return isMarked(token) ? token.slice(1) : token; }
// The mark of a word's beginning steps back behind its letters.
function label(attributes, token) {
  const text = drawing('text', attributes, isMarked(token) ? '' : shown(token));
  if (isMarked(token)) text.append(drawing('tspan', {class: 'mark'}, '▁'), shown(token).slice(1));
  return text;
}

// ---- Elements.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
function drawing(name, attributes = {}, text = null) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== null) made.textContent = text;
  return made;
}
const ruler = document.createElement('canvas').getContext('2d');
function widest(words) {
  ruler.font = '600 14px ' + getComputedStyle(document.body).fontFamily;
  return Math.ceil(Math.max(...words.map(word => ruler.measureText(shown(word)).width)));
}
function paint(canvas, rows, columns, value) {
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext('2d'), image = context.createImageData(columns, rows);
  const color = heatColor().split(',').map(Number);
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      image.data.set([...color, Math.round(255 * shade(value(row, column)))], 4 * (row * columns + column));
    }
  }
  context.putImageData(image, 0, 0);
}

// ---- Lines between words, as in the paper's figures 3 to 5.
function drawLines() {
  const from = tokens('from'), to = tokens('to');
  const step = Math.max(from.length, to.length) > 60 ? 20 : 26, top = 30, margin = 50;
  const left = Math.max(widest(from), 80) + margin + 12, right = Math.max(widest(to), 80) + margin + 12;
  const gap = Math.max(120, Math.min(280, at('lines').clientWidth - left - right));
  const width = left + gap + right, height = top + step * Math.max(from.length, to.length) + 6;
  const svg = drawing('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-labelledby': 'lines-title'});
  const y = index => top + step * (index + 0.5);
  svg.append(drawing('text', {x: left - 8, y: 14, class: 'dim', 'text-anchor': 'end'}, kinds[state.kind].from));
  svg.append(drawing('text', {x: left + gap + 8, y: 14, class: 'dim'}, kinds[state.kind].to));
  const threads = drawing('g');
  const columns = {from: drawing('g', {role: 'group', 'aria-label': kinds[state.kind].from}),
                   to: drawing('g', {role: 'group', 'aria-label': kinds[state.kind].to})};
  svg.append(threads, columns.from, columns.to);
  const words = {from: from.map((token, i) => word('from', token, i)), to: to.map((token, i) => word('to', token, i))};

  function word(side, token, index) {
    const group = drawing('g', {class: 'word', id: `${side}-${index}`, tabindex: 0, role: 'button', 'aria-label': spoken(token)});
    const x = side === 'from' ? margin : left + gap + 2, room = (side === 'from' ? left : right) - margin - 2;
    group.append(drawing('rect', {x, y: y(index) - step / 2 + 1, width: room, height: step - 2, rx: 4}));
    group.append(label({x: side === 'from' ? left - 8 : left + gap + 8, y: y(index) + 5,
                        'text-anchor': side === 'from' ? 'end' : 'start'}, token));
    const share = side === 'from' ? {x: margin - 6, 'text-anchor': 'end'} : {x: width - margin + 6};
    group.append(drawing('text', {y: y(index) + 4, class: 'dim', ...share}, ''));
    group.append(drawing('title', {}, spoken(token)));
    group.addEventListener('mouseenter', () => single({side, index}));
    group.addEventListener('mouseleave', () => single(pinned));
    group.addEventListener('focus', () => { if (group.matches(':focus-visible')) single({side, index}); });
    group.addEventListener('blur', () => single(pinned));
    const keep = () => {
      pinned = isPinned(side, index) ? null : {side, index};
      single(pinned || {side, index});
    };
    group.addEventListener('click', keep);
    group.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      keep();
    });
    columns[side].append(group);
    return group;
  }
  function isPinned(side, index) { return pinned !== null && pinned.side === side && pinned.index === index; }

  // The largest weights of a word as text, for readers who do not see the lines.
  function largest({side, index}) {
    const weights = side === 'from' ? to.map((token, i) => [token, mean(index, i)]) : from.map((token, i) => [token, mean(i, index)]);
    const five = weights.filter(([, w]) => w >= 0.005).sort((a, b) => b[1] - a[1]).slice(0, 5);
    return `${spoken((side === 'from' ? from : to)[index])}: ${five.map(([token, w]) => `${spoken(token)} ${percent(w)}`).join(', ')}`;
  }

  // Lines and shares of one word, or lines of all.
  function single(only) {
    at('cell').textContent = only ? largest(only) : '';
    threads.replaceChildren();
    const least = only ? 0.005 : 0.04;
    // Heads that look at the same word lie side by side.
    const order = [...state.heads].sort((a, b) => a - b), apart = Math.min(2.6, (step - 8) / order.length);
    for (const [place, head] of order.entries()) {
      const shift = (place - (order.length - 1) / 2) * apart;
      for (const row of only && only.side === 'from' ? [only.index] : range(from.length)) {
        for (const column of only && only.side === 'to' ? [only.index] : range(to.length)) {
          const w = weight(state.layer, head, row, column);
          if (w < least) continue;
          const [x1, y1, x2, y2] = [left, y(row) + shift, left + gap, y(column) + shift];
          threads.append(drawing('path', {d: `M${x1} ${y1} C${x1 + 70} ${y1} ${x2 - 70} ${y2} ${x2} ${y2}`,
            stroke: headColor(head), 'stroke-width': (0.6 + 2.6 * w).toFixed(2),
            'stroke-opacity': Math.min(0.9, 0.9 * Math.pow(w, 0.8)).toFixed(3)}));
        }
      }
    }
    for (const side of ['from', 'to']) {
      words[side].forEach((group, index) => {
        const [box, , share] = group.children;
        const self = only && only.side === side;
        const w = !only || self ? 0 : only.side === 'from' ? mean(only.index, index) : mean(index, only.index);
        box.style.fillOpacity = self && only.index === index ? 0.18 : 0.6 * w;
        share.textContent = w >= 0.005 ? percent(w) : '';
        group.setAttribute('aria-pressed', isPinned(side, index));
        group.classList.toggle('chosen', Boolean(self && only.index === index));
        group.classList.toggle('faded', Boolean(self && only.index !== index));
      });
    }
  }
  single(pinned);
  at('lines').replaceChildren(svg);
}

// ---- The heat map of the heads that are shown.
function drawHeat() {
  const from = tokens('from'), to = tokens('to');
  // As large as fits, with words at its sides as long as these can be read.
  const room = at('heat').clientWidth, longer = Math.max(from.length, to.length);
  const least = 9, beside = widest(from) + 12;
  const spill0 = Math.max(...to.map((token, i) => widest([token]) * 0.72 - least * (to.length - 1 - i))) + 14;
  const labels = Math.floor((room - beside - spill0) / longer) >= least;
  const [left, spill] = labels ? [beside, spill0] : [0, 0], top = labels ? widest(to) * 0.72 + 22 : 0;
  const cell = Math.max(3, Math.min(24, Math.floor((room - left - spill) / longer)));
  const size = Math.min(14, cell);
  const width = left + cell * to.length + spill, height = top + cell * from.length + 2;
  const canvas = element('canvas', {role: 'img', 'aria-label': at('heat-title').textContent});
  paint(canvas, from.length, to.length, mean);
  canvas.style.cssText = `left:${left}px;top:${top}px;width:${cell * to.length}px;height:${cell * from.length}px`;
  const svg = drawing('svg', {width, height, style: `font-size:${size}px`});
  if (labels) {
    from.forEach((token, i) => svg.append(label({x: left - 6, y: top + cell * (i + 0.5) + size * 0.35, 'text-anchor': 'end'}, token)));
    to.forEach((token, i) => {
      const [x, y] = [left + cell * (i + 0.5) + size * 0.3, top - 6];
      svg.append(label({transform: `translate(${x} ${y}) rotate(-45)`}, token));
    });
  }
  const map = element('div', {class: 'map', style: `width:${width}px;height:${height}px`}, canvas, svg);
  svg.addEventListener('mousemove', event => {
    const box = canvas.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top) / cell), column = Math.floor((event.clientX - box.left) / cell);
    const inside = row >= 0 && column >= 0 && row < from.length && column < to.length;
    at('cell').textContent = inside ? `${spoken(from[row])} looks at ${spoken(to[column])}: ${percent(mean(row, column))}` : '';
  });
  svg.addEventListener('mouseleave', () => at('cell').textContent = '');
  const ramp = element('canvas');
  paint(ramp, 1, 64, (_, i) => i / 63);
  at('heat').replaceChildren(map, element('div', {class: 'scale', 'aria-hidden': 'true'}, '0 %', ramp, '100 %'));
}

// ---- All heads.
function drawGlance() {
  const {layers, heads} = kinds[state.kind], rows = tokens('from').length, columns = tokens('to').length;
  const side = Math.max(24, Math.min(76, Math.floor((at('glance').clientWidth - 36) / heads) - 13));
  const longer = Math.max(rows, columns);
  const grid = element('div', {class: 'glance', style: `grid-template-columns: 22px repeat(${heads}, auto)`});
  grid.append('', ...[element('span'), ...range(heads).map(h => element('span', {}, String(h + 1)))]);
  for (const layer of range(layers)) {
    grid.append(element('span', {}, String(layer + 1)));
    for (const head of range(heads)) {
      const canvas = element('canvas');
      paint(canvas, rows, columns, (row, column) => weight(layer, head, row, column));
      canvas.style.cssText = `width:${Math.max(4, side * columns / longer)}px;height:${Math.max(4, side * rows / longer)}px`;
      const name = `${unit} ${layer + 1}, head ${head + 1}`;
      const button = element('button', {type: 'button', class: 'thumb', id: `head-${layer}-${head}`, title: name, 'aria-label': name, style: `--color:${headColor(head)}`}, canvas);
      button.dataset.layer = layer;
      button.dataset.head = head;
      button.addEventListener('click', event => choose(layer, head, event.ctrlKey || event.metaKey || event.shiftKey));
      grid.append(button);
    }
  }
  at('glance').replaceChildren(grid);
}
function markGlance() {
  for (const button of document.querySelectorAll('.thumb')) {
    const pressed = Number(button.dataset.layer) === state.layer && state.heads.has(Number(button.dataset.head));
    button.setAttribute('aria-pressed', pressed);
  }
}
function choose(layer, head, adding) {
  if (!adding || layer !== state.layer) state.heads = new Set([head]);
  else if (!state.heads.has(head)) state.heads.add(head);
  else if (state.heads.size > 1) state.heads.delete(head);
  state.layer = layer;
  update();
}

// ---- Controls.
function choice(type, name, value, label, style = '') {
  return element('label', {class: 'choice', style}, element('input', {type, name, value}), element('span', {}, label));
}
function buildControls() {
  data.lines.forEach((line, i) => {
    const words = line.question || line.source.slice(0, -1).join(' ').replace(/ ?▁/g, ' ').trim();
    at('sentence').append(element('option', {value: i}, `${line.line + 1}  ${words.length > 110 ? words.slice(0, 109) + '…' : words}`));
  });
  for (const [kind, {title}] of Object.entries(kinds)) at('kinds').append(choice('radio', 'kind', kind, title));
  at('all-heads').addEventListener('click', allHeads);
  at('sentence').addEventListener('change', event => go({sentence: Number(event.target.value)}));
  at('previous').addEventListener('click', () => go({sentence: state.sentence - 1}));
  at('next').addEventListener('click', () => go({sentence: state.sentence + 1}));
  at('kinds').addEventListener('change', event => go({kind: event.target.value}));
  at('layers').addEventListener('change', event => go({layer: Number(event.target.value)}));
  at('heads').addEventListener('change', event => {
    const head = Number(event.target.value);
    choose(state.layer, head, true);
  });
}
function allHeads() { state.heads = new Set(range(headCount())); update(); }
// The heads that are shown after another attention is chosen: the same numbers, as far as it has them.
function keepHeads(before) {
  const kept = [...state.heads].filter(head => head < headCount());
  state.heads = new Set(state.heads.size === before || kept.length === 0 ? range(headCount()) : kept);
}
function go(change) {
  const place = {...state, ...change};
  if (!(place.kind in kinds) || place.sentence < 0 || place.sentence >= data.lines.length) return;
  place.layer = Math.max(0, Math.min(place.layer, kinds[place.kind].layers - 1));
  const redraw = place.sentence !== state.sentence || place.kind !== state.kind;
  if (redraw) pinned = null;
  const before = headCount();
  Object.assign(state, place);
  keepHeads(before);
  update(redraw);
}
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('select, input')) return;
  const onlyHead = state.heads.size === 1 ? [...state.heads][0] : null;
  const turn = by => choose(state.layer, onlyHead === null ? (by > 0 ? 0 : headCount() - 1) : (onlyHead + by + headCount()) % headCount(), false);
  const actions = {
    ArrowUp: () => go({layer: state.layer - 1}), ArrowDown: () => go({layer: state.layer + 1}),
    ArrowLeft: () => turn(-1), ArrowRight: () => turn(1),
    a: allHeads, n: () => go({sentence: state.sentence + 1}), p: () => go({sentence: state.sentence - 1}),
    1: () => go({kind: 'encoder'}), 2: () => go({kind: 'decoder'}), 3: () => go({kind: 'cross'}),
    Escape: () => { pinned = null; update(); },
  };
  const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

// The place is in the address, so that it can be kept: #sentence/kind/layer/heads, counted from 1.
function readAddress() {
  const [line, kind, layer, chosen] = location.hash.slice(1).split('/');
  const before = headCount();
  if (kind in kinds) state.kind = kind;
  keepHeads(before);
  const number = (text, most) => Math.max(0, Math.min(most, (Number(text) || 1) - 1));
  if (line) state.sentence = number(line, data.lines.length - 1);
  state.layer = layer ? number(layer, kinds[state.kind].layers - 1) : kinds[state.kind].layers - 1;
  const listed = (chosen || '').split(',').map(text => Number(text) - 1).filter(h => Number.isInteger(h) && h >= 0 && h < headCount());
  if (listed.length > 0) state.heads = new Set(listed);
}
function writeAddress() {
  const chosen = state.heads.size === headCount() ? '' : '/' + [...state.heads].map(h => h + 1).sort((a, b) => a - b).join(',');
  history.replaceState(null, '', `#${state.sentence + 1}/${state.kind}/${state.layer + 1}${chosen}`);
}

function update(redraw = false) {
  const held = document.activeElement, region = held.closest('#lines, #glance');
  const {title, layers, heads} = kinds[state.kind];
  if (redraw) {
    at('layers').replaceChildren(at('layers').firstElementChild, ...range(layers).map(l => choice('radio', 'layer', l, String(l + 1))));
    at('heads').replaceChildren(at('heads').firstElementChild, ...range(heads).map(h => choice('checkbox', 'head', h, String(h + 1), `--color:${headColor(h)}`)),
      at('all-heads'));
  }
  at('sentence').value = state.sentence;
  at('previous').disabled = state.sentence === 0;
  at('next').disabled = state.sentence === data.lines.length - 1;
  for (const input of document.querySelectorAll('#controls input')) {
    const value = input.name === 'kind' ? input.value : Number(input.value);
    input.checked = input.name === 'head' ? state.heads.has(value) : state[input.name] === value;
  }
  const names = [...state.heads].map(h => h + 1).sort((a, b) => a - b);
  const which = hasQuestions ? '' : names.length === 1 ? `head ${names[0]}` : names.length === heads ? 'all heads' : `heads ${names.join(', ')}`;
  const place = `${unit} ${state.layer + 1}`;
  at('lines-title').textContent = [title, place, which].filter(Boolean).join(', ');
  at('heat-title').textContent = [place, names.length === 1 ? which : 'mean of ' + which].filter(Boolean).join(', ');
  if (redraw) drawGlance();
  markGlance();
  drawLines();
  drawHeat();
  writeAddress();
  // The focus stays where it was, also if that was drawn again.
  if (document.activeElement !== held) (at(held.id) || region?.querySelector('.word, .thumb'))?.focus();
}

const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;
at('facts').textContent = `${data.name}: ${plural(data.lines.length, 'sentence')}, ` +
  [data.encoder_layers, data.decoder_layers].filter(Boolean).map((count, i, all) => i + 1 < all.length ? count : plural(count, unit)).join(' + ') + ', ' +
  (!kinds.encoder || data.heads === data.decoder_heads ? `${plural(data.decoder_heads, 'head')} each` : `${data.heads} + ${plural(data.decoder_heads, 'head')} each`);
for (const named of document.querySelectorAll('.unit')) named.textContent = unit;
buildControls();
readAddress();
update(true);
for (const id of ['controls', 'lines', 'glance']) at(id).addEventListener('keydown', onKey);
window.addEventListener('hashchange', () => { readAddress(); pinned = null; update(true); });
let resized = 0;
window.addEventListener('resize', () => { clearTimeout(resized); resized = setTimeout(() => update(true), 150); });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => update(true));
})();

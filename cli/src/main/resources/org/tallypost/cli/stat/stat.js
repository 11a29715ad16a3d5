// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

(() => {
  const MOST_LOOKS = 300;
  const MOST_LINES = 8;
  const NS_PER_S = 1e9;
  // an axis of time is at least so long
  const SHOWN_SECONDS = 10;
  const byId = (id) => document.getElementById(id);
  const intervalMs = Number(document.body.dataset.intervalMs);
  const rateOf = (name) => (now, then, seconds) => (now[name] - then[name]) / seconds;

  const sumOf = (...names) => (now, then, seconds) =>
    names.reduce((sum, name) => sum + now[name] - then[name], 0) / seconds;
  const shareOf = (name) => (now, then, seconds) => 100 * (now[name] - then[name]) / NS_PER_S / seconds;

  /** What has lines in plots and rows in a table. */
  const KINDS = {
    ranks: {label: 'rank ', weight: (rank) => rank.received + rank.sent},
    links: {
      label: 'node ',
      weight: (link) => link.bytesReceived + link.bytesSent + link.bulkBytesReceived + link.bulkBytesSent,
      // counters of links are written some times a second, so a rate is over the time between two of these moments
      seconds: (now, then) => (now.upTimeNs + now.downTimeNs - then.upTimeNs - then.downTimeNs) / NS_PER_S,
    },
  };

  const PLOTS = [
    {title: 'Messages received', unit: 'messages per second', value: rateOf('received')},
    {title: 'Payload received', unit: 'bytes per second', value: rateOf('bytesReceived')},
    {title: 'Unread slots of the ring', unit: 'slots now', value: (now) => now.backlogSlots},
    {title: 'Time that messages waited for credits', unit: 'percent of the time between two looks, counted when the wait ends',
      value: shareOf('stallTimeNs')},
    {title: 'Credits taken from other senders', unit: 'stolen and revoked credits per second',
      value: sumOf('creditsStolen', 'creditsRevoked')},
    {title: 'Memory of other nodes', unit: 'bytes per second by puts and gets', value: rateOf('bulkBytes')},
    {title: 'Links', unit: 'bytes per second in both directions, messages and bulk', kind: 'links',
      value: sumOf('bytesSent', 'bytesReceived', 'bulkBytesSent', 'bulkBytesReceived')},
    {title: 'Repairs on links', unit: 'requests per second, of both nodes, for what the network has lost', kind: 'links',
      value: sumOf('repairsAsked', 'repairsGiven')},
  ];

  const COLUMNS = [
    ['rank', (now) => now.rank],
    ['pid', (now) => now.pid || '–'],
    ['state', (now) => now.state],
    ['sent/s', rateOf('sent')],
    ['received/s', rateOf('received')],
    ['B sent/s', rateOf('bytesSent')],
    ['B received/s', rateOf('bytesReceived')],
    ['unread', (now) => now.backlogSlots],
    ['most', (now) => now.highWaterSlots],
    ['stalls/s', rateOf('stalls')],
    ['waited %', PLOTS[3].value],
    ['stolen/s', rateOf('creditsStolen')],
    ['lanes', (now) => now.lanes],
    ['refused', (now) => now.refused],
    ['skipped', (now) => now.skippedSlots],
    ['repaired', (now) => now.repairedCredits],
  ];

  const LINK_COLUMNS = [
    ['node', (now) => now.peer],
    ['link', (now) => now.up ? 'up' : 'down'],
    ['for s', (now) => now.stateTimeNs / NS_PER_S],
    ['times up', (now) => now.ups],
    ['sent/s', rateOf('messagesSent')],
    ['received/s', rateOf('messagesReceived')],
    ['B sent/s', rateOf('bytesSent')],
    ['B received/s', rateOf('bytesReceived')],
    ['bulk B/s', sumOf('bulkBytesSent', 'bulkBytesReceived')],
    ['stalled %', shareOf('stallTimeNs')],
    ['repairs asked', (now) => now.repairsAsked],
    ['given', (now) => now.repairsGiven],
    ['dropped', (now) => now.dropped],
  ];

  let looks = [];
  let plots = [];
  let shown = {ranks: [], links: []};
  let charts = [];
  let isPaused = false;

  function short(value) {
    if (value === null || value === undefined || Number.isNaN(value)) {
      return '–';
    }
    if (typeof value !== 'number') {
      return value;
    }
    for (const [size, unit] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e4, 'k']]) {
      if (Math.abs(value) >= size) {
        return (value / (unit === 'k' ? 1e3 : size)).toFixed(1) + unit;
      }
    }
    return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 0);
  }

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) {
      made.textContent = text;
    }
    if (className) {
      made.className = className;
    }
    return made;
  }

  /** What a rank or link had at the look before; nothing of a rank that was opened since. */
  function before(look, kind, id, now) {
    const then = look[kind].get(id);
    return then && then.epoch === now.epoch ? then : null;
  }

  function valueOf(value, index, kind, id) {
    const now = looks[index][kind].get(id);
    if (!now) {
      return null;
    }
    const then = index > 0 ? before(looks[index - 1], kind, id, now) : null;
    const own = KINDS[kind].seconds;
    const seconds = !then ? 0 : own ? own(now, then) : looks[index].seconds - looks[index - 1].seconds;
    // a value that needs no look before has one argument
    return value.length === 1 ? value(now) : then && seconds > 0 ? value(now, then, seconds) : null;
  }

  function kindOf(plot) {
    return plot.kind || 'ranks';
  }

  /** The ranks with most messages, the links with most bytes; the others are one line. */
  function busiest(look, kind) {
    const weight = KINDS[kind].weight;
    return [...look[kind].entries()].sort((one, other) => weight(other[1]) - weight(one[1]) || one[0] - other[0])
      .slice(0, MOST_LINES).map((entry) => entry[0]).sort((one, other) => one - other);
  }

  function hasOthers(kind) {
    return looks[looks.length - 1][kind].size > shown[kind].length;
  }

  function sumOfOthers(value, index, kind) {
    const isShown = new Set(shown[kind]);
    const known = [...looks[index][kind].keys()].filter((id) => !isShown.has(id))
      .map((id) => valueOf(value, index, kind, id)).filter((each) => each !== null);
    return known.length > 0 ? known.reduce((sum, each) => sum + each, 0) : null;
  }

  /** The points of a plot, a list for each line. */
  function points(plot) {
    const kind = kindOf(plot);
    const lines = shown[kind].map((id) => (index) => valueOf(plot.value, index, kind, id));
    if (hasOthers(kind)) {
      lines.push((index) => sumOfOthers(plot.value, index, kind));
    }
    return lines.map((line) => looks.map((look, index) => ({x: look.seconds, y: line(index)})));
  }

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function lines(kind) {
    const all = shown[kind].map((id, index) => ({label: KINDS[kind].label + id, borderColor: colour('--rank-' + index)}));
    if (hasOthers(kind)) {
      all.push({label: 'all others', borderColor: colour('--others'), borderDash: [6, 4]});
    }
    return all.map((line) => ({...line, backgroundColor: line.borderColor, borderWidth: 1.5, pointRadius: 0}));
  }

  function timeOfDay(seconds) {
    return new Date(seconds * 1000).toLocaleTimeString([], {hour12: false});
  }

  function scales() {
    const ticks = {color: colour('--quiet'), maxRotation: 0};
    const grid = {color: colour('--line')};
    return {
      x: {type: 'linear', bounds: 'data', grid, ticks: {...ticks, maxTicksLimit: 3, includeBounds: false, callback: timeOfDay}},
      y: {beginAtZero: true, suggestedMax: 1, grid, ticks: {...ticks, maxTicksLimit: 6, callback: short}},
    };
  }

  function build() {
    charts.forEach((chart) => chart.destroy());
    const place = byId('plots');
    place.replaceChildren();
    plots = PLOTS.filter((plot) => shown[kindOf(plot)].length > 0);
    charts = plots.map((plot) => {
      const figure = element('figure');
      const caption = element('figcaption', plot.title);
      caption.append(element('small', plot.unit));
      const box = element('div', undefined, 'plot');
      const canvas = element('canvas');
      canvas.setAttribute('role', 'img');
      canvas.setAttribute('aria-label', plot.title + ', ' + plot.unit + '. The table of the ' + kindOf(plot) + ' has the last values.');
      box.append(canvas);
      figure.append(caption, box);
      place.append(figure);
      return new Chart(canvas, {
        type: 'line',
        data: {datasets: lines(kindOf(plot))},
        options: {
          animation: false,
          maintainAspectRatio: false,
          interaction: {mode: 'nearest', axis: 'x', intersect: false},
          scales: scales(),
          plugins: {
            legend: {position: 'bottom', labels: {color: colour('--text'), boxWidth: 12, boxHeight: 2}},
            tooltip: {callbacks: {title: (items) => timeOfDay(items[0].parsed.x), label: (item) =>
              item.dataset.label + ': ' + short(item.parsed.y)}},
          },
        },
      });
    });
    fill();
  }

  function fill() {
    charts.forEach((chart, index) => {
      points(plots[index]).forEach((line, at) => {
        chart.data.datasets[at].data = line;
      });
      // of a single look chart.js would make an axis of many hours
      const last = looks[looks.length - 1].seconds;
      chart.options.scales.x.suggestedMin = last - SHOWN_SECONDS;
      chart.options.scales.x.suggestedMax = last;
      chart.update('none');
    });
  }

  function draw() {
    const look = looks[looks.length - 1];
    const wanted = {ranks: busiest(look, 'ranks'), links: busiest(look, 'links')};
    const isSame = (kind) => wanted[kind].join() === shown[kind].join() && plots.every((plot, index) =>
      kindOf(plot) !== kind || charts[index].data.datasets.length === wanted[kind].length + (hasOthers(kind) ? 1 : 0));
    if (charts.length === 0 || !isSame('ranks') || !isSame('links')) {
      shown = wanted;
      build();
    } else {
      fill();
    }
    drawTotals(look);
    drawRows(look, 'ranks', COLUMNS);
    drawRows(look, 'links', LINK_COLUMNS);
    byId('links-part').hidden = look.links.size === 0;
  }

  function drawTotals(look) {
    const ranks = [...look.ranks.keys()];
    const sum = (value) => ranks.reduce((all, rank) => all + (valueOf(value, looks.length - 1, 'ranks', rank) || 0), 0);
    const isKnown = looks.length > 1;
    const totals = [
      ['open ranks', [...look.ranks.values()].filter((rank) => rank.open).length + ' of ' + ranks.length],
      ['received/s', isKnown ? short(sum(rateOf('received'))) : '–'],
      ['payload/s', isKnown ? short(sum(rateOf('bytesReceived'))) + 'B' : '–'],
      ['unread slots', short(sum((now) => now.backlogSlots))],
      ['stalls/s', isKnown ? short(sum(rateOf('stalls'))) : '–'],
      ['damage', short(sum((now) => now.refused + now.skippedSlots + now.repairedCredits))],
    ];
    if (look.links.size > 0) {
      totals.push(['links up', [...look.links.values()].filter((link) => link.up).length + ' of ' + look.links.size]);
    }
    byId('totals').replaceChildren(...totals.map(([name, value]) => {
      const box = element('div');
      box.append(element('dt', name), element('dd', value));
      return box;
    }));
  }

  function drawRows(look, kind, columns) {
    const table = byId(kind);
    const head = element('tr');
    head.append(...columns.map(([name]) => {
      const cell = element('th', name);
      cell.scope = 'col';
      return cell;
    }));
    table.tHead.replaceChildren(head);
    table.tBodies[0].replaceChildren(...[...look[kind].keys()].map((id) => {
      const row = element('tr');
      row.append(...columns.map(([name, value]) => {
        const found = valueOf(value, looks.length - 1, kind, id);
        // a rank and a process have numbers that are names
        const text = ['rank', 'pid', 'node'].includes(name) ? found : short(found);
        return element('td', String(text), ['dead', 'down'].includes(found) ? 'dead' : '');
      }));
      return row;
    }));
  }

  function sentence(sample) {
    if (!sample.laggard) {
      return 'No open rank has anything to read.';
    }
    const still = sample.laggard.stillNs / NS_PER_S;
    return 'Rank ' + sample.laggard.rank + ' (pid ' + sample.laggard.pid + ') has ' + short(sample.laggard.backlogSlots) +
      ' slots unread' + (still > 0 ? ', and no poll was seen for ' + still.toFixed(1) + ' s.' : '.');
  }

  function take(sample) {
    const name = sample.group + sample.directory;
    if (looks.length > 0 && looks[0].name !== name) {
      looks = [];
    }
    document.title = sample.group + ' · Tallypost stat';
    byId('group').textContent = 'Group ' + sample.group;
    byId('place').textContent = sample.directory + (sample.nodes > 1 ? ', node ' + sample.node + ' of ' + sample.nodes : '');
    looks.push({name, seconds: Date.parse(sample.time) / 1000, ranks: new Map(sample.endpoints.map((rank) => [rank.rank, rank])),
      links: new Map(sample.links.map((link) => [link.peer, link]))});
    looks = looks.slice(-MOST_LOOKS);
    say(sentence(sample), false);
    draw();
  }

  function say(text, isEnded) {
    const state = byId('state');
    // a screen reader speaks what changes, so nothing is set anew
    if (state.textContent !== text) {
      state.textContent = text;
    }
    state.className = isEnded ? 'ended' : '';
  }

  async function look() {
    if (!isPaused && !document.hidden) {
      try {
        const answer = await fetch('sample', {cache: 'no-store'});
        const body = await answer.json();
        if (answer.ok) {
          take(body);
        } else {
          say('The node has ended: ' + body.error, true);
        }
      } catch (error) {
        say('No answer from tallypost stat: it was stopped, or is not reachable any more (' + error.message + ').', true);
      }
    }
    setTimeout(look, intervalMs);
  }

  byId('pause').addEventListener('click', (event) => {
    isPaused = !isPaused;
    event.target.textContent = isPaused ? 'Go on' : 'Pause';
    event.target.setAttribute('aria-pressed', String(isPaused));
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => looks.length > 0 && build());
  look();
})();

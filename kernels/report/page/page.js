/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the page can do beyond being read: kernels and pipes that belong together light up in the
 * graph and the tables, tables are sorted and searched, the graph grows and is dragged, timelines
 * show a part of the run. All controls are made here, so that a page without scripts has none that
 * do nothing. No network, no library, no state outside of the page.
 */
'use strict';
(() => {
    const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
    const graph = document.querySelector('.graph > svg');
    const rows = all('tr[data-k],tr[data-p],tr[data-loop]');

    function make(name, attributes, ...children) {
        const element = document.createElement(name);
        for (const key of Object.keys(attributes))
            element.setAttribute(key, attributes[key]);
        element.append(...children);
        return element;
    }

    function button(text, title, act) {
        const element = make('button', {type: 'button', title: title}, text);
        element.addEventListener('click', act);
        return element;
    }

    /* ---- what belongs together --------------------------------------------------------------- */

    /* Loops name their kernel; all other rows have numbers: those of nodes and edges. */
    const byName = new Map();
    for (const row of rows)
        if (row.dataset.k && !row.dataset.p && !byName.has(row.cells[0].textContent))
            byName.set(row.cells[0].textContent, row.dataset.k);
    for (const row of rows)
        if ('loop' in row.dataset && byName.has(row.cells[0].textContent))
            row.dataset.k = byName.get(row.cells[0].textContent);

    const titleOf = (g) => g.querySelector('title').textContent;
    const nodes = new Map(graph ? all('g.node', graph).map((g) => [titleOf(g), g]) : []);
    /* Of a pipe: the edge and the nodes at its ends, as "k1:n->k2". */
    const edges = new Map();
    for (const g of graph ? all('g.edge', graph) : [])
        edges.set(g.id, {g: g, ends: titleOf(g).split('->').map((end) => end.split(':')[0])});

    let picked = null; /* "k3", "p5" */

    function neighbours(key) {
        const lit = new Set([key]);
        const edge = edges.get(key);
        for (const end of edge ? edge.ends : [])
            lit.add(end);
        for (const [pipe, {ends}] of edge ? [] : edges) {
            if (!ends.includes(key))
                continue;
            lit.add(pipe);
            ends.forEach((end) => lit.add(end));
        }
        return lit;
    }

    function pick(key) {
        picked = key === picked ? null : key;
        const lit = picked ? neighbours(picked) : new Set();
        if (graph)
            graph.classList.toggle('picked', picked !== null);
        for (const [name, g] of nodes)
            g.classList.toggle('lit', lit.has(name));
        for (const [name, {g}] of edges)
            g.classList.toggle('lit', lit.has(name));
        for (const row of rows)
            row.classList.toggle('lit', picked !== null && ('k' + row.dataset.k === picked ||
                                                            'p' + row.dataset.p === picked));
    }

    function keyOfRow(row) {
        return 'p' in row.dataset ? 'p' + row.dataset.p : 'k' in row.dataset ? 'k' + row.dataset.k : null;
    }

    for (const row of rows)
        row.addEventListener('click', () => pick(keyOfRow(row)));
    document.addEventListener('keydown', (event) => {
        if (event.key === 'Escape' && picked)
            pick(picked);
    });

    /* ---- the graph: larger, smaller, dragged ------------------------------------------------- */

    function graphTools(box) {
        const natural = graph.viewBox.baseVal.width * 4 / 3; /* points */
        let scale = 1, drag = null, moved = false;
        const shown = () => graph.getBoundingClientRect().width;

        function zoom(to, x, y) {
            const before = shown(), left = box.scrollLeft + x, top = box.scrollTop + y;
            scale = Math.min(8, Math.max(0.05, to));
            graph.style.maxWidth = 'none';
            graph.style.minWidth = '0';
            graph.style.height = 'auto';
            graph.style.width = natural * scale + 'px';
            const grown = shown() / before;
            box.scrollLeft = left * grown - x;
            box.scrollTop = top * grown - y;
        }
        const step = (factor) => zoom(shown() / natural * factor, box.clientWidth / 2, box.clientHeight / 2);
        const fit = () => {
            graph.removeAttribute('style');
            graph.style.maxWidth = '100%';
            graph.style.height = 'auto';
        };

        fit(); /* without scripts a wide one scrolls, since nothing could make it larger */
        box.before(make('p', {class: 'tools'}, button('+', 'larger', () => step(1.25)),
                        button('\u2212', 'smaller', () => step(0.8)), button('fit', 'all of it', fit),
                        button('1:1', 'as drawn', () => zoom(1, 0, 0)),
                        make('span', {}, 'Ctrl and wheel: larger, smaller. Click a kernel, a pipe or a row: ' +
                                         'what belongs to it. Escape: all again.')));
        box.addEventListener('wheel', (event) => {
            if (!event.ctrlKey)
                return;
            event.preventDefault();
            const at = box.getBoundingClientRect();
            zoom(shown() / natural * Math.exp(-event.deltaY / 400), event.clientX - at.left, event.clientY - at.top);
        }, {passive: false});
        box.addEventListener('pointerdown', (event) => {
            drag = event.button === 0 ? {x: event.clientX, y: event.clientY} : null;
            moved = false;
        });
        window.addEventListener('pointermove', (event) => {
            if (!drag)
                return;
            moved = moved || Math.abs(event.clientX - drag.x) + Math.abs(event.clientY - drag.y) > 4;
            if (!moved)
                return;
            box.scrollBy(drag.x - event.clientX, drag.y - event.clientY);
            drag = {x: event.clientX, y: event.clientY};
        });
        window.addEventListener('pointerup', () => { drag = null; });
        graph.addEventListener('click', (event) => {
            const g = event.target.closest('g.node,g.edge');
            if (moved || event.target.closest('a[href^="#"],a[*|href^="#"]'))
                return;
            if (g)
                pick(g.classList.contains('node') ? titleOf(g) : g.id);
            else if (picked)
                pick(picked);
        });
    }

    if (graph)
        graphTools(graph.parentElement);

    /* ---- tables ------------------------------------------------------------------------------ */

    const units = {ns: 1, us: 1e3, ms: 1e6, s: 1e9, k: 1e3, M: 1e6, G: 1e9};

    function numberOf(text) {
        const parts = /^\s*(-?[\d.]+)\s*([a-zA-Z]*)/.exec(text);
        return parts ? Number(parts[1]) * (units[parts[2]] || 1) : -Infinity;
    }

    function compare(column, numbers) {
        const text = (row) => row.cells[column].textContent;
        return numbers ? (a, b) => numberOf(text(b)) - numberOf(text(a))
                       : (a, b) => text(a).localeCompare(text(b), 'en', {numeric: true});
    }

    /* First by the column, the largest number first; then the other way; then as it was. */
    function sortable(table) {
        const head = table.rows[0], body = head.parentElement;
        const original = Array.from(table.rows).slice(1);
        Array.from(head.cells).forEach((cell, column) => {
            cell.classList.add('sort');
            cell.title = 'sort';
            cell.addEventListener('click', () => {
                const numbers = cell.classList.contains('n');
                const orders = numbers ? ['descending', 'ascending', null] : ['ascending', 'descending', null];
                const next = orders[(orders.indexOf(cell.getAttribute('aria-sort')) + 1) % 3];
                const sorted = next ? original.slice().sort(compare(column, numbers)) : original;
                for (const other of head.cells)
                    other.removeAttribute('aria-sort');
                if (next)
                    cell.setAttribute('aria-sort', next);
                body.append(...(next === orders[1] ? sorted.slice().reverse() : sorted));
            });
        });
    }

    all('table').forEach(sortable);

    const opened = new Set(); /* what is folded, and was opened for what was found in it */

    function unfoldFound(wanted) {
        for (const at of opened)
            at.open = false;
        opened.clear();
        for (const row of wanted ? rows.filter((r) => !r.hidden) : []) {
            const at = row.closest('details:not([open])');
            if (at)
                opened.add(at);
            if (at)
                at.open = true;
        }
    }

    function search(text) {
        const words = text.toLowerCase().split(/\s+/).filter((word) => word);
        let found = 0;
        for (const row of rows) {
            const has = row.textContent.toLowerCase();
            row.hidden = !words.every((word) => has.includes(word));
            found += !row.hidden;
        }
        unfoldFound(words.length > 0);
        return words.length ? found + ' of ' + rows.length + ' rows' : '';
    }

    function searchBox() {
        const told = make('span', {role: 'status'});
        const box = make('input', {type: 'search', placeholder: 'search the tables', 'aria-label': 'search the tables'});
        /* A page that gets shorter, or loses its scroll bar, would move or scale the graph. */
        box.addEventListener('input', () => {
            document.body.style.minHeight = box.value ? document.body.offsetHeight + 'px' : '';
            told.textContent = search(box.value);
        });
        const first = document.querySelector('h2.tables');
        if (first && rows.length)
            first.before(make('p', {class: 'tools search'}, box, told));
    }

    searchBox();

    /* ---- timelines --------------------------------------------------------------------------- */

    const short = (value, digits) => value.toFixed(digits);

    function timeText(ns) {
        for (const [from, name] of [[1e9, ' s'], [1e6, ' ms'], [1e3, ' us'], [1, ' ns']])
            if (ns >= from || from === 1)
                return short(ns / from, ns / from < 100 && from > 1 ? 3 : 0) + name;
        return '';
    }

    /* ---- what is in pipes -------------------------------------------------------------------- */

    /* "3 0-4*7" as pairs of the least and the most of each part of the run. */
    function levelsOf(g) {
        const levels = [];
        for (const [, least, most, times] of g.dataset.levels.matchAll(/(\d+)(?:-(\d+))?(?:\*(\d+))?/g))
            for (let n = Number(times || 1); n; n--)
                levels.push([Number(least), Number(most || least)]);
        return levels;
    }

    const MOST_COLUMNS = 1000;

    /* Every column shows the least and the most of all its parts: nothing that happens in it is lost. */
    function drawLevels(g, end, from, to) {
        const levels = g.levels || (g.levels = levelsOf(g)), width = Number(g.dataset.width);
        const bottom = Number(g.dataset.bottom), unit = Number(g.dataset.high) / Number(g.dataset.top);
        const first = Math.min(levels.length, Math.floor(from * end / width));
        const last = Math.min(levels.length, Math.ceil(to * end / width));
        const step = Math.max(1, Math.ceil((last - first) / MOST_COLUMNS));
        const x = (part) => short(Math.min(part * width / end, 1) * 1000, 3);
        const paths = ['', ''];
        for (let at = first; at < last; at += step) {
            const parts = levels.slice(at, Math.min(at + step, last));
            const values = [Math.min(...parts.map((p) => p[0])), Math.max(...parts.map((p) => p[1]))];
            values.forEach((value, n) => {
                paths[n] += 'V' + short(bottom - value * unit, 1) + ' H' + x(at + parts.length);
            });
        }
        const [most, least] = all('path', g);
        least.setAttribute('d', 'M' + x(first) + ' ' + bottom + paths[0] + 'V' + bottom + 'Z');
        most.setAttribute('d', 'M' + x(first) + ' ' + bottom + paths[1] + 'V' + bottom + 'Z');
    }

    /* Several that show the same run move together. */
    const views = [];

    function show(unit, from, to) {
        for (const view of views.filter((v) => v.unit === unit)) {
            view.bars.setAttribute('viewBox', from * 1000 + ' 0 ' + (to - from) * 1000 + ' ' + view.height);
            view.from = from;
            view.to = to;
            view.ticks.forEach((tick) => {
                const at = (from + (to - from) * Number(tick.dataset.tick) / 5) * view.end;
                tick.textContent = view.unit === 'ns'            ? timeText(at)
                                   : 'time' in tick.dataset ? timeText(at * 1000 / view.mhz)
                                                            : Math.round(at) + ' cycles';
            });
            all('g.level', view.bars).forEach((g) => drawLevels(g, view.end, from, to));
            view.chosen.setAttribute('width', 0);
            view.whole.hidden = from === 0 && to === 1;
        }
    }

    /* The rectangle of a picture in a picture is that of what is in it, seen or not: of the outer one. */
    function where(view, event) {
        const at = view.svg.getBoundingClientRect(), scale = at.width / view.svg.viewBox.baseVal.width;
        const left = at.left + view.bars.x.baseVal.value * scale;
        return Math.min(1, Math.max(0, (event.clientX - left) / (view.bars.width.baseVal.value * scale)));
    }

    function tell(view, part) {
        const at = (view.from + (view.to - view.from) * part) * view.end;
        view.told.textContent = view.unit === 'ns' ? timeText(at)
                                : 'cycle ' + Math.round(at) + (view.mhz ? ', ' + timeText(at * 1000 / view.mhz) : '');
    }

    function timeline(svg) {
        const bars = svg.querySelector('svg.bars');
        const view = {
            svg: svg, bars: bars, from: 0, to: 1, unit: svg.dataset.unit, end: Number(svg.dataset.end),
            mhz: Number(svg.dataset.mhz), height: bars.viewBox.baseVal.height, ticks: all('text[data-tick]', svg),
            told: make('span', {class: 'at'}),
        };
        let start = null;
        view.whole = button('whole run', 'all of it', () => show(view.unit, 0, 1));
        view.whole.hidden = true;
        svg.before(make('p', {class: 'tools'}, view.whole,
                        make('span', {}, 'Drag over a part to see it alone; double-click for the whole run.'), view.told));
        view.chosen = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
        view.chosen.setAttribute('class', 'chosen');
        view.chosen.setAttribute('height', view.height);
        bars.append(view.chosen);
        const mark = (from, to) => {
            const width = view.to - view.from;
            view.chosen.setAttribute('x', (view.from + Math.min(from, to) * width) * 1000);
            view.chosen.setAttribute('width', Math.max(Math.abs(to - from), 0.001) * width * 1000);
        };
        svg.addEventListener('pointermove', (event) => {
            const at = where(view, event);
            tell(view, at);
            mark(start === null ? at : start, at);
        });
        svg.addEventListener('pointerdown', (event) => {
            start = event.button === 0 ? where(view, event) : null;
            event.preventDefault();
        });
        window.addEventListener('pointerup', (event) => {
            if (start === null)
                return;
            const end = where(view, event), width = view.to - view.from, from = view.from;
            const first = Math.min(start, end), last = Math.max(start, end);
            start = null;
            if (last - first > 0.005)
                show(view.unit, from + first * width, from + last * width);
        });
        svg.addEventListener('dblclick', () => show(view.unit, 0, 1));
        views.push(view);
    }

    all('svg.timeline').forEach(timeline);

    /* ---- links to what is folded ------------------------------------------------------------- */

    function unfold() {
        const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
        for (let at = target; at; at = at.parentElement)
            if (at.tagName === 'DETAILS')
                at.open = true;
        if (target)
            target.scrollIntoView();
    }

    window.addEventListener('hashchange', unfold);
    unfold();
})();

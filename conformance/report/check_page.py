#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sluicec --report on a small design: the page names what the source says, and a browser draws it.

check_page.py SLUICEC SLUICE_REPORT SOURCE [--browser]
With --browser headless Chromium loads the page; 77 (skip) where there is none.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

EXPECTED = {
    'kernels': {'source', 'filter', 'sink'},
    'edges': {('source', 'filter'), ('filter', 'sink'), ('sink', 'filter')},
    'pipes': {'samples', 'filtered[0]', 'filtered[1]', 'back'},
}


# Five units in a row: one node, which leads to their grid.
ROW = """#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int next[6] __attribute__((depth(4)));
__attribute__((max_global_work_dim(0), autorun, num_compute_units(5)))
kernel void unit(void)
{
    while (1)
        write_channel_intel(next[get_compute_id(0) + 1], read_channel_intel(next[get_compute_id(0)]));
}
kernel void feed(void) { write_channel_intel(next[0], 1); }
kernel void take(void) { read_channel_intel(next[5]); }
"""


def fail(text):
    sys.exit(f'check_page: {text}')


def make_page(sluicec, report, source, folder):
    page = os.path.join(folder, 'design.html')
    path = os.path.dirname(report) + os.pathsep + os.environ['PATH']
    for option in (['--report', page], [f'--report={page}']):
        if os.path.exists(page):
            os.remove(page)
        subprocess.run([sluicec, *option, source], check=True, env=dict(os.environ, PATH=path))
        if not os.path.exists(page):
            fail(f'{option} makes no page')
    bad = subprocess.run([sluicec, '--report=', source], capture_output=True, text=True, check=False)
    if not bad.returncode or 'needs a file name' not in bad.stderr:
        fail(f'a report without a name: {bad.returncode}, {bad.stderr}')
    empty = os.path.join(folder, 'empty.json')
    with open(empty, 'w', encoding='utf-8') as file:
        file.write('{"sluice_profile":1}')
    program = os.path.join(folder, 'design.slb')
    subprocess.run([sluicec, '--device=fpga', source, '-o', program], check=True)
    for words, said in ((['--cycles', program], f'sluice-report: {program}: that is a program: the profile of a run is wanted'),
                        ([program], f'sluice-report: {program}: where to? -o PAGE.html'),
                        ([folder + '/none.json'], 'none.json: No such file or directory'),
                        ([empty, '-o', page], 'it has no "kernels" or no "pipes"'),
                        (['--cycles', source], f'sluice-report: {source}: that is a source'),
                        ([source, '-o', page], 'that is a source'),
                        ([empty, '-o', empty], f'sluice-report: {empty}: that is the file to be read'),
                        (['--cycles', empty, '-o', source], f'sluice-report: {source}: that is a source; behind -o'),
                        ([empty, '-o'], '-o: needs the name of a file'),
                        (['--dephts', empty], '--dephts: not understood: did you mean --depths?'),
                        (['--picture', empty], '--picture: not understood; see sluice-report --help'),
                        ([empty, source], f'sluice-report: {source}: one input file only, and {empty} is another'),
                        (['--cycles', '--depths', page], '--depths: there is another form already')):
        bad = subprocess.run([report, *words], capture_output=True, text=True, check=False)
        if not bad.returncode or said not in bad.stderr:
            fail(f'{words}: {bad.returncode}, {bad.stderr}')
    missing = os.path.join(folder, 'missing.cl')
    bare = os.path.join(folder, 'bare.cl')
    with open(bare, 'w', encoding='utf-8') as file:
        file.write('channel int numbers;\nkernel void k(void) {}\n')
    for words, said in ((['--report', source], f'--report {source}: that is a source'),
                        ([f'--schedule={source}', source], 'that is a source'),
                        (['--device=fpga', '--schedule', page, '--report', page, source], f'sluicec: {page}: two things are to be written there'),
                        (['--device=fpga', '-o', page, '--report', page, source], f'sluicec: {page}: two things are to be written there'),
                        (['--device=cpu', '--report', page, source], 'leave --device=cpu out'),
                        (['--device=cpu', '--schedule', '-', source], 'leave --device=cpu out'),
                        ([source, '-o', os.devnull], 'built for the emulated FPGA (a device of type accelerator; sluicec --device=fpga)'),
                        ([bare, '-o', os.devnull], 'built for the emulated FPGA (a device of type accelerator; sluicec --device=fpga)'),
                        (['--device', 'fpga', source, '-o', os.devnull], '--device: its value stands behind a ='),
                        (['-device=fpga', source, '-o', os.devnull], 'unknown option -device=fpga: did you mean --device=fpga?'),
                        (['--devise=cpu', source, '-o', os.devnull], 'unknown option --devise=cpu: did you mean --device=cpu?'),
                        (['--tims', source, '-o', os.devnull], 'unknown option --tims: did you mean --times?'),
                        (['--no-such-thing', source, '-o', os.devnull], 'unknown option --no-such-thing; see sluicec --help'),
                        (['-march=emulator', source, '-o', os.devnull], "-march=emulator is aoc's: sluicec has --device=fpga,"),
                        ([program, '-o', os.devnull], f'sluicec: {program}: that is a program already'),
                        ([missing, '-o', os.devnull], f'sluicec: {missing}: No such file or directory'),
                        ([folder, '-o', os.devnull], f'sluicec: {folder}: Is a directory')):
        bad = subprocess.run([sluicec, *words], capture_output=True, text=True, check=False)
        if not bad.returncode or said not in bad.stderr or bad.stderr.count('--device=fpga') > 1:
            fail(f'{words}: {bad.returncode}, {bad.stderr}')
    sized = os.path.join(folder, 'sized.cl')
    with open(sized, 'w', encoding='utf-8') as file:
        for name, size in (('most', '4096, 1, 1'), ('wide', '64, 64, 2'), ('huge', '65536, 2, 1')):
            file.write(f'__attribute__((reqd_work_group_size({size}))) kernel void {name}(global int *x) {{ *x = 1; }}\n')
    for device, names in (('cpu', ('wide', 'huge')), ('fpga', ('huge',))):
        good = subprocess.run([sluicec, f'--device={device}', sized, '-o', os.devnull], capture_output=True, text=True, check=False)
        told = [line.split()[2] for line in good.stderr.splitlines() if 'cannot be launched: it requires work-groups' in line]
        if good.returncode or sorted(told) != sorted(names):
            fail(f'sizes on {device}: {good}')
    for tool, option, said in ((sluicec, '-h', 'Usage: sluicec'), (report, '-h', 'Usage: sluice-report'),
                               (sluicec, '--version', 'sluice '), (report, '--version', 'sluice-report ')):
        good = subprocess.run([tool, option], capture_output=True, text=True, check=False)
        if good.returncode or not good.stdout.startswith(said) or good.stderr:
            fail(f'{tool} {option}: {good}')
    return page


def unescape(text):
    return text.replace('&#45;', '-').replace('&#215;', '×').replace('&gt;', '>').replace('&amp;', '&')


def graph(svg):
    """Kernels and edges as Graphviz draws them: titles of nodes are ids, labels the names."""
    nodes = dict(re.findall(r'class="node kernel[^"]*">\s*<title>(\w+)</title>.*?<text[^>]*>([^<]*)<',
                            svg, re.S))
    edges = [unescape(t) for t in re.findall(r'class="edge">\s*<title>([^<]*)</title>', svg)]
    nodes = {key: unescape(text) for key, text in nodes.items()}
    return nodes, [tuple(nodes.get(end.split(':')[0], '?') for end in edge.split('->')) for edge in edges]


def check_text(page, source):
    with open(page, encoding='utf-8') as file:
        html = file.read()
    nodes, edges = graph(html[html.index('<svg'):html.index('</svg>')])
    if set(nodes.values()) != EXPECTED['kernels']:
        fail(f'kernels drawn: {sorted(nodes.values())}')
    if set(edges) != EXPECTED['edges'] or len(edges) != 4:
        fail(f'pipes drawn between {edges}')
    for name in EXPECTED['pipes']:
        if f'<td>{name}</td>' not in html:
            fail(f'{name} is not in the table of pipes')
    for name in ('filtered[0]', 'filtered[1]', 'back'):
        if not re.search(rf'<li>{re.escape(name)} \(line \d+\) has no depth and lies in a feedback',
                         html):
            fail(f'no warning about {name}')
    if '<li>samples' in html:
        fail('a warning about samples, which lies in no loop')
    with open(source, encoding='utf-8') as file:
        lines = file.read().split('\n')
    sites = re.findall(r'<tr[^>]*><td>(\w+)</td><td>(reads|writes) ([^<]*)</td><td>[^<]*:(\d+):(\d+)<', html)
    if len(sites) != 8:
        fail(f'{len(sites)} call sites instead of 8')
    for kernel, verb, pipe, line, column in sites:
        text = lines[int(line) - 1][int(column) - 1:]
        function = 'read_channel_intel' if verb == 'reads' else 'write_channel_intel'
        if not text.startswith(function) or pipe not in text:
            fail(f'{kernel} {verb} {pipe} at {line}:{column}: there it says "{text}"')


def check_browser(page, folder):
    browser = shutil.which('chromium') or shutil.which('google-chrome')
    if not browser:
        sys.exit(77)
    picture = os.path.join(folder, 'page.png')
    subprocess.run([browser, '--headless', '--no-sandbox', '--disable-gpu', '--window-size=1200,800',
                    f'--user-data-dir={folder}/profile', f'--screenshot={picture}',
                    f'file://{page}'], check=True, timeout=60, stderr=subprocess.DEVNULL)
    size = os.path.getsize(picture)
    if size < 20000:  # an empty page of that size compresses to 5 kB
        fail(f'the picture is empty ({size} bytes)')


# Which element it is only the run knows.
INDEXED = """#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int c[4], whole;
kernel void give(int n) { write_channel_intel(c[n & 3], n); write_channel_intel(whole, n); write_channel_intel(c[2], n); }
"""


def check_indexed(sluicec, report, folder):
    source = os.path.join(folder, 'indexed.cl')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(INDEXED)
    with open(make_page(sluicec, report, source, folder), encoding='utf-8') as file:
        sites = re.findall(r'<td>give</td><td>writes ([^<]*)</td>', file.read())
    if sites != ['an element of c', 'whole', 'c[2]']:
        fail(f'call sites of give: {sites}')


def make_row(sluicec, report, folder):
    source = os.path.join(folder, 'row.cl')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(ROW)
    return make_page(sluicec, report, source, folder)


def check_row(page):
    """The id that the node of the units leads to."""
    with open(page, encoding='utf-8') as file:
        html = file.read()
    nodes, edges = graph(html[html.index('<svg'):html.index('</svg>')])
    if sorted(nodes.values()) != ['feed', 'take', 'unit × 5']:
        fail(f'kernels drawn: {sorted(nodes.values())}')
    if sorted(edges) != [('feed', 'unit × 5'), ('unit × 5', 'take'), ('unit × 5', 'unit × 5')]:
        fail(f'pipes drawn between {edges}')
    links = re.findall(r'xlink:href="#(units\d+)"', html)
    if len(set(links)) != 1 or html.count(f'<div id="{links[0]}">') != 1:
        fail(f'links to units: {links}')
    if html.count('<g class="unit"') != 5 or html.count('<g class="wire"') != 4:
        fail('the grid does not have five units and four pipes')
    return links[0]


def check_link(page, target, folder):
    """The units are folded, and unfold for who follows the link."""
    for link, wanted in (('', '<details class="units">'), (f'#{target}', '<details class="units" open="">')):
        shown = subprocess.run([shutil.which('chromium') or shutil.which('google-chrome'), '--headless', '--no-sandbox',
                                '--disable-gpu', f'--user-data-dir={folder}/profile', '--dump-dom', f'file://{page}{link}'],
                               check=True, timeout=60, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        if wanted not in shown:
            fail(f'{link or "without a link"}: no {wanted}')


# A row that is wider than any window; work-items without pipes; the same without any pipe.
WIDE = """#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int next[25] __attribute__((depth(4)));
""" + ''.join(f"""kernel void stage_{i}(void) {{
    for (int i = 0; i < 1000; i++) write_channel_intel(next[{i + 1}], read_channel_intel(next[{i}]));
}}
""" for i in range(24))
# Nobody writes the elements of c or reads d.
GRID = """#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int c[9], d;
__attribute__((max_global_work_dim(0), autorun, num_compute_units(8)))
kernel void u(void) { while (1) read_channel_intel(c[get_compute_id(0) + 1]); }
kernel void f(void) { write_channel_intel(d, 1); }
"""
ITEMS = "kernel void alone(global int *o)\n{\n    o[get_global_id(0)] = 1;\n}\n"

ENDS = """#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int read, written, asked, filled, both;
channel int some[4];
kernel void a(int n) { for (int i = 0; i < n; i++) write_channel_intel(written, i); write_channel_intel(some[2], 3); }
kernel void b(global int *o, int n) { for (int i = 0; i < n; i++) o[i] = read_channel_intel(read); }
kernel void c(global int *o) { bool ok; o[0] = read_channel_nb_intel(asked, &ok); o[1] = read_channel_intel(some[2]);
    o[2] = write_channel_nb_intel(filled, 1); }
kernel void d(global int *o) { bool ok; o[0] = read_channel_nb_intel(both, &ok); o[1] = read_channel_intel(both); }
"""
REGIONS = """__attribute__((reqd_work_group_size(40, 1, 1)))
kernel void tiles(global float *restrict c)
{
    local float tile[40];
    int x = get_local_id(0);
    float sum = 0;
    for (int t = 0; t < 5; t++) {
        tile[x] = c[get_global_id(0) + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 7; k++)
            sum += tile[(x + k) % 40];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[get_global_id(0)] = sum;
}
"""


def page_of(sluicec, report, folder, name, text):
    source = os.path.join(folder, name)
    with open(source, 'w', encoding='utf-8') as file:
        file.write(text)
    module, page = source + '.slb', source + '.html'
    subprocess.run([sluicec, '--device=fpga', '-sluice-timing', source, '-o', module], check=True, stderr=subprocess.DEVNULL)
    subprocess.run([report, module, '-o', page], check=True)
    with open(page, encoding='utf-8') as file:
        return file.read()


def check_wide(sluicec, report, folder):
    """Labels stay as large as people can read, numbers as they are, and each kernel has its file."""
    html = page_of(sluicec, report, folder, 'wide.cl', WIDE + ITEMS)
    least = re.search(r'<svg style="min-width:(\d+)px" width="(\d+)pt"', html)
    if not least or not 0.9 * int(least[2]) < int(least[1]) < 1.1 * int(least[2]):
        fail(f'how narrow the graph may be: {least}')
    tall = re.search(r'width="(\d+)pt" height="(\d+)pt"', html)
    if not tall or int(tall[1]) > 800 or int(tall[2]) < 24 * 50:
        fail(f'a chain is not drawn from top to bottom: {tall and tall[0]}')
    for words in ('II 1, 1000 times', 'work&#45;items, II 1', 'at best 1 cycle for a round of each of 24 kernels'):
        if words not in html:
            fail(f'a wide page lacks "{words}"')
    if len(set(re.findall(r'<text[^>]*text-anchor="start" x="([^"]*)" y="([^"]*)"', html))) < 24:
        fail('lines of a label do not begin at the left')
    grid = page_of(sluicec, report, folder, 'grid.cl', GRID)
    warned = re.findall(r'<li>([^<]*) never', grid)
    if warned != ['c[1] (line 2) and 7 more of the array are', 'd (line 2) is']:
        fail(f'ends that nobody has, of an array: {warned}')
    if not re.search(r'<td>alone</td><td>launched</td><td>[^<]*alone.cl:1<', page_of(sluicec, report, folder, 'alone.cl', ITEMS)):
        fail('a kernel without pipes has no file')


def check_ends(sluicec, report, folder):
    """Pipes that lack an end, in words: who does not wait is not said to wait."""
    page = page_of(sluicec, report, folder, 'ends.cl', ENDS)
    said = [line for line in re.findall(r'<li>([^<]*)</li>', page) if '(line ' in line]
    if said != ['asked (line 2) is never written: kernel c, which does not wait, finds no packet there',
                'both (line 2) is never written: kernel d will wait for ever',
                'filled (line 2) is never read: kernel c, which does not wait, finds no room once it is full',
                'read (line 2) is never written: kernel b will wait for ever',
                'written (line 2) is never read: kernel a will wait for ever']:
        fail(f'ends that pipes lack: {said}')


def check_regions(sluicec, report, folder):
    """Regions of a kernel with barriers: what a group of 40 work-items takes in each is that of all."""
    source = os.path.join(folder, 'regions.cl')
    page = page_of(sluicec, report, folder, 'regions.cl', REGIONS)
    text = subprocess.run([sluicec, '--device=fpga', '--schedule', '-', source], capture_output=True, text=True, check=True).stdout
    items = json.loads(text)['kernels'][0]['items']
    rows = [[unescape(cell) for cell in re.findall(r'<td[^>]*>([^<]*)</td>', row)]
            for row in page[page.index('Regions between barriers'):].split('</table>')[0].split('<tr')[2:]]
    wanted = []
    for number, region in enumerate(items['regions']):
        visits = [visit for visit in items['visits'] if visit['region'] == number]
        cycles = sum(visit['cycles'] + 39 * visit['apart'] for visit in visits)
        wanted.append(['tiles', 'from its begin, line 2' if number == 0 else f'behind the barrier at line {region["line"]}',
                       str(visits[0]['apart']), str(region['depth']), str(len(visits)), str(cycles),
                       f'{100 * cycles / items["group"]["cycles"]:.1f} %', str(items['group']['groups'])])
    if rows != wanted or [row[4] for row in rows] != ['1', '5', '5'] or sum(int(row[5]) for row in rows) != items['group']['cycles']:
        fail(f'regions: {rows} instead of {wanted}, {items}')


def main():
    sluicec, report, source = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        page = make_page(sluicec, report, source, folder)
        check_text(page, source)
        if '--browser' in sys.argv:
            check_browser(page, folder)
        check_indexed(sluicec, report, folder)
        check_wide(sluicec, report, folder)
        check_ends(sluicec, report, folder)
        check_regions(sluicec, report, folder)
        row = make_row(sluicec, report, folder)
        target = check_row(row)
        if '--browser' in sys.argv:
            check_link(row, target, folder)


main()

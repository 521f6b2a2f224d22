// SPDX-License-Identifier: Apache-2.0
// Dataflow designs as elastic circuits, to be simulated with Verilator. Each kernel is a sequencer with slots for what is
// under way, which its tables describe (circuit.py writes them from a schedule); each pipe counts its packets.
//
// A kernel is a chain of items: iterations of innermost loops, and operations outside of loops. Each operation of an item has
// a slot, which counts the cycles of the item. An item begins `step` cycles behind the one before it (II within a loop, the
// depth behind the last iteration, one behind an operation), and no slot comes closer than that to the ones before it in
// the program: what stands still in front holds up what is behind. An operation is tried in its cycle if all that precede
// it in the program, and are not behind it in the schedule, are done.

module kernel #(parameter SLOTS = 256, PIPES = 12, NUMBER = 0)
    (input clk, input [31:0] cycle, input [PIPES-1:0] w_ok, input [PIPES-1:0] r_ok,
     output reg [PIPES-1:0] w_try, output reg [PIPES-1:0] r_try,
     output reg done, output reg [31:0] finish, output reg [31:0] got, output moves);

  // Rows of eight words: items from row 1 on (trips, see below, interval, depth, length, where the loop around goes on or ffffffff,
  // its trips, first operation, operations), operations from row 256 on (cycle, pipe, write, waits, and of round
  // n = base + o * inner + i: only if !(n & mask) and n >= ahead). The first word: how many items there are.
  localparam OPERATIONS = 2048;
  reg [31:0] rom [0:8191];
  reg [31:0] pc [0:SLOTS-1], i [0:SLOTS-1], o [0:SLOTS-1], s [0:SLOTS-1], gap [0:SLOTS-1], length [0:SLOTS-1];
  reg [31:0] which [0:SLOTS-1]; // operation of the item
  reg [31:0] count, first, got_now, op, round, last, step, next_pc, next_i, next_o;
  reg [SLOTS-1:0] advance, did, now;
  reg go, moved, good, again;
  integer j, k;
  string folder, file;

  // So many, and of the round o of the loop around as many more as (o * factor >> shift) & mask; from the highest bit down: mask, shift, four
  // bits each, and factor, eight.
  function [31:0] trips_of(input [31:0] trips, input [31:0] of);
    trips_of = {16'b0, trips[15:0]} + (((of * {24'b0, trips[23:16]}) >> trips[27:24]) & {28'b0, trips[31:28]});
  endfunction

  // Slots of the item at `to`, `behind` the last one.
  task issue(input [31:0] to, input [31:0] to_i, input [31:0] to_o, input [31:0] behind);
    for (k = 0; k == 0 || k < rom[8 + to * 8 + 7]; k = k + 1) begin
      if (count == SLOTS) $display("- kernel %0d: too few slots", NUMBER);
      pc[count] = to; i[count] = to_i; o[count] = to_o; s[count] = 0; which[count] = k; did[count] = 0;
      gap[count] = k == 0 ? behind : 0;
      length[count] = rom[8 + to * 8 + 3];
      count = count + 1;
    end
  endtask

  initial begin
    if (!$value$plusargs("design=%s", folder)) folder = ".";
    file = $sformatf("%s/kernel%0d", folder, NUMBER);
    $readmemh(file, rom);
    done = rom[0] == 0; finish = 0; got = 0; count = 0; did = 0;
    issue(0, 0, 0, 0);
  end

  always_comb begin
    w_try = 0; r_try = 0; moved = 0; got_now = 0; advance = 0; go = 1; now = did;
    op = 0; round = 0; good = 0;
    if (!done) for (j = 0; j < count; j = j + 1) begin
      if (j > 0 && s[j - 1] > s[j] + gap[j]) go = 1; // the one in front is ahead
      op = OPERATIONS + (rom[8 + pc[j] * 8 + 6] + which[j]) * 8;
      round = rom[op + 6] + o[j] * rom[op + 7] + i[j];
      if (go && which[j] < rom[8 + pc[j] * 8 + 7] && s[j] == rom[op] && !did[j] && (round & rom[op + 4]) == 0
          && round >= rom[op + 5]) begin
        if (rom[op + 2] != 0 ? w_try[rom[op + 1]] : r_try[rom[op + 1]]) $display("- kernel %0d: two at once", NUMBER);
        good = rom[op + 2] != 0 ? w_ok[rom[op + 1]] : r_ok[rom[op + 1]];
        if (rom[op + 2] != 0) w_try[rom[op + 1]] = 1; else r_try[rom[op + 1]] = 1;
        if (rom[op + 3] == 0 && good) got_now = got_now + 1;
        if (rom[op + 3] == 0 || good) begin now[j] = 1; moved = 1; end
        else go = 0;
      end
      advance[j] = go && (j == 0 || s[j - 1] + {31'b0, advance[j - 1]} >= s[j] + 1 + gap[j]);
    end
  end
  assign moves = moved || (|advance);

  always_ff @(posedge clk) if (!done) begin
    got = got + got_now;
    for (k = 0; k < count; k = k + 1) begin
      s[k] = s[k] + {31'b0, advance[k]};
      did[k] = now[k] && !advance[k];
    end
    last = count - 1;
    again = i[last] + 1 < trips_of(rom[8 + pc[last] * 8], o[last]);
    step = again ? rom[8 + pc[last] * 8 + 1] : rom[8 + pc[last] * 8 + 2];
    if (advance[last] && s[last] == step) begin
      next_pc = pc[last]; next_i = i[last] + 1; next_o = o[last];
      if (!again) begin
        next_i = 0;
        if (rom[8 + pc[last] * 8 + 4] == 32'hffffffff) next_pc = pc[last] + 1; // inside of the loop around, or none
        else if (o[last] + 1 < rom[8 + pc[last] * 8 + 5]) begin
          next_pc = rom[8 + pc[last] * 8 + 4]; next_o = o[last] + 1;
        end else begin
          next_pc = pc[last] + 1; next_o = 0;
        end
      end
      if (next_pc == rom[0]) begin
        done = 1;
        finish = cycle + 1;
      end else issue(next_pc, next_i, next_o, step);
    end
    first = 0; // slots that are through
    while (first + 1 < count && s[first] >= length[first]) first = first + 1;
    for (k = 0; first > 0 && k + first < count; k = k + 1) begin
      pc[k] = pc[k + first]; i[k] = i[k + first]; o[k] = o[k + first]; s[k] = s[k + first]; gap[k] = gap[k + first];
      length[k] = length[k + first]; which[k] = which[k + first]; did[k] = did[k + first];
    end
    count = count - first;
  end
endmodule

module channel(input clk, input [31:0] depth, input w_try, output w_ok, input r_try, output r_ok,
               output reg [31:0] written, output reg [31:0] taken);
  initial begin written = 0; taken = 0; end
  assign w_ok = written - taken < depth;
  assign r_ok = written != taken;
  always_ff @(posedge clk) begin
    if (w_try && w_ok) written <= written + 1;
    if (r_try && r_ok) taken <= taken + 1;
  end
endmodule

// All of a design. Stands still when nothing has moved in a cycle: then nothing ever will.
module top #(parameter KERNELS = 6, PIPES = 12) (input clk);
  reg [31:0] cycle, depths [0:PIPES-1];
  wire [PIPES-1:0] w_ok, r_ok, w_try [0:KERNELS-1], r_try [0:KERNELS-1];
  wire [KERNELS-1:0] done, moves;
  wire [31:0] finish [0:KERNELS-1], got [0:KERNELS-1], written [0:PIPES-1], taken [0:PIPES-1];
  reg [PIPES-1:0] any_w, any_r;
  integer k;
  string folder, file;
  initial begin
    cycle = 0;
    if (!$value$plusargs("design=%s", folder)) folder = ".";
    file = $sformatf("%s/depths", folder);
    $readmemh(file, depths);
  end
  genvar g;
  generate
    for (g = 0; g < KERNELS; g = g + 1) begin : kernels
      kernel #(.PIPES(PIPES), .NUMBER(g)) it(clk, cycle, w_ok, r_ok, w_try[g], r_try[g], done[g], finish[g], got[g], moves[g]);
    end
    for (g = 0; g < PIPES; g = g + 1) begin : pipes
      channel it(clk, depths[g], any_w[g], w_ok[g], any_r[g], r_ok[g], written[g], taken[g]);
    end
  endgenerate
  always_comb begin
    any_w = 0; any_r = 0;
    for (k = 0; k < KERNELS; k = k + 1) begin
      any_w = any_w | w_try[k];
      any_r = any_r | r_try[k];
    end
  end
  always_ff @(posedge clk) begin
    cycle <= cycle + 1;
    if (!(|moves) || cycle > 1000000) begin
      for (k = 0; k < KERNELS; k = k + 1) $display("kernel %0d %0d %0d %0d", k, done[k], finish[k], got[k]);
      for (k = 0; k < PIPES; k = k + 1) $display("pipe %0d %0d %0d", k, written[k], taken[k]);
      $finish;
    end
  end
endmodule

// SPDX-License-Identifier: Apache-2.0
// Designs whose depths are known. A macro gives each pipe its depth.
#pragma OPENCL EXTENSION cl_intel_channels : enable

#define N 100

// Two ways that meet again: five packets of one are written ahead of the one that is read first.
channel int early __attribute__((depth(EARLY)));
channel int late __attribute__((depth(LATE)));

kernel void fork()
{
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 5; k++)
            write_channel_intel(early, i + k);
        write_channel_intel(late, i);
    }
}

kernel void join()
{
    for (int i = 0; i < N; i++) {
        int sum = read_channel_intel(late);
        for (int k = 0; k < 5; k++)
            sum += read_channel_intel(early);
    }
}

// Feedback: three packets go round.
channel int there[2] __attribute__((depth(THERE)));
channel int back __attribute__((depth(BACK)));

kernel void begin()
{
    for (int i = 0; i < 3; i++)
        write_channel_intel(there[0], i);
    for (int i = 0; i < N; i++)
        write_channel_intel(there[0], read_channel_intel(back));
    for (int i = 0; i < 3; i++)
        read_channel_intel(back);
}

kernel void middle()
{
    for (int i = 0; i < N + 3; i++)
        write_channel_intel(there[1], read_channel_intel(there[0]));
}

kernel void turn()
{
    for (int i = 0; i < (N + 3) / 3; i++) { // all three, then all three
        int a = read_channel_intel(there[1]), b = read_channel_intel(there[1]), c = read_channel_intel(there[1]);
        write_channel_intel(back, a);
        write_channel_intel(back, b);
        write_channel_intel(back, c);
    }
    for (int i = 0; i < (N + 3) % 3; i++)
        write_channel_intel(back, read_channel_intel(there[1]));
}

// What is left in the end has to fit.
channel int rest __attribute__((depth(REST)));

kernel void leave()
{
    for (int i = 0; i < 20; i++)
        write_channel_intel(rest, i);
}

kernel void take()
{
    for (int i = 0; i < 13; i++)
        read_channel_intel(rest);
}

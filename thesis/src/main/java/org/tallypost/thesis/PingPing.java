// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import org.tallypost.schedule.Schedule;
import org.tallypost.schedule.Steps;

/** Each process of the first half with one of the second: both send at once, and then receive. */
record PingPing(int processes, int rounds, int length) implements Schedule
{
    @Override
    public void round(final int rank, final int round, final Steps to)
    {
        final int peer = (rank + processes / 2) % processes;
        to.receive(peer);
        to.send(peer, length);
        to.waitAll();
    }
}

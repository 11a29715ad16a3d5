// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Knobs that other processes set, and knobs of a process that is killed. */
@Tag("once")
class KnobsProcessTest extends ActiveMessagesFixture
{
    private static final int REQUESTS = 4;

    private LoggpKnobs knobs;

    @BeforeEach
    void openRankZero()
    {
        node = Node.launch(context(directory, Flow.DYNAMIC, KnobsProcess.RANKS, KnobsProcess.SLOTS));
        endpoints = new Endpoint[KnobsProcess.RANKS];
        ranks = new ActiveMessages[KnobsProcess.RANKS];
        knobs = LoggpKnobs.open(node, 0);
        open(0, (context) -> context.knobs(knobs));
    }

    @AfterEach
    void closeKnobs()
    {
        knobs.close();
    }

    private File nodeDirectory()
    {
        return new File(directory.toFile(), "node");
    }

    private void driveUntil(final ForkedJvm child, final String line)
    {
        drive(line, () -> line.equals(child.pollLine()));
    }

    /** What the last of them has set is seen, however their sets fall together. */
    @Test
    void shouldSeeWhatTwoProcessesSetAtTheSameTime()
    {
        final KnobValues values = knobs.values();
        try (ForkedJvm one = KnobsProcess.start(directory, Knob.OVERHEAD.name());
            ForkedJvm other = KnobsProcess.start(directory, Knob.GAP.name()))
        {
            Watchdog.await("both knobs at their last value", () ->
            {
                values.look();
                return values.overheadNs() == KnobsProcess.SETS && values.gapNs() == KnobsProcess.SETS;
            });
            assertEquals(0, one.waitFor());
            assertEquals(0, other.waitFor());
        }
        values.look();
        assertEquals(KnobsProcess.SETS, values.overheadNs());
        assertEquals(KnobsProcess.SETS, values.gapNs());
        assertEquals(0, values.latencyNs());
    }

    /** Its requests and those for it are held back by a second when it dies: both end, and the next one is served. */
    @Test
    void shouldEndWhatARankHeldBackThatIsKilled()
    {
        for (int kill = 0; kill < 2; kill++)
        {
            try (ForkedJvm child = KnobsProcess.start(directory, KnobsProcess.SLOW))
            {
                driveUntil(child, "open");
                final List<LoggpKnobs> found = LoggpKnobs.find(nodeDirectory());
                assertEquals(List.of(0, 1), found.stream().map(LoggpKnobs::rank).toList());
                found.get(1).set(Knob.LATENCY, LoggpKnobs.MAX_NS);
                knobs.set(Knob.LATENCY, LoggpKnobs.MAX_NS);
                for (int i = 0; i < REQUESTS; i++)
                {
                    drive("room", () -> ranks[0].tryRequest(1, KnobsProcess.READ, 0, 0, 0, 0, 0) == 0);
                }
                child.kill();
                Watchdog.await("the end of the process", () -> !found.get(1).isLive());
                final String text =
                    assertThrows(IllegalStateException.class, () -> found.get(1).set(Knob.LATENCY, 0)).getMessage();
                assertTrue(text.contains("rank 1 is gone"), text);
                assertEquals(List.of(0), LoggpKnobs.find(nodeDirectory()).stream().map(LoggpKnobs::rank).toList());
            }
            drive("ends", () -> ranks[0].unanswered() == 0);
            assertEquals(Collections.nCopies(REQUESTS, "0>1:" + KnobsProcess.READ + " PEER_GONE"), failures);
            failures.clear();
            knobs.set(Knob.LATENCY, 0);
        }
        assertEquals(List.of(), errors);
    }
}

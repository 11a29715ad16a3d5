// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/** A process that dies, or stands still for a while, right after any step of a send. */
@Tag("once")
class KilledAtEveryStepTest
{
    private static final int LENGTH = 300;
    private static final int DOOMED = 1;

    @TempDir
    private File directory;

    private Rig rig;
    private ClaimMark mark;
    private CheckingHandler handler;
    private boolean isDoomedGone;

    /** A run of five slots lies over the end of the ring of eight: the position before it is 5. */
    private ForkedJvm start(final SteppingProcess.Step step)
    {
        rig = new Rig(directory, 2, 8, 8);
        mark = rig.takeMark(rig.process);
        handler = new CheckingHandler(2);
        for (int i = 0; i < 5; i++)
        {
            rig.send(mark, 0, i, 20);
        }
        assertEquals(5, rig.poller.poll(handler, 10));
        final ForkedJvm child = ForkedJvm.start(SteppingProcess.class, directory, step, DOOMED, LENGTH);
        assertEquals(step.name(), child.readLine());
        return child;
    }

    private int recover()
    {
        return rig.poller.recover(rig.registry, (source) -> source != DOOMED || !isDoomedGone);
    }

    private void shouldWaitWhileTheSenderLives(final SteppingProcess.Step step)
    {
        rig.send(mark, 0, 5, 30);
        final int before = step.isPublished() || step == SteppingProcess.Step.ABORTED ? 2 : step.isHole() ? 0 : 1;
        assertEquals(before, rig.poller.poll(handler, 10));
        for (int i = 0; i < 5; i++)
        {
            assertEquals(0, rig.registry.declareDead());
            assertEquals(0, recover());
            assertEquals(0, rig.poller.poll(handler, 10));
        }
    }

    private void shouldGoOnAfterItsDeath(final SteppingProcess.Step step)
    {
        final long startNs = System.nanoTime();
        Watchdog.await("proof of death", () -> rig.registry.declareDead() == 1);
        isDoomedGone = true;
        Watchdog.await("messages behind the dead claim", () ->
        {
            recover();
            rig.poller.poll(handler, 10);
            return handler.next[0] == 6;
        });
        System.out.println("KilledAtEveryStepTest: " + step + ", found and skipped in " +
            (System.nanoTime() - startNs) / 1000 + " us");
        assertEquals(step.isPublished() ? 1 : 0, handler.next[DOOMED]);
        assertEquals(step.isHole() ? MailboxDescriptor.slots(LENGTH) : 0, rig.poller.skippedSlots());
        assertEquals(rig.box.writePosition(), rig.poller.position());
        assertEquals(0, rig.poller.corruptCount());
        rig.registry.forgetDeadClaims(rig.box, rig.poller.position());
        for (int i = 0; i < Rig.MARKS - 1; i++)
        {
            // its line can be used again
            rig.takeMark(rig.process);
        }
        shouldWorkForSomeLaps();
    }

    private void shouldWorkForSomeLaps()
    {
        for (int i = 6; i < 100; i++)
        {
            rig.send(mark, 0, i, 16 + i * 4);
            assertEquals(1, rig.poller.poll(handler, 10));
        }
        assertEquals(0, recover());
    }

    @ParameterizedTest
    @EnumSource
    void shouldSkipTheClaimOfAKilledSender(final SteppingProcess.Step step)
    {
        try (ForkedJvm child = start(step))
        {
            shouldWaitWhileTheSenderLives(step);
            child.kill();
            shouldGoOnAfterItsDeath(step);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ADDED", "HALF_WRITTEN", "PUBLISHED", "DEFERRED_CLEARED"})
    void shouldSkipTheClaimOfASenderThatHalts(final SteppingProcess.Step step)
    {
        try (ForkedJvm child = start(step))
        {
            child.writeLine("halt");
            assertEquals(3, child.waitFor());
            rig.send(mark, 0, 5, 30);
            shouldGoOnAfterItsDeath(step);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INTENDED", "ADDED", "CLAIMED", "HALF_WRITTEN", "DEFERRED", "DEFERRED_CLEARED"})
    void shouldWaitForASenderThatIsStopped(final SteppingProcess.Step step)
    {
        try (ForkedJvm child = start(step))
        {
            child.stop();
            shouldWaitWhileTheSenderLives(step);
            child.resume();
            child.writeLine("finish");
            assertEquals("finished", child.readLine());
            Watchdog.await("both messages", () ->
            {
                rig.poller.poll(handler, 10);
                return handler.messages == 7;
            });
            assertEquals(1, handler.next[DOOMED]);
            assertEquals(0, rig.poller.skippedSlots());
            assertTrue(rig.poller.position() == rig.box.writePosition());
            shouldWorkForSomeLaps();
        }
    }
}

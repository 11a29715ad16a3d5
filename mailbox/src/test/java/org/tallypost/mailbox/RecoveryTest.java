// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.Heartbeats;
import org.tallypost.mailbox.process.NodeLock;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.mailbox.process.RegistryDescriptor;

/** What a consumer concludes from marks, headers and the registry, one case at a time. */
class RecoveryTest
{
    private static final int SOURCES = 4;

    @TempDir
    private File directory;

    private Rig rig;
    private CheckingHandler handler;
    private ClaimMark live;
    private int doomedProcess;
    private ClaimMark doomed;

    @BeforeEach
    void setUp()
    {
        rig = new Rig(directory, SOURCES, 32, 8);
        handler = new CheckingHandler(SOURCES);
        live = rig.takeMark(rig.process);
        doomedProcess = rig.join();
        doomed = rig.takeMark(doomedProcess);
    }

    private long addAndDie(final int slots)
    {
        doomed.intend(rig.box.claimKey(), slots);
        final long position = rig.add(slots);
        rig.declareGone(doomedProcess);
        return position;
    }

    private void poll(final int expected)
    {
        assertEquals(expected, rig.poller.poll(handler, 100));
    }

    @Test
    void shouldFindTheEndOfAHoleByTheNextHeader()
    {
        addAndDie(3);
        rig.send(live, 0, 0, 100);
        poll(0);
        assertEquals(3, rig.recover());
        poll(1);
    }

    @Test
    void shouldFindTheEndOfAHoleByTheNextMark()
    {
        addAndDie(3);
        live.intend(rig.box.claimKey(), 2);
        final long position = rig.box.claim(live, 2);
        assertEquals(3, rig.recover());
        assertEquals(0, rig.recover());
        Payload.fill(rig.box.buffer(), rig.box.payloadOffset(position), 80, 0, 0);
        rig.box.publish(live, position, Rig.TYPE, 0, 80, 0);
        poll(1);
    }

    /** Laps repeat in headers, so traffic goes on beside such a write position: what is sent meanwhile is as good as any. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 1, -5, 1L << 20, 1L << 41, -(1L << 41), 1L << 42})
    void shouldKeepWhatIsSentBesideAWritePositionWhoseLapsLookRight(final long cycles)
    {
        rig.send(live, 0, 0, 300);
        poll(1);
        rig.send(live, 0, 1, 100);
        rig.box.buffer().getAndAddLong(
            MailboxDescriptor.WRITE_POSITION_OFFSET, cycles * rig.box.ringSlots() << MailboxDescriptor.LAP_BITS);
        rig.send(live, 1, 0, 300);
        poll(2);
        rig.send(live, 1, 1, 200);
        // the run behind it is claimed before the repair, and published after it
        live.intend(rig.box.claimKey(), 2);
        final long position = rig.box.claim(live, 2);
        assertEquals(0, rig.recover());
        assertEquals(rig.poller.position() + 6, rig.box.writePosition());
        assertEquals(1, rig.poller.corruptCount());
        poll(1);
        final ClaimMark other = rig.takeMark(rig.process);
        rig.send(other, 1, 2, 1);
        assertEquals(0, rig.recover(), "its thread lives");
        assertEquals(0, rig.recover());
        Payload.fill(rig.box.buffer(), rig.box.payloadOffset(position), 80, 0, 2);
        rig.box.publish(live, position, Rig.TYPE, 0, 80, 0);
        poll(2);
        assertEquals(rig.box.writePosition(), rig.box.readPosition());
        assertEquals(3, handler.next[0]);
        assertEquals(3, handler.next[1]);
        assertEquals(0, rig.recover());
    }

    @Test
    void shouldSkipTheRestOfRunsThatWereClaimedTogether()
    {
        final ClaimMark batching = rig.takeMark(doomedProcess);
        batching.intend(rig.box.claimKey(), 5);
        final long position = rig.box.claim(batching, 5);
        Payload.fill(rig.box.buffer(), rig.box.payloadOffset(position), 80, 0, 0);
        rig.box.settle(position, Rig.TYPE, 0, 80, 0);
        // died in the midst of the second run; its payload looks like a header where one would be
        rig.box.buffer().putLong(rig.box.slotOffset(position + 3),
            MailboxDescriptor.header(rig.box.lap(position + 3), Rig.TYPE, 0, 8, 0));
        rig.declareGone(doomedProcess);
        rig.send(live, 0, 1, 100);
        poll(1);
        assertEquals(3, rig.recover());
        poll(1);
        assertEquals(0, rig.recover());
    }

    @Test
    void shouldSkipWhatIsLeftOfSeveralDeadAtOnce()
    {
        final int otherProcess = rig.join();
        final ClaimMark other = rig.takeMark(otherProcess);
        final ClaimMark third = rig.takeMark(doomedProcess);
        other.intend(rig.box.claimKey(), 2);
        rig.add(2);
        third.intend(rig.box.claimKey(), 5);
        final long position = rig.box.claim(third, 5);
        rig.box.buffer().setMemory(rig.box.payloadOffset(position), 300, (byte)0x55);
        addAndDie(4);
        rig.declareGone(otherProcess);
        rig.send(live, 0, 0, 400);
        int skipped = 0;
        for (int count = rig.recover(); count > 0; count = rig.recover())
        {
            skipped += count;
        }
        assertEquals(2 + 5 + 4, skipped);
        poll(1);
        rig.registry.forgetDeadClaims(rig.box, rig.poller.position());
        for (int i = 1; i < 100; i++)
        {
            rig.send(live, 0, i, 16 + i);
            poll(1);
        }
    }

    @Test
    void shouldNotBeStarvedBySendersThatTryAgainAndAgain()
    {
        addAndDie(3);
        live.intend(rig.box.claimKey(), 2);
        assertEquals(0, rig.recover());
        live.clear();
        live.intend(rig.box.claimKey(), 2);
        assertEquals(3, rig.recover());
    }

    @Test
    void shouldWaitForAThreadThatMayHaveClaimedTheSlot()
    {
        addAndDie(3);
        live.intend(rig.box.claimKey(), 2);
        final long position = rig.add(2);
        for (int i = 0; i < 10; i++)
        {
            assertEquals(0, rig.recover());
        }
        live.claimed(position);
        assertEquals(3, rig.recover());
        assertEquals(0, rig.recover());
    }

    @Test
    void shouldNotSkipWhatWasClaimedAfterTheFirstLook()
    {
        addAndDie(3);
        live.intend(rig.box.claimKey(), 2);
        assertEquals(0, rig.recover());
        live.clear();
        live.intend(rig.box.claimKey(), 2);
        final long position = rig.add(2);
        assertEquals(3, rig.recover());
        for (int i = 0; i < 10; i++)
        {
            assertEquals(0, rig.recover());
        }
        rig.box.claim(rig.takeMark(rig.process), 1);
        assertEquals(0, rig.recover());
        Payload.fill(rig.box.buffer(), rig.box.payloadOffset(position), 70, 0, 0);
        rig.box.publish(live, position, Rig.TYPE, 0, 70, 0);
        poll(1);
    }

    @Test
    void shouldSkipAKnownDeadClaimAlsoWhileAnotherThreadStandsStill()
    {
        doomed.intend(rig.box.claimKey(), 3);
        rig.box.claim(doomed, 3);
        live.intend(rig.box.claimKey(), 2);
        rig.declareGone(doomedProcess);
        assertEquals(3, rig.recover());
    }

    @Test
    void shouldKeepADeferredRunThatIsSettledBeforeItsSourceGoes()
    {
        live.intend(rig.box.claimKey(), 2);
        final long position = rig.box.claim(live, 2);
        rig.box.defer(live, position, 80, 0);
        assertEquals(0, rig.recover());
        assertEquals(0, rig.poller.recover(rig.registry, (source) ->
        {
            Payload.fill(rig.box.buffer(), rig.box.payloadOffset(position), 80, 0, 0);
            rig.box.settle(position, Rig.TYPE, 0, 80, 0);
            return false;
        }));
        poll(1);
    }

    @Test
    void shouldSkipADeferredRunOfADeadSource()
    {
        live.intend(rig.box.claimKey(), 2);
        rig.box.defer(live, rig.box.claim(live, 2), 80, 3);
        rig.send(live, 0, 0, 20);
        poll(0);
        assertEquals(0, rig.recover());
        assertEquals(2, rig.poller.recover(rig.registry, (source) -> source != 3));
        poll(1);
    }

    @Test
    void shouldSurviveAThreadThatWasDeclaredGoneAndPublishesLate()
    {
        doomed.intend(rig.box.claimKey(), 2);
        final long position = rig.box.claim(doomed, 2);
        rig.declareGone(doomedProcess);
        assertEquals(2, rig.recover());
        int lost = 0;
        for (int i = 0; i < 200; i++)
        {
            rig.send(live, 0, handler.next[0], 40);
            if (i % 7 == 0)
            {
                rig.box.settle(position, Rig.TYPE, 0, 40, 1);
            }
            if (rig.poller.poll(handler, 10) == 0)
            {
                assertEquals(1, rig.recover());
                lost++;
            }
        }
        assertTrue(lost <= 200 / 7, "lost " + lost);
        assertEquals(0, handler.next[1], "nothing of it is delivered");
        assertEquals(rig.box.writePosition(), rig.poller.position());
    }

    @Test
    void shouldNotGiveAwayTheMarkOfADeadClaimBeforeItHasServed()
    {
        final long position = addAndDie(3);
        final List<ClaimMark> marks = new ArrayList<>();
        for (int i = 2; i < Rig.MARKS; i++)
        {
            marks.add(rig.takeMark(rig.process));
        }
        final MailboxException ex = assertThrows(MailboxException.class, () -> rig.takeMark(rig.process));
        assertTrue(ex.getMessage().contains("marks=" + Rig.MARKS), ex.getMessage());
        rig.registry.forgetDeadClaims(rig.box, position);
        assertThrows(MailboxException.class, () -> rig.takeMark(rig.process));
        assertEquals(3, rig.recover());
        rig.registry.forgetDeadClaims(rig.box, rig.poller.position());
        rig.takeMark(rig.process);
    }

    @Test
    void shouldForgetWhatTheDeadLeftForOlderIncarnations()
    {
        addAndDie(3);
        final Mailbox next = Mailbox.create(Rig.boxFile(directory), 7, 2, SOURCES, 32, 8);
        final Mailbox other = Mailbox.create(new File(directory, "other"), 8, 2, SOURCES, 32, 8);
        rig.registry.forgetDeadClaims(other, 0);
        assertNotEquals(0, rig.registryBuffer().getLong(markOffset(1)));
        rig.registry.forgetDeadClaims(next, 0);
        assertEquals(0, rig.registryBuffer().getLong(markOffset(1)));
    }

    private static int markOffset(final int mark)
    {
        return RegistryDescriptor.markOffset(Rig.PROCESSES, mark);
    }

    @Test
    void shouldGiveAnEntryThatIsUsedAgainANewIncarnation()
    {
        final int incarnation = rig.registry.incarnation(doomedProcess);
        assertTrue(rig.registry.isLive(doomedProcess, incarnation));
        rig.declareGone(doomedProcess);
        assertFalse(rig.registry.isLive(doomedProcess, incarnation));
        final List<Integer> joined = new ArrayList<>();
        for (int i = 1; i < Rig.PROCESSES; i++)
        {
            joined.add(rig.join());
        }
        assertTrue(joined.contains(doomedProcess));
        assertFalse(rig.registry.isLive(doomedProcess, incarnation));
        assertTrue(rig.registry.isLive(doomedProcess, rig.registry.incarnation(doomedProcess)));
        final MailboxException ex = assertThrows(MailboxException.class, () -> rig.join());
        assertTrue(ex.getMessage().contains("processes=" + Rig.PROCESSES), ex.getMessage());
        rig.registry.leave(doomedProcess, incarnation);
        assertThrows(MailboxException.class, () -> rig.join());
        rig.registry.leave(doomedProcess, rig.registry.incarnation(doomedProcess));
        assertEquals(doomedProcess, rig.join());
    }

    @Test
    void shouldDeclareGoneByIdentityAndByHeartbeatElsewhere()
    {
        final UnsafeBuffer registry = rig.registryBuffer();
        final int offset = RegistryDescriptor.entryOffset(doomedProcess);
        final Heartbeats seen = new Heartbeats(Rig.PROCESSES);
        for (int look = 0; look < 5; look++)
        {
            assertEquals(0, rig.registry.declareGone(seen, look * 1_000_000, 1), "this process lives, whatever its heartbeat");
        }
        registry.putLong(offset + RegistryDescriptor.NAMESPACE_OFFSET, 42);
        registry.putLong(offset + RegistryDescriptor.HEARTBEAT_OFFSET, 1);
        assertEquals(0, rig.registry.declareDead(), "nothing is proven, however old its heartbeat is by the clock on the wall");
        assertEquals(0, rig.registry.declareGone(seen, 10_000_000, 1000));
        assertEquals(0, rig.registry.declareGone(seen, 10_000_500, 1000));
        assertEquals(0, rig.registry.declareGone(seen, 10_001_000, 1000));
        assertEquals(1, rig.registry.declareGone(seen, 10_001_001, 1000));
        assertEquals(0, rig.registry.declareGone(seen, 10_001_001, 1000));
        final int next = rig.join();
        final int nextOffset = RegistryDescriptor.entryOffset(next);
        registry.getAndAddLong(nextOffset + RegistryDescriptor.START_TIME_OFFSET, 1);
        assertEquals(ProcessIdentity.Liveness.DEAD, rig.registry.identity(next).probe(), "its pid is another's now");
        assertEquals(1, rig.registry.declareDead());
        assertEquals(ProcessIdentity.Liveness.ALIVE, rig.registry.identity(rig.process).probe());
    }

    @Test
    void shouldTellSilenceByAClockThatDoesNotJump()
    {
        final int offset = RegistryDescriptor.entryOffset(doomedProcess);
        rig.registryBuffer().putLong(offset + RegistryDescriptor.NAMESPACE_OFFSET, 42);
        final Heartbeats seen = new Heartbeats(Rig.PROCESSES);
        final long[] wallsMs = {1_000_000, 1_500_000, 2_000, 2_001};
        for (int look = 0; look < wallsMs.length; look++)
        {
            rig.registry.heartbeat(doomedProcess, wallsMs[look]);
            assertEquals(0, rig.registry.declareGone(seen, look * 1_000, 1_000), "it lives, whatever the clock on the wall");
        }
        assertEquals(0, rig.registry.declareGone(seen, 1_000_000, 1_000), "the process that looks was away itself");
        assertEquals(1, rig.registry.declareGone(seen, 1_000_001, 1_000));
    }

    /** A start time that is another one's is what a dead process leaves. */
    @Test
    void shouldAskTheSystemOnlyAboutProcessesThatStandStill()
    {
        final int entry = RegistryDescriptor.entryOffset(doomedProcess);
        final Heartbeats seen = new Heartbeats(Rig.PROCESSES);
        for (int look = 0; look < 3; look++)
        {
            rig.registry.heartbeat(doomedProcess, look);
            assertEquals(0, rig.registry.declareGone(seen, look, 1_000));
        }
        rig.registryBuffer().getAndAddLong(entry + RegistryDescriptor.START_TIME_OFFSET, 1);
        rig.registry.heartbeat(doomedProcess, 3);
        assertEquals(0, rig.registry.declareGone(seen, 3, 1_000), "it was there since the last look");
        assertEquals(1, rig.registry.declareGone(seen, 4, 1_000), "the second look after a death finds it");
    }

    @Test
    void shouldAskOnceForAllAboutAProcessThatIsLate()
    {
        final int entry = RegistryDescriptor.entryOffset(doomedProcess);
        final Heartbeats seen = new Heartbeats(Rig.PROCESSES);
        final Heartbeats seenByOther = new Heartbeats(Rig.PROCESSES);
        for (int look = 0; look < 3; look++)
        {
            assertEquals(0, rig.registry.declareGone(seen, look, 1_000));
            assertEquals(0, rig.registry.declareGone(seenByOther, look, 1_000));
        }
        rig.registryBuffer().getAndAddLong(entry + RegistryDescriptor.START_TIME_OFFSET, 1);
        assertEquals(0, rig.registry.declareGone(seen, 3, 1_000), "the other one has asked since the last look");
        assertEquals(1, rig.registry.declareGone(seen, 4, 1_000), "the second look after a death finds it");
    }

    @Test
    void shouldAskAgainAboutAProcessThatItHasAskedAboutItself()
    {
        final int entry = RegistryDescriptor.entryOffset(doomedProcess);
        final Heartbeats seen = new Heartbeats(Rig.PROCESSES);
        for (int look = 0; look < 3; look++)
        {
            assertEquals(0, rig.registry.declareGone(seen, look, 1_000));
        }
        rig.registryBuffer().getAndAddLong(entry + RegistryDescriptor.START_TIME_OFFSET, 1);
        assertEquals(1, rig.registry.declareGone(seen, 3, 1_000), "what it has put itself is no sign of life");
    }

    @Test
    void shouldGiveTheEntryOfADeadProcessAwayThatNobodyHasNoticed()
    {
        for (int i = 2; i < Rig.PROCESSES; i++)
        {
            rig.join();
        }
        assertThrows(MailboxException.class, () -> rig.join());
        rig.registryBuffer().getAndAddLong(
            RegistryDescriptor.entryOffset(doomedProcess) + RegistryDescriptor.START_TIME_OFFSET, 1);
        assertEquals(doomedProcess, rig.join());
    }

    @Test
    void shouldAskAboutEachProcessInTurn()
    {
        final int entry = RegistryDescriptor.entryOffset(doomedProcess);
        final Heartbeats seen = new Heartbeats(Rig.PROCESSES);
        int gone = 0;
        int look = 0;
        while (gone == 0)
        {
            assertTrue(look <= 2 * Rig.PROCESSES, "a heartbeat that another one writes hides a death for ever");
            rig.registry.heartbeat(doomedProcess, ++look);
            gone = rig.registry.declareGone(seen, look, 1_000);
            if (look == 1)
            {
                rig.registryBuffer().getAndAddLong(entry + RegistryDescriptor.START_TIME_OFFSET, 1);
            }
            else if (look == 2)
            {
                // damage: more have joined than it says
                rig.registryBuffer().putInt(RegistryDescriptor.LAST_INCARNATION_OFFSET, 1);
            }
        }
        assertEquals(1, gone);
    }

    @Test
    void shouldTellWhetherAnybodyIsHereBeforeAnythingIsDeclared()
    {
        final UnsafeBuffer registry = rig.registryBuffer();
        final Heartbeats seen = new Heartbeats(Rig.PROCESSES);
        assertEquals(ProcessIdentity.Liveness.ALIVE, rig.registry.observe(seen, 0, 1000));
        for (int process = 0; process < Rig.PROCESSES; process++)
        {
            registry.putLong(RegistryDescriptor.entryOffset(process) + RegistryDescriptor.NAMESPACE_OFFSET, 42);
        }
        for (int look = 0; look < 4; look++)
        {
            rig.registry.heartbeat(doomedProcess, 1);
            assertEquals(ProcessIdentity.Liveness.UNKNOWN, rig.registry.observe(seen, look * 1000, 1000), "one goes on");
        }
        assertEquals(ProcessIdentity.Liveness.UNKNOWN, rig.registry.observe(seen, 4000, 1000));
        assertEquals(ProcessIdentity.Liveness.DEAD, rig.registry.observe(seen, 4001, 1000));
        assertTrue(rig.registry.liveCount() > 0, "nothing was declared");
    }

    @Test
    void shouldLockOnAPrivateFile() throws Exception
    {
        assertEquals("rw-------", PosixFilePermissions.toString(
            Files.getPosixFilePermissions(NodeLock.file(directory).toPath())));
    }
}

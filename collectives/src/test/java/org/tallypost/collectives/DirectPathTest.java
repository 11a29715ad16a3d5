// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.collectives.internal.ArenaDescriptor;
import org.tallypost.collectives.internal.ExposureDescriptor;
import org.tallypost.mailbox.Watchdog;

/** Data that are read straight out of buffers of other members: members fail, lines lie, buffers are taken back. */
@Tag("once")
class DirectPathTest
{
    /** Rounds until one of them allocates nothing. */
    private static final int MOST_ROUNDS = 20;
    private static final int LENGTH = 4_096;
    private static final int PART_LENGTH = 64 * 1024;
    private static final byte MINE = 7;
    private static final byte OVERWRITTEN = 99;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    DirectPathTest()
    {
        System.out.println("DirectPathTest: seed=" + seed);
    }

    private static TeamRig rig(final TeamRig.Reach reach, final int members)
    {
        return new TeamRig(members, 4, 1_024, reach, PART_LENGTH);
    }

    private static UnsafeBuffer in(final TeamRig rig, final int member)
    {
        final UnsafeBuffer in = rig.parts == null ? new UnsafeBuffer(new byte[members(rig)]) :
            new UnsafeBuffer(rig.parts[member], 64, members(rig));
        in.setMemory(0, in.capacity(), MINE);
        return in;
    }

    private static int members(final TeamRig rig)
    {
        return rig.size() * LENGTH;
    }

    private Operation start(
        final TeamRig rig, final Kind kind, final Algorithm algorithm, final int member, final UnsafeBuffer in,
        final UnsafeBuffer out)
    {
        return MatrixTest.start(
            rig.teams[member], kind, algorithm, 0, ElementType.BYTES, Reducers.OR, in, out, 0, LENGTH, false);
    }

    /** A member leaves at some moment: the others end, or have got through with what it had. None has what it writes then. */
    @ParameterizedTest
    @EnumSource(value = TeamRig.Reach.class, names = {"MEMORY", "PROCESS"})
    void shouldEndAtAllMembersAndReadNothingThatIsTakenBack(final TeamRig.Reach reach)
    {
        int ended = 0;
        int through = 0;
        for (int round = 0; round < 2_000 || ended == 0 || through == 0; round++)
        {
            final TeamRig rig = rig(reach, 2 + random.nextInt(4));
            final Kind kind = Kind.values()[1 + random.nextInt(Kind.values().length - 1)];
            final Algorithm algorithm = random.nextBoolean() ? Algorithm.DIRECT : Algorithm.DIRECT_SLICES;
            final int victim = random.nextInt(rig.size());
            final Operation[] operations = new Operation[rig.size()];
            final UnsafeBuffer[] in = new UnsafeBuffer[rig.size()];
            final UnsafeBuffer[] out = new UnsafeBuffer[rig.size()];
            for (final int i : rig.shuffled(random))
            {
                in[i] = in(rig, i);
                out[i] = new UnsafeBuffer(new byte[members(rig)]);
                operations[i] = start(rig, kind, algorithm, i, in[i], out[i]);
            }
            for (int turns = random.nextInt(6 * rig.size()); turns > 0; turns--)
            {
                operations[random.nextInt(rig.size())].progress();
            }
            rig.teams[victim].close();
            in[victim].setMemory(0, in[victim].capacity(), OVERWRITTEN);
            final List<Operation> left = new ArrayList<>(List.of(operations));
            for (int i = 0; i < rig.size(); i++)
            {
                final Barrier barrier = rig.teams[i].newBarrier();
                barrier.start();
                left.add(barrier);
            }
            rig.finish(random, left.toArray(new Operation[0]));
            for (int i = 0; i < rig.size(); i++)
            {
                final String what = kind + " by " + algorithm + ", member " + i + ", victim " + victim + ", seed=" + seed;
                assertTrue(left.get(rig.size() + i).result() < 0, what);
                ended += operations[i].result() < 0 ? 1 : 0;
                through += operations[i].result() >= 0 ? 1 : 0;
                for (int at = 0; at < out[i].capacity() && operations[i].result() >= 0; at++)
                {
                    assertNotEquals(OVERWRITTEN, out[i].getByte(at), what);
                }
            }
        }
    }

    /** A member that gives nothing gets through and leaves, while another one has still to read what the root gives. */
    @ParameterizedTest
    @EnumSource(value = TeamRig.Reach.class, names = {"MEMORY", "PROCESS"})
    void shouldGetThroughWhenOneThatGivesNothingHasLeft(final TeamRig.Reach reach)
    {
        final TeamRig rig = rig(reach, 3);
        final Operation[] operations = new Operation[3];
        for (int i = 0; i < 3; i++)
        {
            operations[i] = start(rig, Kind.BROADCAST, Algorithm.DIRECT, i, in(rig, i), new UnsafeBuffer(new byte[members(rig)]));
        }
        while (operations[1].progress() == Team.IN_PROGRESS)
        {
            assertTrue(operations[2].isActive(), "it has not read yet");
        }
        rig.teams[1].close();
        rig.finish(random, operations[0], operations[2]);
        for (final Operation operation : operations)
        {
            assertEquals(0, operation.result(), Team.errorString(operation.result()));
        }
    }

    /** Bytes of a line that says where data are get other values: the team ends, or the values were as good. */
    @ParameterizedTest
    @EnumSource(value = TeamRig.Reach.class, names = {"MEMORY", "PROCESS"})
    void shouldReadNothingElsewhere(final TeamRig.Reach reach)
    {
        int refused = 0;
        for (int round = 0; round < 2_000 || refused == 0; round++)
        {
            final TeamRig rig = rig(reach, 3);
            final Kind kind = Kind.values()[1 + random.nextInt(Kind.values().length - 1)];
            final Algorithm algorithm = random.nextBoolean() ? Algorithm.DIRECT : Algorithm.DIRECT_SLICES;
            final Operation[] operations = new Operation[3];
            final int liar = random.nextInt(3);
            operations[liar] = start(rig, kind, algorithm, liar, in(rig, liar), new UnsafeBuffer(new byte[members(rig)]));
            final int line = ArenaDescriptor.membersOffset(3) + liar * ArenaDescriptor.memberLength(4);
            assertEquals(1, rig.memory.getLong(line + ArenaDescriptor.STEP_OFFSET), "its first step is shown");
            final int at = line + ArenaDescriptor.PAYLOAD_OFFSET + random.nextInt(ExposureDescriptor.LENGTH);
            rig.memory.putByte(at, (byte)(rig.memory.getByte(at) ^ 1 + random.nextInt(255)));
            for (int i = 0; i < 3; i++)
            {
                operations[i] = i == liar ? operations[i] :
                    start(rig, kind, algorithm, i, in(rig, i), new UnsafeBuffer(new byte[members(rig)]));
            }
            rig.finish(random, operations);
            refused += operations[0].result() == Team.DAMAGED ? 1 : 0;
        }
    }

    /** A buffer is closed while a reader is in it: that waits for the reader, and no other one enters. */
    @Test
    void shouldWaitForReadersBeforeABufferIsTakenBack() throws InterruptedException
    {
        final LocalMemory buffers = new LocalMemory(3, 4);
        assertTrue(buffers.tryEnter(1, 0));
        assertTrue(buffers.tryEnter(2, 1));
        buffers.exit(2);
        final AtomicBoolean isClosed = new AtomicBoolean();
        final Thread owner = new Thread(() ->
        {
            buffers.close(0);
            isClosed.set(true);
        });
        owner.start();
        Watchdog.await("the buffer is closed for others", () -> !enters(buffers));
        assertFalse(isClosed.get(), "a reader is in it");
        buffers.exit(1);
        Watchdog.await("end of the owner", isClosed::get);
        owner.join();
        assertTrue(buffers.tryEnter(2, 1), "the buffer of another member is open");
        buffers.exit(2);
    }

    private static boolean enters(final LocalMemory buffers)
    {
        final boolean isIn = buffers.tryEnter(2, 0);
        if (isIn)
        {
            buffers.exit(2);
        }
        return isIn;
    }

    @ParameterizedTest
    @EnumSource(value = TeamRig.Reach.class, names = {"MEMORY", "PROCESS"})
    void shouldAllocateNothing(final TeamRig.Reach reach)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final TeamRig rig = rig(reach, 3);
        final UnsafeBuffer[] in = {in(rig, 0), in(rig, 1), in(rig, 2)};
        final UnsafeBuffer out = new UnsafeBuffer(new byte[members(rig)]);
        final AllReduce[] sums = new AllReduce[3];
        final Broadcast[] broadcasts = new Broadcast[3];
        for (int i = 0; i < 3; i++)
        {
            sums[i] = rig.teams[i].newAllReduce(ElementType.LONG, Reducers.SUM);
            sums[i].force(Algorithm.DIRECT_SLICES);
            broadcasts[i] = rig.teams[i].newBroadcast();
            broadcasts[i].force(Algorithm.DIRECT);
        }
        // first calls load classes, and code that is compiled later may still allocate what the last compiler leaves out
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && allocated > 0; round++)
        {
            final long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int use = 0; use < 10_000; use++)
            {
                for (int i = 0; i < 3; i++)
                {
                    sums[i].start(in[i], 0, out, 0, LENGTH / 8);
                    broadcasts[i].start(1, i == 1 ? in[1] : out, 0, LENGTH);
                }
                while (sums[0].isActive() || sums[1].isActive() || sums[2].isActive() ||
                    broadcasts[0].isActive() || broadcasts[1].isActive() || broadcasts[2].isActive())
                {
                    for (int i = 0; i < 3; i++)
                    {
                        sums[i].progress();
                        broadcasts[i].progress();
                    }
                }
            }
            allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        }
        assertEquals(Algorithm.DIRECT_SLICES, sums[0].algorithm());
        assertEquals(Algorithm.DIRECT, broadcasts[0].algorithm());
        assertTrue(broadcasts[2].result() >= 0);
        assertEquals(0, allocated, "bytes for the last 60,000 operations");
    }
}

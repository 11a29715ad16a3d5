// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.tallypost.collectives.internal.NodeMessageDescriptor.*;

import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages between nodes with fields in another byte order than the machine's. All nodes of a group have the same one, so no
 * leader sends such a message. In one thread.
 */
class NodesByteOrderTest
{
    private static final int FROM = 1;
    private static final int COUNT = 600;
    private static final int[] FIELDS = {KIND_OFFSET, VIEW_OFFSET, TEAM_OFFSET, SESSION_OFFSET, OPERATION_OFFSET,
        OPERATIONS_OFFSET, PIECE_OFFSET, CONSUMED_OFFSET};

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final NodesTeamRig rig = new NodesTeamRig(random, new CollectivesContext().blockLength(1_024), 0, 1, 2);
    private final UnsafeBuffer[] sums = new UnsafeBuffer[rig.size()];

    NodesByteOrderTest()
    {
        System.out.println("NodesByteOrderTest: -Dtallypost.seed=" + seed);
    }

    private static boolean isLong(final int field)
    {
        return field >= TEAM_OFFSET && field < PIECE_OFFSET;
    }

    private static void swap(final UnsafeBuffer message, final int field)
    {
        if (isLong(field))
        {
            message.putLong(field, Long.reverseBytes(message.getLong(field)));
        }
        else
        {
            message.putInt(field, Integer.reverseBytes(message.getInt(field)));
        }
    }

    private Operation[] start()
    {
        final Operation[] begun = new Operation[rig.size()];
        for (int i = 0; i < begun.length; i++)
        {
            final AllReduce operation = rig.teams[i].newAllReduce(ElementType.LONG, Reducers.SUM);
            sums[i] = new UnsafeBuffer(new byte[COUNT * Long.BYTES]);
            for (int j = 0; j < COUNT; j++)
            {
                sums[i].putLong(j * Long.BYTES, i + j);
            }
            operation.startInPlace(sums[i], 0, COUNT);
            begun[i] = operation;
        }
        return begun;
    }

    /** Operations go on until a piece from one member is the next for member 0, and a field of it differs when it is swapped. */
    private UnsafeBuffer awaitPiece(final int field)
    {
        for (int turn = 0; turn < 100_000; turn++)
        {
            final MemoryMeetings.Letter letter = rig.meetings.letters.get(0).peek();
            if (letter != null && letter.source == FROM && letter.bytes.getInt(KIND_OFFSET) == kindWord(DATA))
            {
                final UnsafeBuffer copy = new UnsafeBuffer(letter.bytes.byteArray().clone());
                swap(copy, field);
                if (!copy.equals(letter.bytes))
                {
                    return new UnsafeBuffer(letter.bytes.byteArray().clone());
                }
            }
            final int i = random.nextInt(rig.size());
            rig.deliver(i);
            rig.progress(i);
        }
        throw new AssertionError("no piece with a field at " + field + " that differs when it is swapped, seed=" + seed);
    }

    private void shouldHaveSums(final String what)
    {
        for (int j = 0; j < COUNT; j++)
        {
            for (final UnsafeBuffer sum : sums)
            {
                assertEquals(3L * j + 3, sum.getLong(j * Long.BYTES), what);
            }
        }
    }

    /** All of the head is swapped, whatever kind of message it is: it is no message, and disturbs nothing. */
    @ParameterizedTest
    @ValueSource(ints = {HELLO, DATA, CONSUMED, WAITING, FAILED, LEFT, VOTE, PROPOSAL, STORED, AGREED, REFUSED, MEMBER_LEFT, ASK,
        CAST, PROBE})
    void shouldRefuseAMessageInTheOtherByteOrder(final int kind)
    {
        final Operation[] begun = start();
        final UnsafeBuffer message = awaitPiece(SESSION_OFFSET);
        message.putInt(KIND_OFFSET, kindWord(kind));
        for (final int field : FIELDS)
        {
            swap(message, field);
        }
        final long before = rig.counters(0).refused();
        rig.deliver(0, FROM, message.byteArray());
        assertEquals(before + 1, rig.counters(0).refused(), "seed=" + seed);
        assertEquals("CollectivesCounters{taken=" + rig.counters(0).taken() + ", refused=" + (before + 1) + "}",
            rig.counters(0).toString());
        rig.finish(begun);
        for (final Operation operation : begun)
        {
            assertEquals(0, operation.result(), "seed=" + seed);
        }
        shouldHaveSums("kind=" + kind + ", seed=" + seed);
    }

    /**
     * One field of the next piece is swapped. What then names no team and no session that is here is refused, and the operation
     * gets done. What is of this team, but not what comes next, ends it for all members, with the sender.
     */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 1", "4, 0, 1", "8, 0, 1", "16, 0, 1",
        "24, MISMATCH, 0", "32, MISMATCH, 0",
        "40, DAMAGED, 1", "44, DAMAGED, 1"})
    void shouldRefuseAFieldInTheOtherByteOrder(final int field, final String expected, final int refused)
    {
        rig.finish(start());
        final Operation[] begun = start();
        final UnsafeBuffer message = awaitPiece(field);
        swap(message, field);
        final long before = rig.counters(0).refused();
        if (!expected.equals("0"))
        {
            // instead of the piece that was sent
            rig.meetings.letters.get(0).remove();
        }
        rig.deliver(0, FROM, message.byteArray());
        assertEquals(before + refused, rig.counters(0).refused(), "seed=" + seed);
        // members that got through have good results: all are told by the next operation
        final Operation[] last = new Operation[rig.size()];
        for (int i = 0; i < last.length; i++)
        {
            last[i] = Calls.start(0, rig.teams[i]);
        }
        rig.finish(begun);
        rig.finish(last);
        for (final Operation operation : last)
        {
            final long result = operation.result();
            assertEquals(expected, result >= 0 ? "0" : Team.errorString(result).split(":")[0], "seed=" + seed);
            assertEquals(result >= 0 ? -1 : FROM, operation.team().goneMember(), "seed=" + seed);
        }
        if (expected.equals("0"))
        {
            shouldHaveSums("field=" + field + ", seed=" + seed);
        }
    }
}

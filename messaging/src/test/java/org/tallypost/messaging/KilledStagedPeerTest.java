// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.messaging.StagedProcess.Step;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.node.Node;

/**
 * A process is killed at each step of a long message that goes through a staging area on one node: the other side ends, with all
 * bytes or without, no area is lost, and the rank may be opened again. {@code -Dtallypost.kills=200} makes it longer.
 */
@Tag("once")
class KilledStagedPeerTest extends StagedFixture
{
    private static final int KILLS = Integer.getInteger("tallypost.kills", 2);
    private static final int MOST_ROUNDS = 2_000;
    private static final int TAGS = 2;
    /** All of such a message has room in an area. */
    private static final int FITTING = 200_000;
    private static final int KILLED = 1;

    private void launchParent()
    {
        node = Node.launch(context(directory, Flow.DYNAMIC, StagedProcess.RANKS, StagedProcess.SLOTS));
        endpoints = new Endpoint[StagedProcess.RANKS];
        messengers = new Messenger[StagedProcess.RANKS];
        memories = new RegionMemory[StagedProcess.RANKS];
        for (final int rank : new int[]{0, 2})
        {
            endpoints[rank] = node.open(rank);
            memories[rank] = RegionMemory.open(node, endpoints[rank], 1 << 24, 256, 1);
            messengers[rank] = StagedProcess.launch(node, endpoints[rank], memories[rank]);
        }
    }

    private void awaitStep(final ForkedJvm child, final Step step)
    {
        final String[] said = new String[1];
        drive("step " + step, () ->
        {
            said[0] = said[0] == null ? child.pollLine() : said[0];
            return said[0] != null;
        });
        assertEquals(step.name(), said[0]);
    }

    private void kill(final ForkedJvm child)
    {
        child.kill();
        child.waitFor();
        drive("death is known", () -> RankState.of(endpoints[0].rankState(KILLED)) != RankState.OPEN);
    }

    /** Rank 2 gets all areas of rank 0 at once, and the next process of rank 1 sends and receives. */
    private void checkWhatIsLeft()
    {
        final ReceiveRequest[] receives = new ReceiveRequest[StagedProcess.AREAS];
        final SendRequest[] sends = new SendRequest[StagedProcess.AREAS];
        for (int i = 0; i < StagedProcess.AREAS; i++)
        {
            receives[i] = receive(0, 2, TAG, room(LONG));
            sends[i] = send(2, 0, TAG, bytes(LONG, i), LONG);
        }
        drive("all areas", () -> Arrays.stream(receives).allMatch((request) -> request.area != null));
        await(receives);
        await(sends);
        assertEquals(StagedProcess.AREAS * StagedProcess.AREA_LENGTH, memories[0].usedLength());
        final UnsafeBuffer room = room(LONG);
        final ReceiveRequest third = receive(0, ANY, 0, room);
        try (ForkedJvm child = StagedProcess.start(directory, Step.SENT, LONG, 9))
        {
            awaitStep(child, Step.SENT);
            await(third);
            assertEquals(RequestResult.SUCCESS, third.result());
            check(room, 0, LONG, 9);
            kill(child);
        }
        assertEquals(0, messengers[0].counters().refused());
        assertEquals(0, messengers[2].counters().refused());
    }

    @ParameterizedTest
    @CsvSource({"ANNOUNCED," + LONG, "PUT," + LONG, "SENT," + FITTING, "SENT," + LONG})
    void shouldLoseNoAreaOfAKilledSender(final Step step, final int length)
    {
        launchParent();
        final UnsafeBuffer room = room(length);
        final ReceiveRequest receiving = receive(0, ANY, 0, room);
        try (ForkedJvm child = StagedProcess.start(directory, step, length, 4))
        {
            awaitStep(child, step);
            drive("an area", () -> receiving.area != null || receiving.isDone());
            kill(child);
        }
        await(receiving);
        assertEquals(step == Step.SENT ? RequestResult.SUCCESS : RequestResult.PEER_GONE, receiving.result());
        if (step == Step.SENT)
        {
            check(room, 0, length, 4);
        }
        checkWhatIsLeft();
    }

    /**
     * It is killed in the midst of a put: until then its area is for nothing else, also if its endpoint is closed. Behind that
     * the area is back, in the messenger or in the memory of one that has closed meanwhile.
     */
    @ParameterizedTest
    @CsvSource({"PUTTING,false", "CLOSED,false", "CLOSED,true"})
    void shouldKeepTheAreaUntilAPutEndsWithItsProcess(final Step step, final boolean isReceiverOpen)
    {
        launchParent();
        final ReceiveRequest receiving = receive(0, ANY, 0, room(LONG));
        try (ForkedJvm child = StagedProcess.start(directory, step, LONG, 4))
        {
            awaitStep(child, step);
            if (isReceiverOpen)
            {
                drive("the end of the endpoint", receiving::isDone);
                assertEquals(StagedProcess.AREA_LENGTH, memories[0].usedLength());
                final ReceiveRequest[] others = new ReceiveRequest[StagedProcess.AREAS];
                final SendRequest[] sends = new SendRequest[StagedProcess.AREAS];
                for (int i = 0; i < StagedProcess.AREAS; i++)
                {
                    others[i] = receive(0, 2, TAG, room(LONG));
                    sends[i] = send(2, 0, TAG, bytes(LONG, i), LONG);
                }
                drive("all areas but one", () -> Arrays.stream(others).filter((other) -> other.area != null).count() ==
                    StagedProcess.AREAS - 1);
                await(others);
                await(sends);
            }
            else
            {
                closeMessenger(0);
                assertEquals(0, memories[0].collect());
                assertEquals(StagedProcess.AREA_LENGTH, memories[0].usedLength());
            }
            kill(child);
        }
        if (isReceiverOpen)
        {
            checkWhatIsLeft();
            closeMessenger(0);
        }
        else
        {
            assertEquals(1, memories[0].collect());
        }
        assertEquals(0, memories[0].usedLength());
    }

    /** It has put all of its message, and its receiver has copied nothing. */
    @Test
    void shouldReceiveWhatAKilledSenderHasPut()
    {
        launchParent();
        final UnsafeBuffer room = room(FITTING);
        final ReceiveRequest receiving = receive(0, ANY, 0, room);
        try (ForkedJvm child = StagedProcess.start(directory, Step.SENT, FITTING, 4))
        {
            drive("an area", () -> receiving.area != null);
            // this rank does nothing until the child is dead
            assertEquals(Step.SENT.name(), child.readLine());
            kill(child);
        }
        await(receiving);
        check(room, 0, FITTING, 4);
        checkWhatIsLeft();
    }

    @ParameterizedTest
    @CsvSource({"GRANTED," + LONG + ",false", "GRANTED," + LONG + ",true", "GRANTED," + FITTING + ",true",
        "COPIED," + LONG + ",true", "RECEIVED," + LONG + ",true"})
    void shouldEndTheSendsToAKilledReceiver(final Step step, final int length, final boolean isPut)
    {
        launchParent();
        final SendRequest sending;
        try (ForkedJvm child = StagedProcess.start(directory, step, length, 4))
        {
            drive("the child", () -> RankState.of(endpoints[0].rankState(KILLED)) == RankState.OPEN);
            sending = send(0, 1, 0, bytes(length, 4), length);
            awaitStep(child, step);
            drive("bytes", () -> !isPut || sending.isDone() || sending.moved > 0);
            kill(child);
        }
        final SendRequest behind = send(0, 1, 0, bytes(length, 4), length);
        await(sending, behind);
        assertTrue(
            sending.result() == RequestResult.PEER_GONE || step == Step.RECEIVED || length == FITTING, "" + sending);
        assertEquals(RequestResult.PEER_GONE, behind.result());
        checkWhatIsLeft();
    }

    /** One side closes its messenger at any point, and the other one ends its process, or closes all, at about that time. */
    @ParameterizedTest
    @CsvSource({"TRAFFIC", "CLOSING"})
    void shouldGiveBackAllWhenBothSidesEnd(final Step step)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("KilledStagedPeerTest: -Dtallypost.seed=" + seed + ", kills=" + (KILLS + 1) / 2);
        final Random random = new Random(seed);
        launchParent();
        for (int kill = 0; kill < (KILLS + 1) / 2; kill++)
        {
            final ReceiveRequest[] receives = new ReceiveRequest[TAGS];
            final SendRequest[] sends = new SendRequest[TAGS];
            try (ForkedJvm child = StagedProcess.start(directory, step, LONG, random.nextInt(MOST_ROUNDS)))
            {
                drive("the child", () -> RankState.of(endpoints[0].rankState(KILLED)) == RankState.OPEN);
                for (int tag = 0; tag < TAGS; tag++)
                {
                    receives[tag] = receive(0, ANY, tag, room(LONG));
                    sends[tag] = send(0, 1, tag, bytes(LONG, tag), LONG);
                }
                for (int rounds = random.nextInt(MOST_ROUNDS); rounds > 0; rounds--)
                {
                    work();
                }
                closeMessenger(0);
                if (step == Step.TRAFFIC)
                {
                    kill(child);
                }
                drive("the end of the child", () -> pollEndpoint(0) && !child.isAlive());
            }
            for (int tag = 0; tag < TAGS; tag++)
            {
                assertTrue(receives[tag].isDone() && sends[tag].isDone());
            }
            drive("the end is known", () -> RankState.of(endpoints[0].rankState(KILLED)) != RankState.OPEN);
            ClosedSidesTest.checkMemory(memories[0]);
            messengers[0] = StagedProcess.launch(node, endpoints[0], memories[0]);
        }
        checkWhatIsLeft();
    }

    /** At any point of messages that go both ways. */
    @Test
    void shouldGoOnAfterKillsAtAnyPoint()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("KilledStagedPeerTest: -Dtallypost.seed=" + seed + ", kills=" + KILLS);
        final Random random = new Random(seed);
        launchParent();
        for (int kill = 0; kill < KILLS; kill++)
        {
            final UnsafeBuffer[] rooms = {room(LONG), room(LONG)};
            final ReceiveRequest[] receives = new ReceiveRequest[TAGS];
            final SendRequest[] sends = new SendRequest[TAGS];
            try (ForkedJvm child = StagedProcess.start(directory, Step.TRAFFIC, LONG, kill))
            {
                drive("the child", () -> RankState.of(endpoints[0].rankState(KILLED)) == RankState.OPEN);
                for (int tag = 0; tag < TAGS; tag++)
                {
                    receives[tag] = receive(0, ANY, tag, rooms[tag]);
                    sends[tag] = send(0, 1, tag, bytes(LONG, tag), LONG);
                }
                for (int rounds = random.nextInt(MOST_ROUNDS); rounds > 0; rounds--)
                {
                    work();
                    for (int tag = 0; tag < TAGS; tag++)
                    {
                        if (receives[tag].isDone())
                        {
                            assertEquals(RequestResult.SUCCESS, receives[tag].result());
                            check(rooms[tag], 0, LONG, kill + tag);
                            receives[tag] = receive(0, ANY, tag, rooms[tag]);
                        }
                        sends[tag] = sends[tag].isDone() ? send(0, 1, tag, bytes(LONG, tag), LONG) : sends[tag];
                    }
                }
                kill(child);
            }
            await(sends);
            for (int tag = 0; tag < TAGS; tag++)
            {
                final ReceiveRequest receiving = receives[tag];
                drive("no receive in the midst", () -> receiving.isDone() || receiving.state == RequestState.POSTED);
                messengers[0].cancel(receiving);
            }
            await(receives);
            // what came with its announcement alone is gone
            drive("memory", () -> messengers[0].counters().unexpectedBytes() == 0);
            checkWhatIsLeft();
        }
    }
}

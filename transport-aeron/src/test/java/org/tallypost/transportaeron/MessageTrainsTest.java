// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MessageBatch;
import org.tallypost.endpoint.MessageClaim;
import org.tallypost.mailbox.Watchdog;

/** Messages like the one before, of a thread that does the transport's work, arrive as all others do. */
@Timeout(1800)
@Tag("once")
class MessageTrainsTest
{
    private static final int[] LENGTHS = {8, 16, 40, 48, 56, 64, 11, 72, 300};
    private static final int MESSAGES = 20_000;
    private static final int RECEIVERS = 2;
    /** Of the numbers of ways above 1, those that send a message as two parts. */
    private static final int PARTS_WAYS = 3;

    @TempDir
    private File directory;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[512]);
    private final long[] sent = new long[1 + RECEIVERS];
    private final long[] received = new long[1 + RECEIVERS];
    private String wrong;

    private NodesRig rig(final Flow flow, final int mtuLength)
    {
        System.out.println("MessageTrainsTest: seed=" + seed);
        return new NodesRig(directory, List.of(1, RECEIVERS)).tuned((context, transport) ->
        {
            context.slotsPerSender(256).flow(flow);
            transport.mtuLength(mtuLength).lingerNs(NodesRig.LONG_NS);
            context.transportSettings().thread(transport.node() == 1);
        }).launchAll();
    }

    /** Tag and length follow from a message's number, so that the receiver knows them too, and each byte does. */
    private void fill(final long number, final int tag, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            message.putByte(i, content(number, tag, i));
        }
        message.putLong(0, number);
    }

    private static byte content(final long number, final int tag, final int at)
    {
        return (byte)(number * 31 + tag * 7L + at);
    }

    private void take(
        final int dest, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        final long number = buffer.getLong(offset);
        boolean isRight = number == received[dest]++;
        for (int i = Long.BYTES; i < length; i++)
        {
            isRight &= buffer.getByte(offset + i) == content(number, tag, i);
        }
        if (!isRight && wrong == null)
        {
            wrong = "dest=" + dest + ", number=" + number + ", expected=" + (received[dest] - 1) + ", tag=" + tag + ", length=" +
                length;
        }
    }

    private void poll(final NodesRig rig)
    {
        for (int dest = 1; dest <= RECEIVERS; dest++)
        {
            final int at = dest;
            rig.endpoint(dest).poll((source, tag, buffer, offset, length) -> take(at, tag, buffer, offset, length), 64);
        }
    }

    private long send(final Endpoint from, final int way, final int dest, final int tag, final int length)
    {
        if (way == 0)
        {
            final MessageClaim claim = new MessageClaim();
            final long result = from.tryClaim(dest, tag, length, claim);
            if (result >= 0)
            {
                claim.putBytes(message, 0);
                claim.commit();
            }
            return result;
        }
        if (way == 1)
        {
            final MessageBatch batch = new MessageBatch(1);
            assertTrue(batch.add(tag, message, 0, length));
            return from.offer(dest, batch);
        }
        if (way <= PARTS_WAYS)
        {
            final int headLength = random.nextInt(length + 1);
            return from.offer(dest, tag, message, 0, headLength, message, headLength, length - headLength);
        }
        return from.offer(dest, tag, message, 0, length);
    }

    @ParameterizedTest
    @ValueSource(ints = {1408, 8448, 65504})
    void shouldArriveOnceAndInOrderAndWhole(final int mtuLength)
    {
        try (NodesRig rig = rig(Flow.DYNAMIC, mtuLength))
        {
            final Endpoint from = rig.endpoint(0);
            final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "messages: seed=" + seed + ", sent=" + sent[1] +
                " and " + sent[2] + ", received=" + received[1] + " and " + received[2] + ", errors=" + rig.errors);
            while (sent[1] + sent[2] < MESSAGES)
            {
                final int dest = 1 + random.nextInt(RECEIVERS);
                final int tag = random.nextInt(2);
                final int length = LENGTHS[random.nextInt(LENGTHS.length)];
                for (int left = random.nextInt(random.nextBoolean() ? 4 : 400); left > 0; left--)
                {
                    fill(sent[dest], tag, length);
                    while (send(from, random.nextInt(20), dest, tag, length) < 0)
                    {
                        rig.nodes.get(0).transportWork();
                        from.poll((source, t, buffer, offset, n) -> {}, 1);
                        poll(rig);
                        watchdog.check();
                    }
                    sent[dest]++;
                    watchdog.progress();
                }
                if (random.nextInt(4) == 0)
                {
                    rig.nodes.get(0).transportWork();
                }
            }
            while (received[1] < sent[1] || received[2] < sent[2])
            {
                rig.nodes.get(0).transportWork();
                poll(rig);
                watchdog.check();
            }
            assertEquals(null, wrong, () -> "seed=" + seed);
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }

    @Test
    void shouldArriveThoughTheNodeClosesBehindThem()
    {
        try (NodesRig rig = rig(Flow.STATIC, 8448))
        {
            final Endpoint from = rig.endpoint(0);
            fill(0, 1, 48);
            Watchdog.await("first: seed=" + seed, () ->
                rig.nodes.get(0).transportWork() >= 0 && from.offer(1, 1, message, 0, 48) >= 0);
            Watchdog.await("arrival", () ->
            {
                rig.nodes.get(0).transportWork();
                poll(rig);
                return received[1] == 1;
            });
            sent[1] = 1;
            while (sent[1] < 40)
            {
                fill(sent[1], 1, 48);
                assertTrue(from.offer(1, 1, message, 0, 48) >= 0, () -> "message " + sent[1]);
                sent[1]++;
            }
            rig.close(0);
            Watchdog.await("the rest: seed=" + seed, () ->
            {
                poll(rig);
                return received[1] == sent[1];
            });
            assertEquals(null, wrong);
        }
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a program does with a messenger, at random: sends of every kind and length, receives with and without wildcards, cancels.
 * Each message says which one it is, so whatever a receive gets is checked: its bytes, and that messages of one sender and tag
 * go to receives in the order in which these were posted. One thread, that of the messenger.
 */
public final class Traffic
{
    private static final int REQUESTS = 8;
    private static final int TAGS = 3;
    private static final int HEAD_LENGTH = 32;

    private final Messenger messenger;
    private final Random random;
    private final int maxLength;
    private final long life;
    private final SendRequest[] sends = new SendRequest[REQUESTS];
    private final ReceiveRequest[] receives = new ReceiveRequest[REQUESTS];
    private final UnsafeBuffer[] messages = new UnsafeBuffer[REQUESTS];
    private final UnsafeBuffer[] rooms = new UnsafeBuffer[REQUESTS];
    private final long[] postings = new long[REQUESTS];
    private final boolean[] isChecked = new boolean[REQUESTS];
    /** By sender, its life and the tag: the number of each message by that of the posting of its receive. */
    private final Map<String, TreeMap<Long, Long>> order = new HashMap<>();
    private long sent;
    private long posted;
    private long received;
    private long lost;

    /**
     * Traffic of a messenger.
     *
     * @param messenger that was just launched.
     * @param random    that decides.
     * @param maxLength of a message in bytes.
     */
    public Traffic(final Messenger messenger, final Random random, final int maxLength)
    {
        this.messenger = messenger;
        this.random = random;
        this.maxLength = Math.max(maxLength, HEAD_LENGTH);
        life = random.nextLong();
        for (int i = 0; i < REQUESTS; i++)
        {
            sends[i] = new SendRequest();
            receives[i] = new ReceiveRequest();
            messages[i] = new UnsafeBuffer(new byte[this.maxLength]);
            rooms[i] = new UnsafeBuffer(new byte[this.maxLength]);
            isChecked[i] = true;
        }
    }

    /**
     * Starts something, if a request is free, or cancels something.
     *
     * @param peer rank to exchange messages with.
     */
    public void step(final int peer)
    {
        final int index = random.nextInt(REQUESTS);
        if (random.nextBoolean())
        {
            if (!sends[index].isActive())
            {
                send(index, peer);
            }
            else if (random.nextInt(20) == 0)
            {
                messenger.cancel(sends[index]);
            }
        }
        else if (!receives[index].isActive())
        {
            check(index);
            final boolean isWhole = random.nextInt(5) > 0;
            receive(index, random.nextInt(3) == 0 ? Communicator.ANY_SOURCE : peer,
                random.nextInt(3) == 0 ? Communicator.ANY_TAG : random.nextInt(TAGS),
                isWhole ? maxLength : HEAD_LENGTH + random.nextInt(maxLength - HEAD_LENGTH + 1));
        }
        else if (random.nextInt(20) == 0)
        {
            messenger.cancel(receives[index]);
        }
    }

    private void send(final int index, final int peer)
    {
        final int tag = random.nextInt(TAGS);
        final int most = random.nextInt(3) == 0 ? maxLength : Math.min(maxLength, 200);
        final int length = HEAD_LENGTH + random.nextInt(most - HEAD_LENGTH + 1);
        final UnsafeBuffer message = messages[index];
        write(message, length, peer);
        messenger.start(sends[index].prepare(random.nextInt(3) == 0 ? SendMode.SYNCHRONOUS : SendMode.STANDARD,
            messenger.world(), peer, tag, message, 0, length));
    }

    /**
     * Writes a message that the traffic of another messenger knows how to check.
     *
     * @param message buffer for it.
     * @param length  of it in bytes, at least 32.
     * @param peer    rank that it is for.
     */
    public void write(final UnsafeBuffer message, final int length, final int peer)
    {
        message.putLong(0, life);
        message.putLong(8, sent++);
        message.putInt(16, length);
        message.putInt(20, peer);
        for (int i = HEAD_LENGTH; i < length; i++)
        {
            message.putByte(i, at(life + sent - 1, i));
        }
    }

    private void receive(final int index, final int source, final int tag, final int capacity)
    {
        isChecked[index] = false;
        postings[index] = posted++;
        messenger.receive(receives[index], messenger.world(), source, tag, rooms[index], 0, capacity);
    }

    private static byte at(final long salt, final int index)
    {
        return (byte)(salt * 31 + index * 7L);
    }

    /** Checks what a receive has got, once. */
    private void check(final int index)
    {
        if (isChecked[index])
        {
            return;
        }
        isChecked[index] = true;
        final ReceiveRequest receive = receives[index];
        final RequestResult result = receive.result();
        if (result != RequestResult.SUCCESS && result != RequestResult.TRUNCATED)
        {
            lost++;
            return;
        }
        received++;
        final UnsafeBuffer room = rooms[index];
        final long number = room.getLong(8);
        final long salt = room.getLong(0) + number;
        expect(room.getInt(16) == receive.messageLength() && room.getInt(20) == messenger.world().rank(), "head", receive);
        expect((result == RequestResult.TRUNCATED) == receive.length() < receive.messageLength(), "length", receive);
        for (int i = HEAD_LENGTH; i < receive.length(); i++)
        {
            if (room.getByte(i) != at(salt, i))
            {
                expect(false, "byte " + i + " of message " + number, receive);
            }
        }
        final TreeMap<Long, Long> numbers =
            order.computeIfAbsent(receive.source() + " " + room.getLong(0) + " " + receive.tag(), (key) -> new TreeMap<>());
        final Map.Entry<Long, Long> before = numbers.lowerEntry(postings[index]);
        final Map.Entry<Long, Long> after = numbers.higherEntry(postings[index]);
        expect((before == null || before.getValue() < number) && (after == null || number < after.getValue()),
            "order: message " + number + " between " + before + " and " + after, receive);
        numbers.put(postings[index], number);
    }

    private static void expect(final boolean holds, final String what, final ReceiveRequest receive)
    {
        if (!holds)
        {
            throw new AssertionError(what + ": " + receive + ", source=" + receive.source() + ", tag=" + receive.tag() +
                ", messageLength=" + receive.messageLength());
        }
    }

    /** Cancels the receives that are posted, and posts one for whatever comes. */
    public void receiveRest()
    {
        for (int i = 0; i < REQUESTS; i++)
        {
            if (receives[i].isActive() && !isForAll(receives[i]))
            {
                messenger.cancel(receives[i]);
            }
            if (!receives[i].isActive())
            {
                check(i);
                receive(i, Communicator.ANY_SOURCE, Communicator.ANY_TAG, maxLength);
            }
        }
    }

    private static boolean isForAll(final ReceiveRequest receive)
    {
        return receive.peer == Communicator.ANY_SOURCE && receive.tag == Communicator.ANY_TAG;
    }

    /**
     * Whether all sends have ended, but those that wait for a rank to come, and all receives that are matched.
     *
     * @param isThere whether a rank is.
     * @return true if so.
     */
    public boolean isAtRest(final IntPredicate isThere)
    {
        for (int i = 0; i < REQUESTS; i++)
        {
            final boolean isWaiting = sends[i].state() == RequestState.QUEUED && !isThere.test(sends[i].peer);
            if (sends[i].isActive() && !isWaiting || receives[i].isActive() && receives[i].state() != RequestState.POSTED)
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Checks what has come, and ends the receives that are posted.
     *
     * @return false if one is matched, and goes on.
     */
    public boolean stop()
    {
        boolean isIdle = true;
        for (int i = 0; i < REQUESTS; i++)
        {
            messenger.cancel(receives[i]);
            isIdle &= !sends[i].isActive() && !receives[i].isActive();
            if (!receives[i].isActive())
            {
                check(i);
            }
        }
        return isIdle;
    }

    /**
     * Messages that were received and checked.
     *
     * @return their number.
     */
    public long received()
    {
        return received;
    }

    /** Counts, and all requests. */
    @Override
    public String toString()
    {
        return "Traffic{sent=" + sent + ", received=" + received + ", ended otherwise=" + lost + ", " +
            java.util.Arrays.toString(sends) + ", " + java.util.Arrays.toString(receives) + "}";
    }
}

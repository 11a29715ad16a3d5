// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.NoRoomException;

/** Ranks of this process, which meet in its memory, and die when the test says so. */
final class MemoryMeetings
{
    private final boolean isOneProcess;
    final boolean[] gone;
    /** Ranks that were woken, and how many times. */
    final int[] wakes;
    /** Files that there is room for. */
    int room = Integer.MAX_VALUE;
    final MortalBuffer.Life[] lives;
    private final Map<String, ByteBuffer> files = new HashMap<>();
    /** What ranks have sent to each one. */
    final List<Queue<Letter>> letters = new ArrayList<>();
    /** Chance refuses one of so many messages; none if it is null. */
    Random refusals;
    /** Longest message that is taken. */
    int mostLength = 2_048;

    MemoryMeetings(final int ranks, final boolean isOneProcess)
    {
        this.isOneProcess = isOneProcess;
        gone = new boolean[ranks];
        wakes = new int[ranks];
        lives = new MortalBuffer.Life[ranks];
        Arrays.setAll(lives, (i) -> new MortalBuffer.Life());
        for (int i = 0; i < ranks; i++)
        {
            letters.add(new ArrayDeque<>());
        }
    }

    Meeting of(final int rank)
    {
        return new MemoryMeeting(rank);
    }

    /** Names of files that are not closed. */
    Map<String, ByteBuffer> files()
    {
        return files;
    }

    /** A message under way. */
    static final class Letter
    {
        final int source;
        final UnsafeBuffer bytes;

        Letter(final int source, final UnsafeBuffer bytes)
        {
            this.source = source;
            this.bytes = bytes;
        }
    }

    /** As one rank sees it. */
    private final class MemoryMeeting implements Meeting
    {
        private final int self;

        private MemoryMeeting(final int self)
        {
            this.self = self;
        }

        @Override
        public int rank()
        {
            return self;
        }

        @Override
        public int incarnation()
        {
            return 1;
        }

        @Override
        public long rankState(final int rank)
        {
            return 1L << Integer.SIZE | (gone[rank] ? RankState.GONE : RankState.OPEN).ordinal();
        }

        @Override
        public void wake(final int rank)
        {
            wakes[rank]++;
        }

        @Override
        public long send(
            final int rank, final DirectBuffer head, final int headLength, final DirectBuffer data, final int offset,
            final int length)
        {
            if (headLength + length > mostLength)
            {
                return Endpoint.TOO_LONG;
            }
            if (gone[rank])
            {
                return Endpoint.PEER_GONE;
            }
            if (refusals != null && refusals.nextInt(4) == 0)
            {
                return refusals.nextBoolean() ? Endpoint.NO_CREDIT : Endpoint.NOT_CONNECTED;
            }
            final UnsafeBuffer bytes = new UnsafeBuffer(new byte[headLength + length]);
            bytes.putBytes(0, head, 0, headLength);
            bytes.putBytes(headLength, data, offset, length);
            letters.get(rank).add(new Letter(self, bytes));
            return 0;
        }

        @Override
        public long process()
        {
            return isOneProcess ? 1 : 2 + self;
        }

        @Override
        public MemoryTable.Files memories(final String team)
        {
            return null;
        }

        @Override
        public Place create(final String name, final long length)
        {
            if (files.size() >= room)
            {
                throw new NoRoomException("no room: " + name, null, length);
            }
            if (files.containsKey(name))
            {
                throw new MailboxException("there is a file of that name: " + name);
            }
            final ByteBuffer memory = ByteBuffer.allocateDirect((int)length);
            files.put(name, memory);
            return new MemoryPlace(name, new MortalBuffer(memory, lives[self]),
                () -> files.computeIfPresent(name, (key, found) -> found == memory ? null : found));
        }

        @Override
        public Place tryAttach(final String name)
        {
            final ByteBuffer memory = files.get(name);
            return memory == null ? null : new MemoryPlace(name, new MortalBuffer(memory, lives[self]), () -> {});
        }
    }

    /** Memory with a name. */
    private final class MemoryPlace implements Meeting.Place
    {
        private final String path;
        private final MortalBuffer buffer;
        private final Runnable end;

        private MemoryPlace(final String name, final MortalBuffer buffer, final Runnable end)
        {
            path = MemoryMeetings.this + name;
            this.buffer = buffer;
            this.end = end;
        }

        @Override
        public String path()
        {
            return path;
        }

        @Override
        public AtomicBuffer buffer()
        {
            return buffer;
        }

        @Override
        public void close()
        {
            end.run();
        }
    }
}

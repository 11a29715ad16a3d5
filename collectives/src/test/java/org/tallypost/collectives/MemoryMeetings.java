// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.agrona.concurrent.AtomicBuffer;
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

    MemoryMeetings(final int ranks, final boolean isOneProcess)
    {
        this.isOneProcess = isOneProcess;
        gone = new boolean[ranks];
        wakes = new int[ranks];
        lives = new MortalBuffer.Life[ranks];
        Arrays.setAll(lives, (i) -> new MortalBuffer.Life());
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

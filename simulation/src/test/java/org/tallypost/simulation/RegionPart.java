// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;

/**
 * What a party does with its part of the region of one rank, and what has to be there: a plain array. As long as nothing fails,
 * that is known at each flush. After a failure each byte may be an old or a newer one, until an operation that was asked for
 * later is done: then nothing late can come any more, the bytes are compared, and all of the part is written anew.
 *
 * <pre>
 *   region:  part of rank 0 | part of rank 1 | ... | word added | word notified | word of rank 0 | word of rank 1 | ...
 * </pre>
 */
final class RegionPart
{
    /** Of several frames. */
    static final int LENGTH = 6_000;
    static final int ADDED_OFFSET = 0;
    static final int NOTIFIED_OFFSET = 8;
    private static final int WORDS_OFFSET = 16;
    private static final int[] LENGTHS = {1, 64, 65, 1_000, 3_000, LENGTH};
    private static final int MAX_NOTIFY_LENGTH = 500;
    private static final int MAX_PUTS = 6;

    final int dest;
    private final BulkParty party;
    private final World world;
    private final RemoteRegion remote = new RemoteRegion();
    /** The part after all that was asked for. */
    private final byte[] bytes = new byte[LENGTH];
    private final UnsafeBuffer expected = new UnsafeBuffer(bytes);
    /** The part at the last flush, and what was written since. */
    private final byte[] settled = new byte[LENGTH];
    private final List<Write> writes = new ArrayList<>();
    private final byte[] readBytes = new byte[LENGTH];
    private final UnsafeBuffer read = new UnsafeBuffer(readBytes);
    /** Of which rank's incarnation all this is; null if of none. */
    private BulkParty owner;
    private Phase phase = Phase.DETACHED;
    /** In these words, as in the bytes. */
    private long word;
    private final List<Long> words = new ArrayList<>();
    private int written;
    private int readAt;
    private int readLength;
    /** What an operation has to find; null if none is to find anything that is known. */
    private Long toBeFound;
    private boolean isAdding;
    private int notifying;
    private long salt;
    private int count;
    /** Whether there was a flush of all of the part since it is this owner's. */
    private boolean isKnown;

    RegionPart(final BulkParty party, final int dest)
    {
        this.party = party;
        this.dest = dest;
        world = party.world;
    }

    /** Bytes that were asked to be written. */
    private record Write(int at, byte[] bytes)
    {
    }

    private enum Phase
    {
        /** To nothing. */
        DETACHED,
        /** The region is asked for. */
        ATTACHING,
        /** Something has failed: nothing was asked for since. */
        LOST,
        /** The first thing after a failure is under way. */
        MARKING,
        /** All of the part is being written. */
        WRITING,
        /** What is there is known, but for what is under way. */
        SURE
    }

    static int wordsAt(final int ranks)
    {
        return (ranks * LENGTH + 7) & -8;
    }

    static int regionLength(final int ranks)
    {
        return wordsAt(ranks) + WORDS_OFFSET + ranks * Long.BYTES;
    }

    private int sharedWord(final int offset)
    {
        return wordsAt(world.plan.ranks()) + offset;
    }

    private int ownWord()
    {
        return sharedWord(WORDS_OFFSET) + party.rank * Long.BYTES;
    }

    private int start()
    {
        return party.rank * LENGTH;
    }

    /** How often operations on this owner's region were asked for, and are done. */
    int count()
    {
        return count;
    }

    boolean isSureOf(final BulkParty of)
    {
        return phase == Phase.SURE && owner == of && remote.flush() == 0 && !isAsking();
    }

    private boolean isAsking()
    {
        return isAdding || notifying > 0 || toBeFound != null || readLength > 0 || !writes.isEmpty();
    }

    /** Learns what has become of what is under way; then goes on, and asks for something new if it may. */
    void step(final boolean mayAsk)
    {
        if (phase != Phase.DETACHED)
        {
            final long result = remote.flush();
            if (result > 0)
            {
                return;
            }
            learn(result);
        }
        switch (phase)
        {
            case DETACHED:
                attach();
                break;
            case LOST:
                mark();
                break;
            case WRITING:
                write();
                break;
            case SURE:
                if (mayAsk)
                {
                    ask();
                }
                break;
            default:
                break;
        }
    }

    private void learn(final long result)
    {
        if (result < 0)
        {
            fail(result);
        }
        else if (phase == Phase.ATTACHING)
        {
            phase = Phase.LOST;
        }
        else if (phase == Phase.MARKING)
        {
            compare();
            written = 0;
            phase = Phase.WRITING;
        }
        else if (phase == Phase.WRITING && written > LENGTH)
        {
            settle();
            phase = Phase.SURE;
        }
        else if (phase == Phase.SURE && isAsking())
        {
            confirm();
        }
    }

    private void fail(final long result)
    {
        final boolean isFar = !party.endpoint.isSameNode(dest);
        final boolean isExpected = result == Endpoint.PEER_GONE || result == RegionResult.LINK_DOWN && isFar ||
            result == Endpoint.CLOSED && !party.isServed() ||
            (result == RegionResult.UNKNOWN_KEY || result == RegionResult.STALE) && !owner.isServed();
        if (!isExpected)
        {
            throw new AssertionError(this + ": " + RegionResult.text(result));
        }
        world.tally.add("bulk " + (result == RegionResult.LINK_DOWN ? "lost" : "refused"), 1);
        isAdding = false;
        notifying = 0;
        toBeFound = null;
        readLength = 0;
        final boolean isAttached = result == RegionResult.LINK_DOWN && phase != Phase.ATTACHING;
        phase = isAttached ? Phase.LOST : Phase.DETACHED;
        if (!isAttached)
        {
            remote.detach();
        }
    }

    private void attach()
    {
        final BulkParty target = (BulkParty)world.books.open(dest);
        if (target == null || !target.isServed())
        {
            return;
        }
        if (target != owner)
        {
            // what former incarnations of this rank have written there is not known
                owner = null;
            writes.clear();
            words.clear();
        }
        final long result = remote.attach(party.memory, target.key());
        if (result >= 0)
        {
            if (owner == null)
            {
                owner = target;
                phase = result == 0 ? Phase.WRITING : Phase.ATTACHING;
                written = 0;
                isKnown = false;
                count = 0;
                fill(0, LENGTH);
                return;
            }
            phase = result == 0 ? Phase.LOST : Phase.ATTACHING;
        }
        else if (result != RegionResult.BUSY && result != Endpoint.PEER_GONE && result != Endpoint.CLOSED && target.isServed())
        {
            throw new AssertionError(this + ": attaching: " + RegionResult.text(result));
        }
    }

    private void mark()
    {
        final long result = remote.getAcquire(ownWord());
        phase = result >= 0 ? Phase.MARKING : phase;
    }

    /** What is there is old or newer, byte by byte. */
    private void compare()
    {
        if (!isKnown || !owner.isOpen())
        {
            return;
        }
        final byte[] found = found();
        for (int i = Arrays.mismatch(found, settled); i >= 0 && i < LENGTH; i++)
        {
            if (found[i] != settled[i] && !isWritten(i, found[i]))
            {
                throw new AssertionError(this + ": byte " + i + " is " + found[i] + ", which was never written there");
            }
        }
        final long value = owner.contents().getLong(ownWord());
        if (!words.contains(value))
        {
            throw new AssertionError(this + ": the word is " + value + ", expected one of " + words);
        }
        world.tally.add("bulk compared", 1);
    }

    private byte[] found()
    {
        final byte[] found = new byte[LENGTH];
        owner.contents().getBytes(start(), found);
        return found;
    }

    private boolean isWritten(final int at, final byte value)
    {
        for (final Write write : writes)
        {
            if (at >= write.at() && at < write.at() + write.bytes().length && write.bytes()[at - write.at()] == value)
            {
                return true;
            }
        }
        return false;
    }

    private void note(final int at, final int length)
    {
        writes.add(new Write(at, Arrays.copyOfRange(bytes, at, at + length)));
    }

    /** All of the part, and then the word. */
    private void write()
    {
        if (written < LENGTH)
        {
            final long taken = remote.put(start() + written, expected, written, LENGTH - written);
            if (taken > 0)
            {
                note(written, (int)taken);
                written += (int)taken;
            }
        }
        if (written == LENGTH && remote.putOrdered(ownWord(), word) == 0)
        {
            words.add(word);
            written++;
        }
    }

    private void settle()
    {
        isKnown = true;
        expected.getBytes(0, settled);
        writes.clear();
        words.clear();
        words.add(word);
    }

    /** What was asked for is done. */
    private void confirm()
    {
        if (readLength > 0)
        {
            final int wrong = Arrays.mismatch(readBytes, 0, readLength, bytes, readAt, readAt + readLength);
            if (wrong >= 0)
            {
                throw new AssertionError(this + ": byte " + (readAt + wrong) + " was read as " + readBytes[wrong] +
                    ", expected " + bytes[readAt + wrong]);
            }
            readLength = 0;
        }
        if (toBeFound != null && remote.value() != toBeFound)
        {
            throw new AssertionError(this + ": found " + remote.value() + ", expected " + toBeFound);
        }
        toBeFound = null;
        if (isAdding)
        {
            isAdding = false;
            owner.added.confirm();
            if (remote.value() < 0 || remote.value() >= owner.added.asked() || !owner.found.add(remote.value()))
            {
                throw new AssertionError(this + ": an addition has found " + remote.value() + ": " + owner.added);
            }
        }
        while (notifying > 0)
        {
            notifying--;
            owner.notified.confirm();
        }
        settle();
        count++;
        world.tally.add(party.endpoint.isSameNode(dest) ? "bulk done in the node" : "bulk done between nodes", 1);
    }

    /** Some puts, and perhaps something behind them that finds or reads. */
    private void ask()
    {
        for (int i = world.random.nextInt(MAX_PUTS); i > 0; i--)
        {
            if (world.random.nextInt(4) == 0)
            {
                notifyOwner();
            }
            else
            {
                put(1 + world.random.nextInt(Plan.pick(world.random, LENGTHS)));
            }
        }
        switch (world.random.nextInt(7))
        {
            case 0:
                get(1 + world.random.nextInt(Plan.pick(world.random, LENGTHS)));
                break;
            case 1:
                add();
                break;
            case 2:
                find(remote.getAcquire(ownWord()), word, word);
                break;
            case 3:
                salt++;
                find(remote.getAndSet(ownWord(), salt), word, salt);
                break;
            case 4:
                salt++;
                find(remote.compareAndSet(ownWord(), word, salt), 1, salt);
                break;
            case 5:
                find(remote.compareAndSet(ownWord(), -1, salt), 0, word);
                break;
            default:
                store();
                break;
        }
    }

    private void fill(final int at, final int length)
    {
        final byte[] fresh = new byte[length];
        world.random.nextBytes(fresh);
        expected.putBytes(at, fresh);
    }

    private void put(final int length)
    {
        final int at = world.random.nextInt(LENGTH - length + 1);
        final byte[] before = Arrays.copyOfRange(bytes, at, at + length);
        fill(at, length);
        final int taken = (int)Math.max(0, remote.put(start() + at, expected, at, length));
        note(at, taken);
        // what was not taken is as it was
        expected.putBytes(at + taken, before, taken, length - taken);
    }

    /** So short that all of it is taken, or nothing. */
    private void notifyOwner()
    {
        final int length = 1 + world.random.nextInt(MAX_NOTIFY_LENGTH);
        final int at = world.random.nextInt(LENGTH - length + 1);
        final byte[] before = Arrays.copyOfRange(bytes, at, at + length);
        fill(at, length);
        owner.notified.ask();
        if (remote.putNotify(start() + at, expected, at, length, sharedWord(NOTIFIED_OFFSET)) < 0)
        {
            owner.notified.takeBack();
            expected.putBytes(at, before);
        }
        else
        {
            notifying++;
            note(at, length);
        }
    }

    private void get(final int length)
    {
        readAt = world.random.nextInt(LENGTH - length + 1);
        readLength = (int)Math.max(0, remote.get(start() + readAt, read, 0, length));
    }

    private void add()
    {
        owner.added.ask();
        isAdding = remote.getAndAdd(sharedWord(ADDED_OFFSET), 1) >= 0;
        if (!isAdding)
        {
            owner.added.takeBack();
        }
    }

    private void find(final long result, final long value, final long next)
    {
        if (result >= 0)
        {
            toBeFound = value;
            word = next;
            words.add(next);
        }
    }

    private void store()
    {
        salt++;
        if (remote.putOrdered(ownWord(), salt) >= 0)
        {
            word = salt;
            words.add(salt);
        }
    }

    /** What was written is there. */
    void check()
    {
        final byte[] found = found();
        final int wrong = Arrays.mismatch(found, bytes);
        if (wrong >= 0)
        {
            throw new AssertionError(this + ": byte " + wrong + " is " + found[wrong] + ", expected " + bytes[wrong]);
        }
        if (owner.contents().getLong(ownWord()) != word)
        {
            throw new AssertionError(this + ": the word is " + owner.contents().getLong(ownWord()) + ", expected " + word);
        }
    }

    @Override
    public String toString()
    {
        return party + " in the region of rank " + dest + ": " + phase + ", of " + owner + ", writes=" + writes.size();
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import static org.tallypost.mailbox.process.RegistryDescriptor.HEARTBEAT_OFFSET;
import static org.tallypost.mailbox.process.RegistryDescriptor.INCARNATION_OFFSET;
import static org.tallypost.mailbox.process.RegistryDescriptor.MEMBERSHIP_OFFSET;
import static org.tallypost.mailbox.process.RegistryDescriptor.NAMESPACE_OFFSET;
import static org.tallypost.mailbox.process.RegistryDescriptor.PID_OFFSET;
import static org.tallypost.mailbox.process.RegistryDescriptor.START_TIME_OFFSET;
import static org.tallypost.mailbox.process.RegistryDescriptor.STATE_FREE;
import static org.tallypost.mailbox.process.RegistryDescriptor.STATE_GONE;
import static org.tallypost.mailbox.process.RegistryDescriptor.STATE_LIVE;
import static org.tallypost.mailbox.process.RegistryDescriptor.STATE_OFFSET;

import java.io.File;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * The processes of a node and the claim marks of their threads, in one mapped file. Joining and leaving are done under the
 * {@link NodeLock}; everything else is lock-free.
 */
public final class Registry
{
    /** Some live thread may still publish at the position asked for. */
    public static final int LIVE_CLAIM = -1;

    /** Stands for the attempt of a thread that cannot have claimed the slot asked for: attempts are negative. */
    private static final long SETTLED = 1;

    private final File file;
    private final File lockFile;
    private final UnsafeBuffer buffer;
    private final int processes;
    private final int marks;

    private Registry(final File file, final UnsafeBuffer buffer)
    {
        this.file = file;
        lockFile = NodeLock.file(file.getAbsoluteFile().getParentFile());
        this.buffer = buffer;
        processes = buffer.getInt(RegistryDescriptor.PROCESSES_OFFSET);
        marks = buffer.getInt(RegistryDescriptor.MARKS_OFFSET);
        if (processes < 1 || marks < 1 || RegistryDescriptor.fileLength(processes, marks) != buffer.capacity())
        {
            throw new MailboxException("registry file does not fit its own header: file=" + file + ", found length=" +
                buffer.capacity() + ", processes=" + processes + ", marks=" + marks);
        }
    }

    /**
     * Creates a registry file and maps it.
     *
     * @param file      to create.
     * @param processes most processes at the same time.
     * @param marks     most sending threads at the same time, over all processes.
     * @return the registry.
     */
    public static Registry create(final File file, final int processes, final int marks)
    {
        final long length = RegistryDescriptor.fileLength(processes, marks);
        if (processes < 1 || marks < 1 || length > Integer.MAX_VALUE)
        {
            throw new IllegalArgumentException("registry out of range: processes=" + processes + ", marks=" + marks +
                ", expected each at least 1 and length <= " + Integer.MAX_VALUE + ", found length=" + length);
        }
        return new Registry(file, MappedFiles.create(file, length, (b) ->
        {
            b.putLong(MailboxDescriptor.MAGIC_OFFSET, RegistryDescriptor.MAGIC);
            b.putInt(RegistryDescriptor.PROCESSES_OFFSET, processes);
            b.putLong(RegistryDescriptor.FILE_LENGTH_OFFSET, length);
            b.putInt(RegistryDescriptor.MARKS_OFFSET, marks);
            b.putIntRelease(MailboxDescriptor.VERSION_OFFSET, RegistryDescriptor.VERSION);
        }));
    }

    /**
     * Maps an existing registry file.
     *
     * @param file to map.
     * @return the registry.
     */
    public static Registry attach(final File file)
    {
        final UnsafeBuffer buffer = MappedFiles.map(file, RegistryDescriptor.ENTRIES_OFFSET, "registry");
        MappedFiles.checkHeader(
            buffer, file, "registry", RegistryDescriptor.MAGIC, RegistryDescriptor.VERSION,
            RegistryDescriptor.FILE_LENGTH_OFFSET);
        return new Registry(file, buffer);
    }

    /**
     * Enters this process.
     *
     * @param nowMs time of the first heartbeat, milliseconds since the epoch.
     * @return index of the entry.
     * @throws MailboxException if all entries are taken by live processes.
     */
    public int join(final long nowMs)
    {
        return NodeLock.locked(lockFile, () ->
        {
            final int process = freeEntry();
            final int offset = RegistryDescriptor.entryOffset(process);
            final ProcessIdentity self = ProcessIdentity.current();
            final int incarnation = buffer.getInt(RegistryDescriptor.LAST_INCARNATION_OFFSET) + 1;
            buffer.putInt(RegistryDescriptor.LAST_INCARNATION_OFFSET, incarnation);
            buffer.putIntRelease(offset + STATE_OFFSET, STATE_FREE);
            buffer.putInt(offset + INCARNATION_OFFSET, incarnation);
            buffer.putLong(offset + PID_OFFSET, self.pid());
            buffer.putLong(offset + START_TIME_OFFSET, self.startTime());
            buffer.putLong(offset + NAMESPACE_OFFSET, self.namespace());
            buffer.putLong(offset + HEARTBEAT_OFFSET, nowMs);
            // SYNC POINT process-live: identity first
            buffer.putIntRelease(offset + STATE_OFFSET, STATE_LIVE);
            return process;
        });
    }

    private int freeEntry()
    {
        int gone = -1;
        for (int process = 0; process < processes; process++)
        {
            final int state = buffer.getIntAcquire(RegistryDescriptor.entryOffset(process) + STATE_OFFSET);
            if (state == STATE_FREE)
            {
                return process;
            }
            if (state == STATE_GONE && gone < 0)
            {
                gone = process;
            }
        }
        if (gone < 0 && declareDead() > 0)
        {
            return freeEntry();
        }
        if (gone < 0)
        {
            throw new MailboxException("registry is full of live processes: file=" + file + ", processes=" + processes +
                "; raise maxProcesses");
        }
        return gone;
    }

    /**
     * Leaves in good order: the entry and its marks are free at once.
     *
     * @param process     index of the entry.
     * @param incarnation of it.
     */
    public void leave(final int process, final int incarnation)
    {
        NodeLock.locked(lockFile, () ->
        {
            if (isLive(process, incarnation))
            {
                for (int mark = 0; mark < marks; mark++)
                {
                    final int offset = RegistryDescriptor.markOffset(processes, mark);
                    if (isOwnedBy(offset, process, incarnation))
                    {
                        buffer.putLongRelease(offset + ClaimMark.CLAIM_OFFSET, 0L);
                        // SYNC POINT mark-owner: a thread that finds the mark free finds it without a claim
                        buffer.putLongRelease(offset + ClaimMark.PROCESS_OFFSET, ClaimMark.NOBODY);
                    }
                }
                buffer.putIntRelease(RegistryDescriptor.entryOffset(process) + STATE_OFFSET, STATE_FREE);
            }
            return null;
        });
    }

    /**
     * Takes a claim mark for a thread of a process. Lock-free: a process that was stopped holds up no other.
     *
     * <p>The owner is one word, and a compare-and-set of it takes the mark. A mark may be taken if it has no owner, or if its
     * owner is gone and has left no claim in it: such a claim is evidence that its consumer still needs. A process that is gone
     * does not become the owner again, as an incarnation is never given twice, and a mark that is given back has no claim. So
     * what was found about the old owner still holds when the compare-and-set succeeds.
     *
     * @param process     index of the process.
     * @param incarnation of it.
     * @return the mark.
     * @throws MailboxException if all marks are in use by live processes.
     */
    public ClaimMark takeMark(final int process, final int incarnation)
    {
        final long own = ownerWord(process, incarnation);
        for (int mark = 0; mark < marks; mark++)
        {
            final int offset = RegistryDescriptor.markOffset(processes, mark);
            // SYNC POINT mark-owner: owner first, then the claim
            final long owner = buffer.getLongVolatile(offset + ClaimMark.PROCESS_OFFSET);
            if ((owner == ClaimMark.NOBODY || !isLive((int)owner, (int)(owner >>> 32)) &&
                buffer.getLongAcquire(offset + ClaimMark.CLAIM_OFFSET) == 0) &&
                buffer.compareAndSetLong(offset + ClaimMark.PROCESS_OFFSET, owner, own))
            {
                buffer.putLongRelease(offset + ClaimMark.CLAIM_OFFSET, 0L);
                return new ClaimMark(buffer, offset);
            }
        }
        throw new MailboxException("no claim mark left: file=" + file + ", marks=" + marks +
            ", one per sending thread; raise maxSendingThreads or send from fewer threads");
    }

    /**
     * Whether a process is there, as far as this registry knows.
     *
     * @param process     index of its entry.
     * @param incarnation of it: an entry that was given to another process since is not this one.
     * @return true if so.
     */
    public boolean isLive(final int process, final int incarnation)
    {
        if (process < 0 || process >= processes)
        {
            return false;
        }
        final int offset = RegistryDescriptor.entryOffset(process);
        return buffer.getIntAcquire(offset + STATE_OFFSET) == STATE_LIVE &&
            buffer.getInt(offset + INCARNATION_OFFSET) == incarnation;
    }

    /**
     * Number of processes that are there, as far as this registry knows.
     *
     * @return their number.
     */
    public int liveCount()
    {
        int count = 0;
        for (int process = 0; process < processes; process++)
        {
            if (buffer.getIntAcquire(RegistryDescriptor.entryOffset(process) + STATE_OFFSET) == STATE_LIVE)
            {
                count++;
            }
        }
        return count;
    }

    /**
     * Most processes at the same time.
     *
     * @return number of entries.
     */
    public int processes()
    {
        return processes;
    }

    /**
     * Incarnation of the process in an entry.
     *
     * @param process index of the entry.
     * @return the incarnation.
     */
    public int incarnation(final int process)
    {
        return buffer.getInt(RegistryDescriptor.entryOffset(process) + INCARNATION_OFFSET);
    }

    /**
     * Says that this process is alive, for those that cannot look at its pid. Each differs from the one before, whatever the
     * clock says.
     *
     * @param process index of the own entry.
     * @param nowMs   milliseconds since the epoch.
     */
    public void heartbeat(final int process, final long nowMs)
    {
        final int offset = RegistryDescriptor.entryOffset(process) + HEARTBEAT_OFFSET;
        buffer.putLongRelease(offset, Math.max(nowMs, buffer.getLong(offset) + 1));
    }

    /**
     * Looks at every live process and declares those gone that are proven to be dead by pid and start time, within the same
     * namespaces. Others are left alone: what a clock on the wall says of a heartbeat is no evidence.
     *
     * @return number of processes that this call declared gone.
     */
    public int declareDead()
    {
        return declareGone((process, incarnation, beat) -> false);
    }

    /**
     * Declares processes gone for which there is no proof too: their heartbeat has stood still for longer than the liveness
     * interval while the caller looked. For a caller that looks several times within it. The system is asked only about a process
     * with a heartbeat that stood still since the last look, and about one more in turn: a look at a node of many processes reads
     * a word of each. A death is found at the second look after it at the latest. Where many are late, as on a machine with too
     * much to do, one asks for all: what the system says of a process that lives is a sign of life of it, and is put where its
     * heartbeat is.
     *
     * @param seen       by the caller so far.
     * @param nowNs      time of a clock that never jumps.
     * @param intervalNs the liveness interval.
     * @return number of processes that this call declared gone.
     */
    public int declareGone(final Heartbeats seen, final long nowNs, final long intervalNs)
    {
        final Heartbeats.Silence silence =
            (process, incarnation, beat) -> seen.isSilent(process, incarnation, beat, nowNs, intervalNs);
        final int turn = seen.nextTurn();
        // each joined with an incarnation of its own, and took the first free entry; if the word is damaged, the turn finds it
        final int joined = buffer.getIntVolatile(RegistryDescriptor.LAST_INCARNATION_OFFSET);
        final int limit = joined > 0 ? Math.min(joined, processes) : processes;
        int count = turn < limit ? 0 : declareGone(turn, silence);
        for (int process = 0; process < limit; process++)
        {
            final int offset = RegistryDescriptor.entryOffset(process);
            final long word = buffer.getLongVolatile(offset + STATE_OFFSET);
            if ((int)word == STATE_LIVE)
            {
                final long heartbeat = buffer.getLongAcquire(offset + HEARTBEAT_OFFSET);
                final boolean hasBeaten = seen.hasBeaten(process, (int)(word >>> 32), heartbeat, nowNs);
                if (!hasBeaten && identity(process).probe() == ProcessIdentity.Liveness.ALIVE)
                {
                    vouch(process, heartbeat, seen);
                }
                else
                {
                    count += process == turn || !hasBeaten ? declareGone(process, silence) : 0;
                }
            }
        }
        return count;
    }

    /**
     * Others need not ask for this process until their second look from now. Nothing is put if its own heartbeat has come
     * meanwhile, or another's word; its own one that comes at this moment may replace it, as it is a sign of life as well.
     */
    private void vouch(final int process, final long heartbeat, final Heartbeats seen)
    {
        final int offset = RegistryDescriptor.entryOffset(process) + HEARTBEAT_OFFSET;
        if (buffer.compareAndSetLong(offset, heartbeat, heartbeat + 1))
        {
            seen.vouched(process, heartbeat + 1);
        }
    }

    /**
     * The least evidence of life that there is, over all live processes, with nothing declared.
     *
     * @param seen       by the caller so far; it has as many entries as this registry.
     * @param nowNs      time of a clock that never jumps.
     * @param intervalNs the liveness interval.
     * @return ALIVE if a process is proven to be there; UNKNOWN if a heartbeat may still go on; DEAD if all are dead or silent.
     */
    public ProcessIdentity.Liveness observe(final Heartbeats seen, final long nowNs, final long intervalNs)
    {
        ProcessIdentity.Liveness result = ProcessIdentity.Liveness.DEAD;
        for (int process = 0; process < processes; process++)
        {
            final int offset = RegistryDescriptor.entryOffset(process);
            final long word = buffer.getLongVolatile(offset + STATE_OFFSET);
            final ProcessIdentity.Liveness found =
                (int)word == STATE_LIVE ? identity(process).probe() : ProcessIdentity.Liveness.DEAD;
            if (found == ProcessIdentity.Liveness.ALIVE)
            {
                return found;
            }
            if (found == ProcessIdentity.Liveness.UNKNOWN && !seen.isSilent(
                process, (int)(word >>> 32), buffer.getLongAcquire(offset + HEARTBEAT_OFFSET), nowNs, intervalNs))
            {
                result = found;
            }
        }
        return result;
    }

    private int declareGone(final Heartbeats.Silence silence)
    {
        int count = 0;
        for (int process = 0; process < processes; process++)
        {
            count += declareGone(process, silence);
        }
        return count;
    }

    private int declareGone(final int process, final Heartbeats.Silence silence)
    {
        final int offset = RegistryDescriptor.entryOffset(process);
        // state and incarnation in one word: an entry that was given to another process meanwhile is left alone
        final long word = buffer.getLongVolatile(offset + STATE_OFFSET);
        return (int)word == STATE_LIVE && isDead(process, (int)(word >>> 32), silence) &&
            buffer.compareAndSetLong(offset + STATE_OFFSET, word, word - STATE_LIVE + STATE_GONE) ? 1 : 0;
    }

    private boolean isDead(final int process, final int incarnation, final Heartbeats.Silence silence)
    {
        switch (identity(process).probe())
        {
            case ALIVE:
                return false;
            case DEAD:
                return true;
            default:
                return silence.test(process, incarnation,
                    buffer.getLongAcquire(RegistryDescriptor.entryOffset(process) + HEARTBEAT_OFFSET));
        }
    }

    /**
     * Finds out which thread may have claimed a slot of a mailbox that is not published.
     *
     * <p>A live thread that has stored its claim but not yet its position may have claimed any slot. It is waited for
     * until that attempt is over, not until no thread is seen in such a moment: senders that try again and again
     * without credits would hide a dead claim for ever.
     *
     * <p>Positions are compared within a cycle of laps: a claim made beside a damaged write position is where its header says.
     *
     * @param key       of the mailbox.
     * @param ringSlots of it.
     * @param position  of the slot.
     * @param attempts  one per mark, kept by the caller from look to look at the same slot.
     * @param first     whether this is the first look at this slot; the write position was read before it.
     * @return {@link #LIVE_CLAIM}, the slots that a dead thread's mark puts there and beyond, or 0 if no mark does.
     */
    public int findClaim(
        final long key, final int ringSlots, final long position, final long[] attempts, final boolean first)
    {
        int dead = 0;
        boolean isCovered = false;
        boolean isOpen = false;
        for (int mark = 0; mark < marks; mark++)
        {
            final int offset = RegistryDescriptor.markOffset(processes, mark);
            // SYNC POINT claim-mark, SYNC POINT claim-cleared
            final long claim = buffer.getLongAcquire(offset + ClaimMark.CLAIM_OFFSET);
            final long word = buffer.getLongAcquire(offset + ClaimMark.POSITION_OFFSET);
            if (!ClaimMark.isFor(claim, key))
            {
                attempts[mark] = SETTLED;
            }
            else if (!isOwnerLive(offset))
            {
                attempts[mark] = SETTLED;
                dead = Math.max(dead, deadSlotsAt(offset, key, ringSlots, position));
            }
            else if (word > 0)
            {
                attempts[mark] = SETTLED;
                isCovered |= MailboxDescriptor.withinCycle(position - (word - 1), ringSlots) < ClaimMark.slots(claim);
            }
            else if (first || attempts[mark] == word)
            {
                attempts[mark] = word;
                isOpen = true;
            }
            else
            {
                attempts[mark] = SETTLED;
            }
        }
        return isCovered || isOpen && dead == 0 ? LIVE_CLAIM : dead;
    }

    /** Slots from a position to the end of a dead thread's claim that covers it: read again, only now its stores are final. */
    private int deadSlotsAt(final int offset, final long key, final int ringSlots, final long position)
    {
        final long claim = buffer.getLongAcquire(offset + ClaimMark.CLAIM_OFFSET);
        final long word = buffer.getLongAcquire(offset + ClaimMark.POSITION_OFFSET);
        final long passed = MailboxDescriptor.withinCycle(position - (word - 1), ringSlots);
        final int slots = ClaimMark.slots(claim);
        return ClaimMark.isFor(claim, key) && word > 0 && passed < slots ? slots - (int)passed : 0;
    }

    /**
     * The first position above another at which some mark, dead or live, puts the beginning of a run.
     *
     * @param key       of the mailbox.
     * @param ringSlots of it.
     * @param position  above which to look.
     * @param limit     to return if there is none below it.
     * @return the position.
     */
    public long nextClaim(final long key, final int ringSlots, final long position, final long limit)
    {
        long next = limit;
        for (int mark = 0; mark < marks; mark++)
        {
            final int offset = RegistryDescriptor.markOffset(processes, mark);
            final long claim = buffer.getLongAcquire(offset + ClaimMark.CLAIM_OFFSET);
            final long word = buffer.getLongAcquire(offset + ClaimMark.POSITION_OFFSET);
            if (ClaimMark.isFor(claim, key) && word > 0)
            {
                final long ahead = MailboxDescriptor.withinCycle(word - 1 - position, ringSlots);
                if (ahead > 0 && ahead < next - position)
                {
                    next = position + ahead;
                }
            }
        }
        return next;
    }

    /**
     * Number of mark lines.
     *
     * @return their number.
     */
    public int marks()
    {
        return marks;
    }

    /**
     * Whether any live thread is between the first store of its mark and the publication, for a mailbox.
     *
     * @param key of the mailbox.
     * @return true if so.
     */
    public boolean isClaiming(final long key)
    {
        for (int mark = 0; mark < marks; mark++)
        {
            final int offset = RegistryDescriptor.markOffset(processes, mark);
            if (ClaimMark.isFor(buffer.getLongAcquire(offset + ClaimMark.CLAIM_OFFSET), key) && isOwnerLive(offset))
            {
                return true;
            }
        }
        return false;
    }

    /** What a mark claims (acquire), 0 if nothing. */
    long claim(final int mark)
    {
        return buffer.getLongAcquire(RegistryDescriptor.markOffset(processes, mark) + ClaimMark.CLAIM_OFFSET);
    }

    /** A mark's position + 1, or its negative attempt (acquire). */
    long claimWord(final int mark)
    {
        return buffer.getLongAcquire(RegistryDescriptor.markOffset(processes, mark) + ClaimMark.POSITION_OFFSET);
    }

    /** Whether the thread of a mark may still be there. */
    boolean isMarkLive(final int mark)
    {
        return isOwnerLive(RegistryDescriptor.markOffset(processes, mark));
    }

    /** Whether a mark is of a process. */
    boolean isMarkOf(final int mark, final int process, final int incarnation)
    {
        return isOwnedBy(RegistryDescriptor.markOffset(processes, mark), process, incarnation);
    }

    /**
     * Clears what dead threads left in their marks for a mailbox, once its consumer has passed every slot that they can
     * have claimed: what is left has served as evidence. What they left for older incarnations of the mailbox, which
     * have no consumer any more, goes with it.
     *
     * @param ring     its consumer asks.
     * @param position where the consumer stands.
     */
    public void forgetDeadClaims(final ClaimedRing ring, final long position)
    {
        for (int mark = 0; mark < marks; mark++)
        {
            final int offset = RegistryDescriptor.markOffset(processes, mark);
            final long claim = buffer.getLongAcquire(offset + ClaimMark.CLAIM_OFFSET);
            if (ClaimMark.isForOrOlder(claim, ring.claimKey()) && !isOwnerLive(offset) &&
                (isPassed(offset, claim, position) || ring.writePosition() <= position))
            {
                buffer.compareAndSetLong(offset + ClaimMark.CLAIM_OFFSET, claim, 0L);
            }
        }
    }

    /**
     * Whether a dead thread's claim lies below a position: said by the mark, or else, as the caller looks after the death
     * is known, by a write position that the consumer has reached.
     */
    private boolean isPassed(final int offset, final long claim, final long position)
    {
        final long word = buffer.getLongAcquire(offset + ClaimMark.POSITION_OFFSET);
        return word > 0 && word - 1 + ClaimMark.slots(claim) <= position &&
            buffer.getLongAcquire(offset + ClaimMark.CLAIM_OFFSET) == claim;
    }

    /**
     * Version of the membership: changes whenever a process or a rank came or went. Opaque read; the line is seldom written.
     *
     * @return the version.
     */
    public long membershipVersion()
    {
        return buffer.getLongOpaque(MEMBERSHIP_OFFSET);
    }

    /** Tells all processes that the membership changed. Ordered after what changed. */
    public void membershipChanged()
    {
        buffer.getAndAddLong(MEMBERSHIP_OFFSET, 1);
    }

    /**
     * Identity of the process in an entry.
     *
     * @param process index of the entry, as read from shared memory.
     * @return the identity; one with pid 0, which no process has, if there is no such entry.
     */
    public ProcessIdentity identity(final int process)
    {
        if (process < 0 || process >= processes)
        {
            return new ProcessIdentity(0, 0, 0);
        }
        final int offset = RegistryDescriptor.entryOffset(process);
        return new ProcessIdentity(
            buffer.getLong(offset + PID_OFFSET), buffer.getLong(offset + START_TIME_OFFSET),
            buffer.getLong(offset + NAMESPACE_OFFSET));
    }

    /** Index of the process below, as the two ints lie on this processor. */
    private static long ownerWord(final int process, final int incarnation)
    {
        return (long)incarnation << 32 | process & 0xFFFF_FFFFL;
    }

    private boolean isOwnerLive(final int offset)
    {
        // one load: never half of one owner and half of the next
        final long owner = buffer.getLongAcquire(offset + ClaimMark.PROCESS_OFFSET);
        return isLive((int)owner, (int)(owner >>> 32));
    }

    private boolean isOwnedBy(final int offset, final int process, final int incarnation)
    {
        return buffer.getLongAcquire(offset + ClaimMark.PROCESS_OFFSET) == ownerWord(process, incarnation);
    }
}

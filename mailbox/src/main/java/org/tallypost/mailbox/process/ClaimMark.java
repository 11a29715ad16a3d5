// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.Mailbox;

/**
 * What a sending thread tells the world while it claims: one line of its own in the {@link Registry}, written with
 * plain-cost stores by that thread, read by a consumer that finds a hole in its ring. A consumer that finds a
 * hole which no live thread's mark can explain knows that the claimant is dead.
 *
 * <pre>
 *   0   8   claim: 0, or mailbox incarnation (32 bits), mailbox id (20), slots (12)
 *   8   8   position + 1 once it is known, before that minus the number of this attempt
 *  16   4   owner: index of its process        20   4   owner: incarnation of its process; both 0 if the mark is free
 * </pre>
 *
 * The order of a thread's stores is: attempt, claim, [withdraw credits], [the addition to the write pointer],
 * position, payload, header, claim 0. From this follow the facts that the consumer's proof needs: a thread that added to
 * the write pointer had stored its claim before, one that cleared its claim had published before, and one that died
 * without a position had written nothing. The number of the attempt lets a consumer that looks twice tell one
 * claim that hangs from many that come and go, as those of a sender that keeps trying without credits.
 *
 * <p>Whether its thread is claiming is known in the process, too, so that what another process has written into the line is
 * found and taken out ({@link #repair}): a claim that no thread makes would be waited for without end.
 *
 * <p>The process also knows which of the claimed slots are not published yet. An Error, as for want of stack, may end a claim
 * at any call. So these are fields that are written right behind the store that they tell of, with no call in between: at each
 * point where an Error can strike they say what was done. {@link Mailbox#abortNext} needs them to end such a claim.
 */
public final class ClaimMark
{
    /** Offset of what is claimed: key and slots. */
    public static final int CLAIM_OFFSET = 0;
    /** Offset of where the claim lies, plus one. */
    public static final int POSITION_OFFSET = 8;
    /** Offset of the process that has the mark. */
    public static final int PROCESS_OFFSET = 16;
    /** Offset of its incarnation. */
    public static final int INCARNATION_OFFSET = 20;

    /** Owner of a free mark: incarnations begin at 1. */
    static final long NOBODY = 0;
    /** Owner of a mark that belonged to a thread lost in a claim: a process that never is. */
    static final long LOST_THREAD = 0xFFFF_FFFFL;

    private static final int ID_SHIFT = 12;
    private static final int SLOTS_MASK = (1 << ID_SHIFT) - 1;

    private static final VarHandle ATTEMPT;

    static
    {
        try
        {
            ATTEMPT = MethodHandles.lookup().findVarHandle(ClaimMark.class, "attempt", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final UnsafeBuffer buffer;
    private final int claimOffset;
    private final int positionOffset;
    private final int ownerOffset;
    /** Odd while the thread is claiming; each attempt has a number of its own. Written by that thread. */
    private long attempt;
    /** Whether the slots of this attempt were claimed. As the next two, of the mark's thread, or of what ends its claim. */
    public boolean isPlaced;
    /** First of the claimed slots that is not published. */
    public long next;
    /** End of the claimed slots. */
    public long end;

    /**
     * A mark in the registry file.
     *
     * @param buffer of the file.
     * @param offset of the mark line.
     */
    public ClaimMark(final UnsafeBuffer buffer, final int offset)
    {
        this.buffer = buffer;
        claimOffset = offset + CLAIM_OFFSET;
        positionOffset = offset + POSITION_OFFSET;
        ownerOffset = offset + PROCESS_OFFSET;
    }

    /**
     * What the marks of claims in a mailbox say.
     *
     * @param mailboxId   of the mailbox.
     * @param incarnation of the mailbox.
     * @return the key, with no slots in it.
     */
    public static long key(final int mailboxId, final int incarnation)
    {
        return ((long)incarnation << 32) | ((long)mailboxId << ID_SHIFT);
    }

    /**
     * Whether a mark tells of a claim in a mailbox.
     *
     * @param claim first word of the mark.
     * @param key   of the mailbox.
     * @return true if so.
     */
    public static boolean isFor(final long claim, final long key)
    {
        return (claim & ~SLOTS_MASK) == key && (claim & SLOTS_MASK) != 0;
    }

    /** Whether a claim is for the mailbox of a key or for an incarnation of it with a smaller number. */
    static boolean isForOrOlder(final long claim, final long key)
    {
        return (int)(claim & ~SLOTS_MASK) == (int)key && (claim & SLOTS_MASK) != 0 &&
            (int)(claim >>> 32) - (int)(key >>> 32) <= 0;
    }

    static int slots(final long claim)
    {
        return (int)claim & SLOTS_MASK;
    }

    /**
     * Says that slots of a mailbox are about to be claimed.
     *
     * @param key   of the mailbox, {@link Mailbox#claimKey()}.
     * @param slots of the run.
     */
    public void intend(final long key, final int slots)
    {
        final long number = attempt + 1 | 1;
        isPlaced = false;
        attempt = number;
        buffer.putLongRelease(positionOffset, -number);
        // SYNC POINT claim-mark: ordered before the addition to the write pointer, which is a full fence
        buffer.putLongRelease(claimOffset, key | slots);
    }

    /**
     * Says where the claim lies. Ordered before the payload.
     *
     * @param position of its first slot.
     */
    public void claimed(final long position)
    {
        buffer.putLongRelease(positionOffset, position + 1);
        VarHandle.storeStoreFence();
    }

    /**
     * Whether its thread is between {@link #intend} and {@link #clear}, whatever the registry says. For other threads of the
     * process.
     *
     * @return true if so (volatile).
     */
    public boolean isClaiming()
    {
        return isClaiming((long)ATTEMPT.getVolatile(this));
    }

    private static boolean isClaiming(final long attempt)
    {
        return (attempt & 1) != 0;
    }

    /**
     * Clears a claim that the mark's thread does not make. For any thread of the process, now and then.
     *
     * <p>The number of the attempt is even before and after the claim was read, and the same: a claim of the thread would have
     * come with an odd one before, or have gone before an even one. If at this moment the thread begins with a claim of the
     * same mailbox and length as the one that another process wrote, that is cleared too.
     */
    public void repair()
    {
        final long before = (long)ATTEMPT.getAcquire(this);
        final long claim = buffer.getLongVolatile(claimOffset);
        if (claim != 0 && !isClaiming(before) && (long)ATTEMPT.getAcquire(this) == before)
        {
            buffer.compareAndSetLong(claimOffset, claim, 0L);
        }
    }

    /**
     * Whether slots were claimed in the last attempt, published or not. For the mark's thread, or for what ends its claim.
     *
     * @return true if so.
     */
    public boolean isPlaced()
    {
        return isPlaced;
    }

    /**
     * Makes the line the evidence of a dead thread: consumers pass over what its claim covers, as if its process had died, and
     * the line is free again when they have. For a claim of a thread that has ended, if nothing else is known of it. The mark is
     * not used any more.
     */
    public void abandon()
    {
        buffer.putLongRelease(ownerOffset, LOST_THREAD);
    }

    /** Gives the line back, for any thread of any process. The mark claims nothing, and is not used any more. */
    public void release()
    {
        // SYNC POINT mark-owner: behind the claim, which is 0
        buffer.putLongRelease(ownerOffset, NOBODY);
    }

    /** Nothing is being claimed any more. Ordered after the header's publication. */
    public void clear()
    {
        // SYNC POINT claim-cleared: a thread that sees this sees the header
        buffer.putLongRelease(claimOffset, 0L);
        ATTEMPT.setRelease(this, attempt + 1 & ~1L);
    }
}

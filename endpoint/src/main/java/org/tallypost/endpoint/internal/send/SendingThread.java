// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import java.util.function.Consumer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.process.ClaimMark;

/**
 * A thread that sends, with its claim mark, and what it waits for. The latter is its own business: no other thread looks.
 *
 * <p>An Error may end a claim of the thread at any call: for want of stack or memory, or since a file was cut off. Nobody can
 * call anything then with certainty. So each method in which a claim begins or ends catches what is thrown, and puts down here
 * what the claim was for, with stores alone:
 *
 * <pre>
 *   sender.finishLeft();                        before: what was left by the claim before
 *   try
 *   {
 *       mark.intend - credits (taken := n) - claim (the mark knows where) - publish - mark.clear
 *   }
 *   catch (final Throwable t)
 *   {
 *       sender.leftPeer = peer;
 *       sender.leftTaken = taken;
 *       sender.isLeft = true;                   SYNC POINT claim-left: from here on the thread is outside
 *       sender.finishLeft();                    if there is stack for it
 *       throw t;
 *   }
 * </pre>
 *
 * What was left is finished by the thread itself, at once or before its next claim, or by the thread that looks after the node,
 * several times in a liveness interval. Slots that were claimed are given up, and their receiver gives the credits back; credits
 * for which no slots were claimed go back to where they were taken from. A control packet that has its slot is sent: no account
 * knows what it would cost to give it up. Each step is noted right behind the store that it tells
 * of, with no call in between, so whatever ends {@link #finishLeft} it can begin again and does nothing twice. The mark is
 * cleared last: until then a receiver that compares its books waits.
 */
public final class SendingThread
{
    private static final Consumer<Peer> NOBODY_WAITS = (peer) -> {};

    public final Thread thread;
    public final ClaimMark mark;
    /** Receiver of the claim that was left; null if it was for {@link #box}. Read behind {@link #isLeft}, as the next ones. */
    public Peer leftPeer;
    /** Credits that were taken for it, which count only if no slots were claimed. */
    public int leftTaken;
    /** Type of the control packet that was claimed, which is sent all the same; 0 if it was none. */
    int leftType;
    /** Credits in that packet. */
    int leftValue;
    /** Number of the message that the run was of, which is given up; negative if it was of none in several runs. */
    int leftMessage = -1;
    /** SYNC POINT claim-left. */
    public volatile boolean isLeft;
    /** Where the thread claims for a sender of another node, and for which: as long as the mark is set. */
    public Mailbox box;
    public int boxSource;
    private final Consumer<Peer> onGivenBack;
    private int leftCredits;
    private boolean isRefused;
    private boolean isNewsAwaited;
    /** Why the thread's last message had no receiver to go to: what its call returns. */
    long blocked;

    public SendingThread(final Thread thread, final ClaimMark mark)
    {
        this(thread, mark, NOBODY_WAITS);
    }

    public SendingThread(final Thread thread, final ClaimMark mark, final Consumer<Peer> onGivenBack)
    {
        this.thread = thread;
        this.mark = mark;
        this.onGivenBack = onGivenBack;
    }

    /** Finishes what an Error has left of the thread's last claim. For this thread outside of a claim, or any other. */
    public void finishLeft()
    {
        if (isLeft)
        {
            finish();
        }
    }

    private synchronized void finish()
    {
        if (!isLeft)
        {
            return;
        }
        final Peer peer = leftPeer;
        final Mailbox mailbox = peer == null ? box : peer.mailbox;
        final int source = peer == null ? boxSource : peer.source;
        final boolean isPaidBack = peer != null && peer.isAbortedPaidBack();
        if (mark.isPlaced())
        {
            leftTaken = 0;
        }
        if (leftType != 0)
        {
            mailbox.publishNext(mark, leftType, leftValue, source);
        }
        int slots = mailbox.abortNext(mark, source);
        while (slots > 0)
        {
            leftCredits += isPaidBack ? slots : 0;
            slots = mailbox.abortNext(mark, source);
        }
        final int credits = leftTaken + leftCredits;
        if (credits > 0)
        {
            peer.add(credits);
            leftTaken = 0;
            leftCredits = 0;
            onGivenBack.accept(peer);
        }
        if (leftMessage >= 0)
        {
            peer.closeMessage(leftMessage, true);
            leftMessage = -1;
        }
        // wakes the receiver, too: the Error may have come right before that
        mailbox.finish(mark);
        leftType = 0;
        // it may be of a mailbox that is deleted, and keeps that mapped
        leftPeer = null;
        isLeft = false;
    }

    /** The memory in which there is something to finish is gone. */
    synchronized void forgetLeft()
    {
        leftTaken = 0;
        leftCredits = 0;
        leftMessage = -1;
        leftType = 0;
        isLeft = false;
        mark.clear();
    }

    /**
     * Finishes what the thread has left, which has ended. For any other thread.
     *
     * @return whether the mark can be used by another thread; if not, it is the evidence of a dead thread from now on.
     */
    synchronized boolean finishDead()
    {
        if (!isLeft && mark.isClaiming())
        {
            if (box == null || !mark.isPlaced())
            {
                mark.abandon();
                return false;
            }
            leftPeer = null;
            isLeft = true;
        }
        finish();
        return true;
    }

    /**
     * Notes why a message did not go, for when this thread waits.
     *
     * @return the code.
     */
    long refused(final Peer peer, final long code, final boolean isCredited)
    {
        // SYNC POINT awaited: this load first, so that a grant after the next one finds the word set
        final boolean isAwaited = peer.isAwaited();
        if (code != Endpoint.NO_CREDIT || !isCredited || peer.hasCredits())
        {
            // also: there are some, but too few, and only a further packet of this sender may bring more
            isNewsAwaited = true;
        }
        else if (!isAwaited)
        {
            peer.refusedThread = this;
            isRefused = true;
        }
        return code;
    }

    /**
     * Tells the receivers that refused this thread for want of credits that it waits for them from now on.
     *
     * @return their number.
     */
    public int awaitCredits(final Peer[] peers)
    {
        int told = 0;
        for (final Peer peer : peers)
        {
            if (peer != null && peer.refusedThread == this)
            {
                peer.refusedThread = null;
                peer.await();
                told++;
            }
        }
        return told;
    }

    /** Refused for a reason that ends without a wake-up. */
    void awaitNews()
    {
        isNewsAwaited = true;
    }

    /** From now on what it waits for counts anew. */
    public boolean beginToWait()
    {
        final boolean wasRefused = isRefused;
        isRefused = false;
        isNewsAwaited = false;
        return wasRefused;
    }

    public boolean isRefusedAnew()
    {
        return isRefused;
    }

    public boolean waitsForNews()
    {
        return isNewsAwaited;
    }
}

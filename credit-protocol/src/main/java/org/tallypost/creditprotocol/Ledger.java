// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import java.util.Objects;

/**
 * A receiver's account of its senders: how many slots of its mailbox each of them may fill.
 *
 * <p>Pure: inputs in, decisions out through {@link LedgerActions}. No memory of its own beyond primitive arrays that are
 * allocated at construction, no thread, no clock. <b>For one thread.</b> Every method is O(1) in the number of senders
 * unless it says otherwise.
 *
 * <p>Numbers may come from an untrusted peer. What cannot be true (a sender that is none or is gone, less than one slot, more
 * than the sender holds) is refused with {@code false}: the state stays as it was, and {@link #refused} counts it. An
 * honest peer is never refused.
 *
 * <p>Invariants, with the numbers of the protocol's text, checked after each call if that is switched on:
 * <ol>
 *   <li>conservation: the sum of currentCredits and availableSlots is the data region;</li>
 *   <li>ledger: currentCredits = sum of thresholds - 1 - retrieved, so a sender that sends always reaches its threshold;</li>
 *   <li>unread credit packets of a pair never exceed k: follows from 2, seen only by both sides together;</li>
 *   <li>the sum of intended quotas is the data region, and each is at least k.</li>
 * </ol>
 */
public abstract class Ledger
{
    /** Most slots of a mailbox, 64 GiB: the sum of two counts of slots still is an int. */
    public static final int MAX_SLOTS = 1 << 30;

    /** Number of senders, n. */
    final int senders;
    /** k: static slots of a sender, and slots for credit packets. */
    final int creditSlots;
    /** Slots for data of all senders: (S - k) n. */
    final int dataRegion;
    final LedgerActions actions;
    long creditPackets;
    long creditsGranted;
    long creditsStolen;
    long requests;
    long revoked;
    long piggybacked;
    private long refused;
    private boolean checksInvariants;

    Ledger(final int senders, final int creditSlots, final int slotsPerSender, final LedgerActions actions)
    {
        if (senders < 1)
        {
            throw new IllegalArgumentException("senders out of range: found=" + senders + ", expected at least 1");
        }
        if (creditSlots < 1)
        {
            throw new IllegalArgumentException("creditSlots out of range: found=" + creditSlots + ", expected at least 1");
        }
        if (slotsPerSender < 2L * creditSlots)
        {
            throw new IllegalArgumentException("slotsPerSender out of range: found=" + slotsPerSender +
                ", expected at least twice creditSlots=" + creditSlots);
        }
        if ((long)slotsPerSender * senders > MAX_SLOTS)
        {
            throw new IllegalArgumentException("slots of a mailbox out of range: found=" + slotsPerSender + " x " + senders +
                ", expected at most " + MAX_SLOTS);
        }
        this.senders = senders;
        this.creditSlots = creditSlots;
        this.actions = Objects.requireNonNull(actions, "actions");
        dataRegion = (slotsPerSender - creditSlots) * senders;
    }

    /**
     * Equation 5.1 of the thesis: slots freed after which credits go back.
     *
     * @param quota       of the sender in slots.
     * @param creditSlots k.
     * @return the threshold: at most k credit packets can be unread with it, and it is always reached.
     */
    public static int threshold(final int quota, final int creditSlots)
    {
        return quota / (creditSlots + 1) + 1;
    }

    /**
     * Slots were freed that a data, empty or aborted packet of a sender had filled.
     *
     * @param sender of the packet.
     * @param slots  that it cost.
     * @return false if the sender does not have so many credits out: it sent without credit.
     */
    public final boolean onRetrieved(final int sender, final int slots)
    {
        return booked(isSender(sender) && retrieve(sender, slots));
    }

    /**
     * As {@link #onRetrieved(int, int)}, by a sender that says how much it still has to send.
     *
     * @param sender    of the packet.
     * @param slots     that it cost.
     * @param announced slots that wait at the sender behind this packet; 0 for none, or if it does not say. Not to be trusted:
     *                  a ledger limits what it is worth.
     * @return as {@link #onRetrieved(int, int)}.
     */
    public final boolean onRetrieved(final int sender, final int slots, final int announced)
    {
        return booked(isSender(sender) && retrieve(sender, slots, announced));
    }

    /**
     * Slots of a nudge are freed: an empty packet of a sender that was refused for want of credits. The sender may have its share
     * of the slots again. What that is worth is limited, however often it is said.
     *
     * @param sender of the packet.
     * @param slots  that it cost.
     * @return as {@link #onRetrieved(int, int)}.
     */
    public final boolean onNudgeRetrieved(final int sender, final int slots)
    {
        return booked(isSender(sender) && retrieveNudge(sender, slots));
    }

    /**
     * A compulsory request of a sender was retrieved. It cost the sender one credit, like data; what it asks for is the
     * matter of the {@link Account}.
     *
     * @param sender of the packet.
     * @return as {@link #onRetrieved(int, int)}.
     */
    public final boolean onRequestRetrieved(final int sender)
    {
        return onRetrieved(sender, 1);
    }

    /**
     * A compulsory response was retrieved. It cost one credit, and the sender is no longer blocked. One without a request
     * is booked alike: it only gives.
     *
     * @param sender  of the packet.
     * @param credits that it gives back beside the one that it cost.
     * @return false if it cannot have so many.
     */
    public final boolean onResponseRetrieved(final int sender, final int credits)
    {
        return booked(isSender(sender) && respond(sender, credits));
    }

    /**
     * Credits were taken back directly out of shared memory, without a packet, and the sender is no longer blocked. Its k
     * static slots are never taken (thesis, section 6.3): a sender without credits and without packets on their way would
     * never be heard of again.
     *
     * @param sender  that had the credits.
     * @param credits taken back.
     * @return false if it would be left with less than its static slots, or if quotas are fixed.
     */
    public final boolean onRevoked(final int sender, final int credits)
    {
        return booked(isSender(sender) && takeExcess(sender, credits));
    }

    /**
     * Slots of a sender that may be freed before there is something to decide. It makes no difference whether so many are freed
     * one by one or by one call of {@link #onRetrieved(int, int)}.
     *
     * @param sender of the packets.
     * @return their number; 0 if each packet has to be told of by itself.
     */
    public int undecidedSlots(final int sender)
    {
        return 0;
    }

    private boolean isSender(final int sender)
    {
        return sender >= 0 && sender < senders;
    }

    private boolean booked(final boolean isAccepted)
    {
        if (!isAccepted)
        {
            refused++;
        }
        if (checksInvariants)
        {
            checkInvariants();
        }
        return isAccepted;
    }

    /** Counts a number that was refused within a call that goes on without it. */
    final void refuse()
    {
        refused++;
    }

    /**
     * Credits that something takes along which goes to a sender anyway: a data packet, or the line that tells the holder of an
     * express lane what was read. They are booked as given.
     *
     * @param sender that gets them.
     * @param limit  most credits that fit there.
     * @return 0 or more.
     */
    public final int piggyback(final int sender, final int limit)
    {
        final int credits = limit <= 0 ? 0 : carry(sender, limit);
        if (checksInvariants)
        {
            checkInvariants();
        }
        return credits;
    }

    /**
     * Grants a sender what it lacks of its quota, as far as there is any: for one that gets its freed slots back by
     * {@link #piggyback} with a limit. While they all do it reaches no threshold, and nothing else lets it have more than that
     * limit. Only where a grant is no packet: there may be any number of them on their way to a sender. With fixed quotas it does
     * nothing.
     *
     * @param sender that gets them, some slots of which were freed just now.
     */
    public final void grow(final int sender)
    {
        enlarge(sender);
        if (checksInvariants)
        {
            checkInvariants();
        }
    }

    abstract boolean retrieve(int sender, int slots);

    /** Most rules look only at what came. */
    boolean retrieve(final int sender, final int slots, final int announced)
    {
        return retrieve(sender, slots);
    }

    /** Where quotas are fixed, or follow another rule, a nudge is a packet as any other. */
    boolean retrieveNudge(final int sender, final int slots)
    {
        return retrieve(sender, slots);
    }

    abstract boolean respond(int sender, int credits);

    /** A fixed quota is what a sender has had from the start. */
    void enlarge(final int sender)
    {
    }

    /** Books credits that came back without a packet; false, and nothing is booked, by rules that take none. */
    boolean takeExcess(final int sender, final int credits)
    {
        return false;
    }

    abstract int carry(int sender, int limit);

    abstract void drop(int sender);

    abstract boolean readmit(int sender);

    /**
     * A sender is gone and all that it had sent is retrieved or skipped: what it held, static slots included, is free. Does
     * nothing if it is gone already.
     *
     * @param sender that is gone.
     */
    public final void reclaim(final int sender)
    {
        drop(sender);
        if (checksInvariants)
        {
            checkInvariants();
        }
    }

    /**
     * A sender that was gone is back. It starts anew.
     *
     * <p>Too few free slots for its first credits are set aside for it from then on, and credits are taken back from the
     * sender that holds most, by {@link LedgerActions#revoke}; each call takes from one, and is O(n) then. So it succeeds
     * sooner or later, even if all others rest.
     *
     * @param sender that is back.
     * @return false if it is not gone, or if there are not enough free slots for its first credits now: try again later.
     */
    public final boolean rejoin(final int sender)
    {
        final boolean accepted = readmit(sender);
        if (checksInvariants)
        {
            checkInvariants();
        }
        return accepted;
    }

    /**
     * Whether a sender is gone.
     *
     * @param sender asked for.
     * @return true between {@link #reclaim} and {@link #rejoin}.
     */
    public abstract boolean isGone(int sender);

    /**
     * Credits that a sender holds, that are on their way to it, or that its unread packets cost.
     *
     * @param sender asked for.
     * @return their number.
     */
    public abstract int currentCredits(int sender);

    /**
     * Slots of the data region that no sender may fill now.
     *
     * @return their number.
     */
    public abstract int availableSlots();

    /**
     * Slots that a sender should hold soon.
     *
     * @param sender asked for.
     * @return its quota.
     */
    public abstract int intendedQuota(int sender);

    /**
     * Slots freed since credits last went back to a sender.
     *
     * @param sender asked for.
     * @return their number.
     */
    public abstract int retrieved(int sender);

    /**
     * Memory of this ledger's per-sender state.
     *
     * @return in bytes, without array headers.
     */
    public abstract long stateBytes();

    /**
     * Checks all invariants now. O(n).
     *
     * @throws IllegalStateException that names the invariant, the sender, found and expected.
     */
    public abstract void checkInvariants();

    /**
     * Switches the check of all invariants after each call on or off; it makes every call O(n).
     *
     * @param checks whether to check.
     */
    public final void checkInvariants(final boolean checks)
    {
        checksInvariants = checks;
    }

    final void grant(final int sender, final int credits)
    {
        creditPackets++;
        creditsGranted += credits;
        actions.grant(sender, credits);
    }

    static void violated(final String invariant, final int sender, final long found, final long expected)
    {
        throw new IllegalStateException("invariant violated: " + invariant + (sender < 0 ? "" : ", sender=" + sender) +
            ", found=" + found + ", expected=" + expected);
    }

    /**
     * Number of senders.
     *
     * @return n.
     */
    public final int senderCount()
    {
        return senders;
    }

    /**
     * Slots for data.
     *
     * @return (S - k) n.
     */
    public final int dataRegion()
    {
        return dataRegion;
    }

    /**
     * Returns of credits so far, each a credit packet or an addition to a shared word.
     *
     * @return their number.
     */
    public final long creditPackets()
    {
        return creditPackets;
    }

    /**
     * Credits given with them.
     *
     * @return their number.
     */
    public final long creditsGranted()
    {
        return creditsGranted;
    }

    /**
     * Calls and numbers that could not be true, and changed nothing.
     *
     * @return their number.
     */
    public final long refused()
    {
        return refused;
    }

    /**
     * Credits moved from one sender's quota to another's.
     *
     * @return their number.
     */
    public final long creditsStolen()
    {
        return creditsStolen;
    }

    /**
     * Victims from which credits were taken back or asked for.
     *
     * @return their number.
     */
    public final long requests()
    {
        return requests;
    }

    /**
     * Credits taken back without asking.
     *
     * @return their number.
     */
    public final long revoked()
    {
        return revoked;
    }

    /**
     * Credits that travelled in data packets, or by an express lane below the threshold.
     *
     * @return their number.
     */
    public final long piggybacked()
    {
        return piggybacked;
    }
}

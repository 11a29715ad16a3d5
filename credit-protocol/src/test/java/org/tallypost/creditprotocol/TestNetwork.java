// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Endpoints with queues as mailboxes; every rank is a sender of every rank, itself included. Holds the invariants that
 * both sides of a pair show only together: packets fit the data region, unread credit packets fit the credit region,
 * nothing is lost, doubled or out of order.
 */
final class TestNetwork
{
    /** What decides at the receivers. */
    enum Rules
    {
        STATIC, DYNAMIC, THESIS, IDLE_FIRST, LENDING, LITERAL
    }

    /** How a network is built. */
    record Shape(int ranks, int creditSlots, int slots, Rules rules, boolean direct, boolean piggyback, boolean runs)
    {
    }

    private enum Kind
    {
        DATA, CREDIT, REQUEST, RESPONSE
    }

    private record Packet(int from, Kind kind, int slots, int value, int piggyback, long sequence, int rest)
    {
    }

    private static final int MANY_STEPS = 2_000_000;
    private static final int[] SIZES = {1, 2, 5, 37};

    private record Action(int rank, int to)
    {
        static final int RETRIEVE = -1;
    }

    private final Shape shape;
    private final End[] ends;
    private int mostUnread;
    private int rejoinsPutOff;

    TestNetwork(final Shape shape)
    {
        this.shape = shape;
        ends = new End[shape.ranks];
        for (int rank = 0; rank < shape.ranks; rank++)
        {
            ends[rank] = new End(rank);
        }
        for (final End sender : ends)
        {
            for (final End receiver : ends)
            {
                sender.store[receiver.rank] = receiver.ledger.currentCredits(sender.rank);
            }
        }
    }

    static final int STOLEN = 0;
    static final int REQUESTS = 1;
    static final int PIGGYBACKED = 2;
    static final int REVOKED = 3;
    /** Times that a sender found no room for its first credits. */
    static final int PUT_OFF = 4;
    /** Most credit packets of a pair that were unread at once. */
    static final int UNREAD = 5;

    void addCounts(final long[] counts)
    {
        for (final End end : ends)
        {
            counts[STOLEN] += end.ledger.creditsStolen();
            counts[REQUESTS] += end.ledger.requests();
            counts[PIGGYBACKED] += end.ledger.piggybacked();
            counts[REVOKED] += end.ledger.revoked();
        }
        counts[PUT_OFF] += rejoinsPutOff;
        counts[UNREAD] = Math.max(counts[UNREAD], mostUnread);
    }

    static String describe(final long[] counts)
    {
        return "stolen " + counts[STOLEN] + ", requests " + counts[REQUESTS] + ", piggybacked " + counts[PIGGYBACKED] +
            ", revoked " + counts[REVOKED] + ", rejoins put off " + counts[PUT_OFF] + ", unread credit packets <= " +
            counts[UNREAD];
    }

    /** One number is one step: work for a pair, a death or a return, or one of the packets that can be moved now. */
    void step(final int choice, final boolean deaths)
    {
        final int kind = choice & 15;
        final int pick = choice >>> 4;
        final End from = ends[pick % shape.ranks];
        if (kind < 3)
        {
            from.addWork((pick >>> 4) % shape.ranks, SIZES[(pick >>> 8) % SIZES.length]);
        }
        else if (kind == 3 && deaths)
        {
            changeLife(from, pick >>> 4);
        }
        else
        {
            final List<Action> ready = ready();
            if (!ready.isEmpty())
            {
                perform(ready.get(pick % ready.size()));
            }
        }
    }

    private void changeLife(final End end, final int pick)
    {
        if (!end.isAlive)
        {
            restart(end.rank);
        }
        else if (!rejoin(ends[pick % shape.ranks], end) && (pick & 3) == 0)
        {
            die(end.rank);
        }
    }

    /** Goes on, without new work, until all work is done; returns what is left if it stalls before, or nothing. */
    String finish(final long seed)
    {
        final Random random = new Random(seed);
        for (int rank = 0; rank < shape.ranks; rank++)
        {
            restart(rank);
        }
        for (int steps = 0;; steps++)
        {
            assertTrue(steps < MANY_STEPS, "goes on for ever");
            boolean hasRejoined = false;
            for (final End receiver : ends)
            {
                for (final End sender : ends)
                {
                    hasRejoined |= rejoin(receiver, sender);
                }
            }
            final List<Action> ready = ready();
            if (!ready.isEmpty())
            {
                perform(ready.get(random.nextInt(ready.size())));
                restartAll();
            }
            else if (!hasRejoined)
            {
                break;
            }
        }
        return left();
    }

    private void restartAll()
    {
        for (int rank = 0; rank < shape.ranks; rank++)
        {
            restart(rank);
        }
    }

    private String left()
    {
        for (final End end : ends)
        {
            for (final End other : ends)
            {
                if (!end.isAlive || !end.pending.get(other.rank).isEmpty() || end.ledger.isGone(other.rank))
                {
                    return "stalled: " + end.rank + (end.isAlive ? " has " : " is dead, ") + end.pending.get(other.rank) +
                        " for " + other.rank + (end.ledger.isGone(other.rank) ? ", which waits for its first credits of it" : "");
                }
                assertEquals(end.sent[other.rank], other.received[end.rank], "packets lost: " + end.rank + " to " + other.rank);
            }
        }
        return "";
    }

    private List<Action> ready()
    {
        final List<Action> ready = new ArrayList<>();
        for (final End end : ends)
        {
            if (!end.box.isEmpty())
            {
                ready.add(new Action(end.rank, Action.RETRIEVE));
            }
            for (int to = 0; to < shape.ranks; to++)
            {
                if (!end.pending.get(to).isEmpty() && end.store[to] > 0)
                {
                    ready.add(new Action(end.rank, to));
                }
            }
        }
        return ready;
    }

    private void perform(final Action action)
    {
        if (action.to == Action.RETRIEVE)
        {
            ends[action.rank].retrieve();
        }
        else
        {
            ends[action.rank].send(action.to);
        }
    }

    private void die(final int rank)
    {
        final End dead = ends[rank];
        dead.isAlive = false;
        dead.box.clear();
        dead.pending.forEach(ArrayDeque::clear);
        for (final End end : ends)
        {
            end.pending.get(rank).clear();
            end.reclaimIfDrained(rank);
        }
    }

    /** A process comes back when all that its last incarnation had sent is read; what was sent to that one is lost. */
    private void restart(final int rank)
    {
        if (ends[rank].isAlive)
        {
            return;
        }
        for (final End end : ends)
        {
            if (end.isAlive && (!end.ledger.isGone(rank) || !end.isDrainedOf(rank)))
            {
                return;
            }
        }
        final End born = new End(rank);
        ends[rank] = born;
        for (final End end : ends)
        {
            if (end.isAlive)
            {
                end.account.forget(rank);
                end.store[rank] = born.ledger.currentCredits(end.rank);
                end.sent[rank] = 0;
                end.received[rank] = 0;
            }
            else
            {
                born.ledger.reclaim(end.rank);
            }
        }
    }

    /** Returns whether the sender got its first credits now. */
    private boolean rejoin(final End receiver, final End sender)
    {
        if (!receiver.isAlive || !sender.isAlive || !receiver.ledger.isGone(sender.rank))
        {
            return false;
        }
        final boolean hasRejoined = receiver.ledger.rejoin(sender.rank);
        receiver.ledger.checkInvariants();
        if (hasRejoined)
        {
            sender.account.onCredits(receiver.rank, receiver.ledger.currentCredits(sender.rank));
        }
        else
        {
            rejoinsPutOff++;
        }
        return hasRejoined;
    }

    private void deliver(final int to, final Packet packet)
    {
        final End end = ends[to];
        if (!end.isAlive)
        {
            return;
        }
        end.box.add(packet);
        if (packet.kind == Kind.CREDIT)
        {
            int unread = 0;
            for (final Packet other : end.box)
            {
                unread += other.kind == Kind.CREDIT && other.from == packet.from ? 1 : 0;
            }
            mostUnread = Math.max(mostUnread, unread);
            assertTrue(unread <= shape.creditSlots, () -> "overflow of the credit region: " + packet.from + " to " + to);
        }
        else
        {
            end.used += packet.slots;
            assertTrue(end.used <= end.ledger.dataRegion(), () -> "overflow of the data region of " + to);
        }
    }

    private Ledger newLedger(final LedgerActions actions)
    {
        final int n = shape.ranks;
        return switch (shape.rules)
        {
            case STATIC -> new StaticLedger(n, shape.creditSlots, shape.slots, actions);
            case DYNAMIC -> new DynamicLedger(n, shape.creditSlots, shape.slots, actions);
            case THESIS -> new DynamicLedger(
                n, shape.creditSlots, shape.slots, actions, PiggybackPolicy.THESIS, StealPolicy.MONITORED);
            case IDLE_FIRST -> new DynamicLedger(
                n, shape.creditSlots, shape.slots, actions, PiggybackPolicy.ONE_FOR_ONE, StealPolicy.IDLE_FIRST);
            case LENDING -> new LendingLedger(n, shape.creditSlots, shape.slots, actions);
            case LITERAL -> new LiteralLedger(n, shape.creditSlots, shape.slots, actions);
        };
    }

    /** One rank: a receiver and a sender. */
    private final class End implements LedgerActions, ControlPackets, CreditStore
    {
        final int rank;
        final int[] store = new int[shape.ranks];
        final long[] sent = new long[shape.ranks];
        final long[] received = new long[shape.ranks];
        final List<ArrayDeque<Integer>> pending = new ArrayList<>();
        final ArrayDeque<Packet> box = new ArrayDeque<>();
        final Ledger ledger = newLedger(this);
        final Account account = new Account(shape.ranks, shape.creditSlots, this, this);
        boolean isAlive = true;
        int used;

        End(final int rank)
        {
            this.rank = rank;
            ledger.checkInvariants(true);
            for (int to = 0; to < shape.ranks; to++)
            {
                pending.add(new ArrayDeque<>());
            }
        }

        void addWork(final int to, final int slots)
        {
            if (isAlive && ends[to].isAlive)
            {
                pending.get(to).add(slots);
            }
        }

        void send(final int to)
        {
            final int wanted = pending.get(to).poll();
            final int slots = shape.runs ? Math.min(wanted, store[to]) : 1;
            if (wanted > slots)
            {
                pending.get(to).addFirst(wanted - slots);
            }
            store[to] -= slots;
            final int back = shape.piggyback ? ledger.piggyback(to, 65_535) : 0;
            deliver(to, new Packet(rank, Kind.DATA, slots, 0, back, ++sent[to], wanted - slots));
        }

        void retrieve()
        {
            final Packet packet = box.poll();
            final int from = packet.from;
            used -= packet.kind == Kind.CREDIT ? 0 : packet.slots;
            final boolean accepted = switch (packet.kind)
            {
                case DATA -> ledger.onRetrieved(from, packet.slots, packet.rest);
                case REQUEST -> ledger.onRequestRetrieved(from);
                case RESPONSE -> ledger.onResponseRetrieved(from, packet.value);
                case CREDIT -> true;
            };
            assertTrue(accepted, () -> "refused: " + packet);
            if (packet.kind == Kind.DATA)
            {
                assertEquals(++received[from], packet.sequence, "order of packets from " + from);
            }
            if (packet.piggyback > 0)
            {
                account.onCredits(from, packet.piggyback);
            }
            if (packet.kind == Kind.CREDIT)
            {
                account.onCredits(from, packet.value);
            }
            else if (packet.kind == Kind.REQUEST)
            {
                account.onRequest(from);
            }
            reclaimIfDrained(from);
        }

        boolean isDrainedOf(final int sender)
        {
            return box.stream().noneMatch((packet) -> packet.from == sender);
        }

        void reclaimIfDrained(final int sender)
        {
            if (isAlive && !ends[sender].isAlive && isDrainedOf(sender))
            {
                ledger.reclaim(sender);
                ledger.checkInvariants();
                account.forget(sender);
                store[sender] = 0;
            }
        }

        @Override
        public void grant(final int sender, final int credits)
        {
            if (shape.direct)
            {
                ends[sender].store[rank] += credits;
            }
            else
            {
                deliver(sender, new Packet(rank, Kind.CREDIT, 1, credits, 0, 0, 0));
            }
        }

        @Override
        public int revoke(final int victim, final int keep)
        {
            if (!shape.direct)
            {
                account.request(victim);
                return REQUESTED;
            }
            final int taken = Math.max(0, ends[victim].store[rank] - keep);
            ends[victim].store[rank] -= taken;
            return taken;
        }

        @Override
        public void sendRequest(final int receiver)
        {
            deliver(receiver, new Packet(rank, Kind.REQUEST, 1, 0, 0, 0, 0));
        }

        @Override
        public void sendResponse(final int receiver, final int credits)
        {
            deliver(receiver, new Packet(rank, Kind.RESPONSE, 1, credits, 0, 0, 0));
        }

        @Override
        public int credits(final int receiver)
        {
            return store[receiver];
        }

        @Override
        public int takeAll(final int receiver)
        {
            final int all = store[receiver];
            store[receiver] = 0;
            return all;
        }

        @Override
        public void add(final int receiver, final int credits)
        {
            store[receiver] += credits;
        }
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.harness.Booking;
import org.tallypost.benchmarks.harness.Control;
import org.tallypost.benchmarks.harness.Patience;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;

/**
 * One party in one cell: sends and receives the messages of a turn, and checks all that it receives.
 */
abstract class CellParty implements Inlet
{
    /** The first part of a turn does not count: caches are cold, and the other party may still be on its way. */
    private static final int LEAD_SHARE = 10;
    /** Where the parties have no core each, a turn is cut off after so many times the time that it should last. */
    private static final int CAP_FACTOR = 8;
    private static final double PER_CENT = 100;
    /** Most messages of a poll. */
    static final int POLL_LIMIT = 64;

    final LinkSpec spec;
    final Control control;
    final Link link;
    final int party;
    final Patience patience;
    final PayloadCheck check;
    final Payload payload;
    final int length;
    private final Inlet[] inlets;
    private final double slowdown;
    private final long capNs;

    CellParty(final Seat seat)
    {
        spec = seat.spec;
        control = seat.control;
        link = seat.link;
        party = seat.party;
        patience = seat.patience;
        slowdown = seat.slowPercent / PER_CENT;
        capNs = CAP_FACTOR * seat.turnNs;
        length = Transport.messageLength(spec);
        check = new PayloadCheck(spec.parties(), length, spec.mode().pageLength(length));
        payload = seat.payload(party, length);
        // classes of their own, as a program has several handlers
        inlets = new Inlet[] { this, new FirstInlet(this), new SecondInlet(this), new ThirdInlet(this) };
    }

    /** What a party has in a cell. */
    record Seat(
        LinkSpec spec, Control control, Link link, int party, Patience patience, double slowPercent, long turnNs, boolean isMixed)
    {
        /** Messages of this party; the second one of a round trip answers out of the buffer in which the message came. */
        Payload payload(final int source, final int length)
        {
            final boolean isCorrupt = spec.corrupt() && (source == 1 || spec.mode().isRoundTrip());
            return spec.mode().isBulk() ?
                Payload.bulk(source, length, isCorrupt, spec.mode().pageLength(length), link.messages(Payload.bulkSize(length))) :
                new Payload(source, length, isCorrupt, isMixed);
        }
    }

    static CellParty of(final Seat seat)
    {
        return switch (seat.spec.mode())
        {
            case RTT, LATENCY, LOAN, WORD -> seat.party == 0 ? new Pinger(seat) : new Ponger(seat);
            case RATE, BANDWIDTH -> seat.party == 0 ? new RateConsumer(seat) : new RateProducer(seat);
            case LOAD -> seat.party == 0 ? new PacedConsumer(seat) : new PacedProducer(seat);
            case START -> seat.party == 0 ? new StartConsumer(seat) : new PacedProducer(seat);
            case BURST -> seat.party == 0 ? new BurstConsumer(seat) : new BurstProducer(seat);
            case ALLTOALL -> new AlltoallParty(seat);
        };
    }

    /** Takes a turn. */
    abstract Role.Measured take(Task task);

    /** The handler of a turn, and with it where its messages are. */
    final Inlet inlet(final Task task)
    {
        payload.use(task.profile());
        return inlets[task.profile() % inlets.length];
    }

    static long lead(final long messages)
    {
        return messages / LEAD_SHARE;
    }

    /** The part that does not count ends when the whole turn should: where there are too few cores, its messages take long. */
    final boolean isLeadOver(final long startNs)
    {
        return System.nanoTime() - startNs > capNs / CAP_FACTOR;
    }

    final boolean isOver(final long startNs)
    {
        return System.nanoTime() - startNs > capNs;
    }

    /** For a contestant that is to be slower than it is: when some work began, or 0. */
    final long slowStart()
    {
        return slowdown > 0 ? System.nanoTime() : 0;
    }

    /** Spins for a share of the time that the work took. */
    final void slow(final long startNs)
    {
        if (slowdown > 0)
        {
            final long endNs = System.nanoTime();
            final long untilNs = endNs + (long)((endNs - startNs) * slowdown);
            while (System.nanoTime() - untilNs < 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    /** What was sent between nodes needs work until it has arrived, also if the turn was cut off. */
    final void awaitEnd(final Task task)
    {
        patience.begin();
        while (spec.scope() == Scope.NETWORK && !control.isEnded(task.step()))
        {
            patience.idle("the first party's end of the turn");
        }
    }

    final Role.Measured measured(final long countedNs, final long messages)
    {
        return measured(countedNs, messages, Booking.NO_DETAIL);
    }

    final Role.Measured measured(final long countedNs, final long messages, final String detail)
    {
        return new Role.Measured(countedNs, messages, check.wrong(), detail);
    }

    /** Delivers what is there; if nothing is, gives others a chance, and gives up when the time is over. */
    final void poll(final Inlet inlet, final int limit)
    {
        if (link.poll(inlet, limit) == 0)
        {
            patience.idle("messages");
        }
        else
        {
            patience.begin();
        }
    }

    final void send(final int offset)
    {
        patience.begin();
        while (!link.send(payload.buffer(), offset, length))
        {
            patience.idle("room for a message");
            link.onRefused();
        }
    }

    private static final class FirstInlet implements Inlet
    {
        private final Inlet inlet;

        FirstInlet(final Inlet inlet)
        {
            this.inlet = inlet;
        }

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length)
        {
            inlet.onMessage(buffer, offset, length);
        }
    }

    private static final class SecondInlet implements Inlet
    {
        private final Inlet inlet;

        SecondInlet(final Inlet inlet)
        {
            this.inlet = inlet;
        }

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length)
        {
            inlet.onMessage(buffer, offset, length);
        }
    }

    private static final class ThirdInlet implements Inlet
    {
        private final Inlet inlet;

        ThirdInlet(final Inlet inlet)
        {
            this.inlet = inlet;
        }

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length)
        {
            inlet.onMessage(buffer, offset, length);
        }
    }
}

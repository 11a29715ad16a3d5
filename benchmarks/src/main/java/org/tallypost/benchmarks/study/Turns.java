// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.tallypost.benchmarks.compare.AeronDriver;
import org.tallypost.benchmarks.compare.ForkSpec;
import org.tallypost.benchmarks.compare.Inlet;
import org.tallypost.benchmarks.compare.Link;
import org.tallypost.benchmarks.compare.MachineStates;
import org.tallypost.benchmarks.compare.Mode;
import org.tallypost.benchmarks.compare.Payload;
import org.tallypost.benchmarks.compare.PayloadCheck;
import org.tallypost.benchmarks.compare.Scope;
import org.tallypost.benchmarks.compare.Transport;

/**
 * Several transports between the same two threads, each for some milliseconds by turns: A B C C B A. Whatever the machine does,
 * it does to turns that are milliseconds apart, and what changes more slowly falls out of their ratios. What it cannot show is
 * what each would do in a JVM of its own: code that all of them run is compiled for all of them.
 */
final class Turns
{
    private static final int NOBODY = -1;
    private static final int OVER = -2;
    private static final int MESSAGES = 64;
    private static final int LEAD = 5;
    private static final int TIMEOUT_MS = 180_000;
    private static final int LOOK_MASK = 0x3FF;

    private final TurnsSpec spec;
    private final File directory;
    private final int count;
    private final List<Transport> transports = new ArrayList<>();
    private final Link[] own;
    private final PayloadCheck[] checks;
    private final Payload[] payloads;
    private final Inlet[] inlets;
    /** Messages that came to the thread of {@link #run}, which alone writes and reads these. */
    private final long[] received;
    /** Messages of the partner, written by it before it says by {@link #seen} that it has stopped. */
    private final long[] sent;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    /** Written by the thread of {@link #run}. */
    private volatile int turn = NOBODY;
    /** The partner's answer to {@link #turn}. */
    private volatile int seen = NOBODY;
    /** Written by the partner at its end. */
    private long partnersWrong;
    /** When the last turn began. */
    private long turnNs;
    private int looks;

    Turns(final TurnsSpec spec, final File directory)
    {
        this.spec = spec;
        this.directory = directory;
        count = spec.contenders().size();
        own = new Link[count];
        checks = new PayloadCheck[count];
        payloads = new Payload[count];
        inlets = new Inlet[count];
        received = new long[count];
        sent = new long[count];
    }

    /** Takes all turns. The calling thread is one of the two. */
    TurnsResult run() throws InterruptedException
    {
        try
        {
            open();
            final Thread partner = new Thread(this::accompany, "partner");
            partner.setDaemon(true);
            partner.start();
            try
            {
                final List<double[]> rounds = rounds();
                turn = OVER;
                partner.join();
                long wrong = partnersWrong;
                for (final PayloadCheck check : checks)
                {
                    wrong += check.wrong();
                }
                return new TurnsResult(rounds, wrong);
            }
            finally
            {
                turn = OVER;
                partner.join();
            }
        }
        finally
        {
            transports.forEach(CloseHelper::quietClose);
            IoUtil.delete(directory, true);
        }
    }

    private void open()
    {
        for (int i = 0; i < count; i++)
        {
            final File place = new File(directory, "contender-" + i);
            IoUtil.ensureDirectoryExists(place, "contender");
            transports.add(Transport.of(forkSpec(spec.contenders().get(i)), place, 0));
            own[i] = transports.get(i).open(0);
            checks[i] = new PayloadCheck(2, spec.length());
            payloads[i] = new Payload(0, spec.length(), false);
            inlets[i] = inlet(i, checks[i]);
        }
    }

    private Inlet inlet(final int contender, final PayloadCheck check)
    {
        return (buffer, offset, length) ->
        {
            check.onMessage(buffer, offset, length);
            received[contender]++;
        };
    }

    private ForkSpec forkSpec(final Contender contender)
    {
        return new ForkSpec(contender.kind(), spec.mode(), Scope.THREADS, spec.length(), 1, spec.slots(), 1, 1, 1, 1,
            MachineStates.AUTO, contender.flow(), AeronDriver.EMBEDDED, false, false, TIMEOUT_MS);
    }

    private List<double[]> rounds()
    {
        final List<double[]> rounds = new ArrayList<>();
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        for (int first = 0; elapsedNs < spec.durationNs() || rounds.isEmpty(); first++)
        {
            final boolean isCounted = elapsedNs >= spec.durationNs() / 3;
            final double[] round = new double[count];
            // nobody always comes first, or has his two turns one after the other
            for (int i = 0; i < count; i++)
            {
                final int contender = (first + i) % count;
                round[contender] = take(contender) / 2;
            }
            for (int i = count - 1; i >= 0; i--)
            {
                final int contender = (first + i) % count;
                round[contender] += take(contender) / 2;
            }
            elapsedNs = System.nanoTime() - startNs;
            if (isCounted)
            {
                rounds.add(round);
            }
        }
        return rounds;
    }

    /** One turn: a fifth more than what counts goes before. */
    private double take(final int contender)
    {
        say(contender);
        final double figure;
        if (spec.mode() == Mode.RATE)
        {
            receive(contender, spec.windowNs() / LEAD);
            figure = receive(contender, spec.windowNs());
        }
        else
        {
            exchange(contender, spec.windowNs() / LEAD);
            figure = exchange(contender, spec.windowNs());
        }
        turn = NOBODY;
        while (seen != NOBODY || spec.mode() == Mode.RATE && received[contender] < sent[contender])
        {
            own[contender].poll(inlets[contender], MESSAGES);
            look();
        }
        return figure;
    }

    private void say(final int contender)
    {
        turnNs = System.nanoTime();
        turn = contender;
        while (seen != contender)
        {
            look();
        }
    }

    /** While nothing comes: lets transports without a thread of their own work, and does not wait for ever. */
    private void look()
    {
        for (final Link link : own)
        {
            link.work();
        }
        final Throwable cause = failure.get();
        if (cause != null)
        {
            throw new IllegalStateException("the partner failed: " + cause, cause);
        }
        if ((++looks & LOOK_MASK) == 0 && System.nanoTime() - turnNs > TIMEOUT_MS * 1_000_000L)
        {
            throw new IllegalStateException("a turn took more than " + TIMEOUT_MS + " ms: turn=" + turn + ", seen=" + seen +
                ", received=" + Arrays.toString(received) + ", sent=" + Arrays.toString(sent));
        }
    }

    private double receive(final int contender, final long windowNs)
    {
        final Link link = own[contender];
        final Inlet inlet = inlets[contender];
        final long before = received[contender];
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        while (elapsedNs < windowNs || received[contender] == before)
        {
            for (int i = 0; i < MESSAGES; i++)
            {
                if (link.poll(inlet, MESSAGES) == 0)
                {
                    look();
                }
            }
            elapsedNs = System.nanoTime() - startNs;
        }
        return (received[contender] - before) * 1e9 / elapsedNs;
    }

    private double exchange(final int contender, final long windowNs)
    {
        final Link link = own[contender];
        final Payload payload = payloads[contender];
        long trips = 0;
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        while (elapsedNs < windowNs)
        {
            for (int i = 0; i < MESSAGES; i++)
            {
                final long before = received[contender];
                final int offset = payload.prepare();
                while (!link.send(payload.buffer(), offset, spec.length()))
                {
                    link.onRefused();
                    look();
                }
                while (received[contender] == before)
                {
                    if (link.poll(inlets[contender], 1) == 0)
                    {
                        look();
                    }
                }
            }
            trips += MESSAGES;
            elapsedNs = System.nanoTime() - startNs;
        }
        return (double)elapsedNs / trips;
    }

    private void accompany()
    {
        try
        {
            final Partner[] partners = new Partner[count];
            for (int i = 0; i < count; i++)
            {
                partners[i] = new Partner(i, transports.get(i).open(1));
            }
            int now = turn;
            while (now != OVER)
            {
                if (now >= 0)
                {
                    seen = now;
                    partners[now].go();
                    sent[now] = partners[now].payload.sequence();
                }
                seen = NOBODY;
                partners[0].link.work();
                now = turn;
            }
            for (final Partner each : partners)
            {
                partnersWrong += each.check.wrong();
            }
        }
        catch (final Throwable t)
        {
            failure.set(t);
        }
    }

    /** The other end of one transport. */
    private final class Partner implements Inlet
    {
        private final int number;
        private final Link link;
        private final Payload payload;
        private final PayloadCheck check = new PayloadCheck(1, spec.length());

        Partner(final int number, final Link link)
        {
            this.number = number;
            this.link = link;
            payload = new Payload(1, spec.length(), spec.corrupt() && number == count - 1);
        }

        void go()
        {
            while (turn == number)
            {
                if (spec.mode() == Mode.RATE)
                {
                    send();
                }
                else if (link.poll(this, 1) == 0)
                {
                    link.work();
                }
            }
            while (!link.flush() && turn != OVER)
            {
                link.work();
            }
        }

        private void send()
        {
            for (int i = 0; i < MESSAGES; i++)
            {
                final int offset = payload.prepare();
                while (!link.send(payload.buffer(), offset, spec.length()) && turn != OVER)
                {
                    link.work();
                    link.onRefused();
                }
            }
        }

        /** Answers with a message of its own, so that the other side can tell whose it is. */
        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length)
        {
            check.onMessage(buffer, offset, length);
            final int at = payload.prepare();
            while (!link.send(payload.buffer(), at, spec.length()) && turn != OVER)
            {
                link.work();
            }
        }
    }
}

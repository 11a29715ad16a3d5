// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One party of a fork, on a thread of its own. All parties go through the same steps: warm-up runs, which are discarded, a
 * probe of the machine, and then runs with a probe after each, until some lie between two probes that saw it fast. A probe is a
 * piece of work for each core and a raw round trip, which tell the state of the machine, and for rate a raw stream as well;
 * between nodes a raw exchange or stream of datagrams.
 */
abstract class Party
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();
    private static final int PINGS = 128;
    /** Parties that take part in a probe. */
    private static final int PINGERS = 2;
    private static final int MAX_WARMUP_FACTOR = 6;
    /** So many runs in a row without compiling: a long compilation is counted only when it ends. */
    private static final int QUIET_RUNS = 2;
    private static final long QUIET_MS = 2;
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    final ForkSpec spec;
    final Control control;
    final Link link;
    final Patience patience;
    final PayloadCheck check;
    final Payload payload;
    final RawLines lines;
    final Patience probePatience;
    private final RawLines pings;
    private final CoreWork work = new CoreWork();
    private final int party;
    private UdpProbe udp;
    private long step;

    Party(final ForkSpec spec, final Control control, final Link link, final int party, final Patience patience)
    {
        this.spec = spec;
        this.control = control;
        this.link = link;
        this.party = party;
        this.patience = patience;
        final int length = Transport.messageLength(spec);
        check = new PayloadCheck(spec.parties(), length);
        payload = new Payload(party, length, spec.corrupt() && (party == 1 || spec.mode() == Mode.RTT));
        lines = control.probeLines();
        pings = control.probeLines();
        // only two take part, which have a core each wherever there are two
        probePatience = CORES < 2 ? patience : patience.spinning();
    }

    static Party of(final ForkSpec spec, final Control control, final Link link, final int party, final Patience patience)
    {
        if (spec.mode() == Mode.RTT)
        {
            return party == 0 ?
                new Pinger(spec, control, link, patience) : new Ponger(spec, control, link, patience);
        }
        return party == 0 ?
            new RateConsumer(spec, control, link, patience) : new RateProducer(spec, control, link, party, patience);
    }

    /**
     * Goes through all steps.
     *
     * @param network the raw probe between nodes, or null.
     * @return the runs; only the first party has any.
     */
    final List<ForkResult.Run> go(final UdpProbe network)
    {
        udp = network;
        final List<ForkResult.Run> runs = new ArrayList<>();
        warmUp();
        int fast = 0;
        Probe before = probe();
        while (true)
        {
            final Figure figure = measure();
            final Probe after = probe();
            if (party == 0)
            {
                final ForkResult.Run run = new ForkResult.Run(before, after, figure.value, figure.p50Ns,
                    figure.p99Ns, figure.p999Ns, figure.messages, control.busy(spec.parties()));
                runs.add(run);
                fast += run.isKeptFast(spec.states().around(before, after)) ? 1 : 0;
                if (runs.size() >= spec.attempts() || fast >= ForkResult.Run.ENOUGH)
                {
                    control.finish();
                }
            }
            before = after;
            control.wrong(party, check.wrong());
            arrive();
            if (control.isFinished())
            {
                return runs;
            }
        }
    }

    /** Until no JVM of the fork compiles any more: the compiler's threads take cores from those that are measured. */
    private void warmUp()
    {
        int quiet = 0;
        for (int i = 0; i < spec.warmups() * MAX_WARMUP_FACTOR && (i < spec.warmups() || quiet < QUIET_RUNS); i++)
        {
            final long compiledMs = COMPILER.getTotalCompilationTime();
            measure();
            probe();
            control.compiled(party, COMPILER.getTotalCompilationTime() - compiledMs);
            arrive();
            quiet = control.compiled(spec.parties()) <= QUIET_MS ? quiet + 1 : 0;
            // nobody writes the next one before all have read these
            arrive();
        }
    }

    private void arrive()
    {
        control.await(party, spec.parties(), ++step, patience);
    }

    private Figure measure()
    {
        arrive();
        final long startCpuNs = THREADS.getCurrentThreadCpuTime();
        final long startNs = System.nanoTime();
        final Figure figure = run(step);
        final double elapsedNs = System.nanoTime() - startNs;
        final double cpuNs = THREADS.getCurrentThreadCpuTime() - startCpuNs;
        control.busy(party, spec.isOversubscribed(CORES) ? 1 : Math.min(1, cpuNs / elapsedNs));
        return figure;
    }

    private Probe probe()
    {
        arrive();
        if (party < PINGERS)
        {
            // both at the same time, as they are measured, unless they have to yield to others
            control.work(party, work.takeNs());
        }
        final double roundTripNs = party == 0 ? ping() : party == 1 ? pong() : 0;
        // for the first party, who makes the runs: the other one's was there before it answered the first ping
        final double workNs = control.work();
        if (udp != null)
        {
            arrive();
            return new Probe(udp.take(party, step), roundTripNs, workNs);
        }
        if (spec.mode() != Mode.RATE)
        {
            return new Probe(roundTripNs, roundTripNs, workNs);
        }
        arrive();
        return new Probe(party > 1 ? 0 : stream(step), roundTripNs, workNs);
    }

    private double ping()
    {
        pings.ping(PINGS, probePatience);
        long count = 0;
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        while (elapsedNs < probeNs())
        {
            pings.ping(PINGS, probePatience);
            count += PINGS;
            elapsedNs = System.nanoTime() - startNs;
        }
        control.stop(step);
        return (double)elapsedNs / count;
    }

    private double pong()
    {
        while (!control.isStopped(step))
        {
            pings.pong(probePatience);
        }
        return 0;
    }

    final long probeNs()
    {
        return TimeUnit.MILLISECONDS.toNanos(spec.probeMs());
    }

    final long durationNs()
    {
        return TimeUnit.MILLISECONDS.toNanos(spec.durationMs());
    }

    /** A run of the transport; the first party returns the figure, the others null. */
    abstract Figure run(long at);

    /** A raw stream of lines from the second party to the first, which returns lines per second. For rate only. */
    double stream(final long at)
    {
        return 0;
    }

    /** What the first party measured in one run. */
    static final class Figure
    {
        private final double value;
        private final double p50Ns;
        private final double p99Ns;
        private final double p999Ns;
        private final long messages;

        Figure(final double value, final double p50Ns, final double p99Ns, final double p999Ns, final long messages)
        {
            this.value = value;
            this.p50Ns = p50Ns;
            this.p99Ns = p99Ns;
            this.p999Ns = p999Ns;
            this.messages = messages;
        }
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One party of a fork, on a thread of its own. All parties go through the same steps: warm-up runs, which are discarded, a
 * probe of the machine, and then runs with a probe after each, until a run lies between two probes that agree.
 */
abstract class Party
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    final ForkSpec spec;
    final Control control;
    final Link link;
    final Patience patience;
    final PayloadCheck check;
    final Payload payload;
    final RawLines lines;
    private final int party;

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
     * @return the runs; only the first party has any.
     */
    final List<ForkResult.Run> go()
    {
        final List<ForkResult.Run> runs = new ArrayList<>();
        long step = 0;
        for (int i = 0; i < spec.warmups(); i++)
        {
            runStep(++step);
            probeStep(++step);
        }
        double before = probeStep(++step);
        while (true)
        {
            final Figure figure = runStep(++step);
            final double after = probeStep(++step);
            if (party == 0)
            {
                final ForkResult.Run run = new ForkResult.Run(
                    before, after, figure.value, figure.p50Ns, figure.p99Ns, figure.p999Ns, figure.messages,
                    control.busy(spec.parties()));
                runs.add(run);
                if (runs.size() >= spec.attempts() || run.isKept(spec.mode(), spec.thresholds()))
                {
                    control.finish();
                }
            }
            before = after;
            control.wrong(party, check.wrong());
            arrive(++step);
            if (control.isFinished())
            {
                return runs;
            }
        }
    }

    private void arrive(final long step)
    {
        control.await(party, spec.parties(), step, patience);
    }

    private Figure runStep(final long step)
    {
        arrive(step);
        final long startCpuNs = THREADS.getCurrentThreadCpuTime();
        final long startNs = System.nanoTime();
        final Figure figure = run(step);
        final double elapsedNs = System.nanoTime() - startNs;
        final double cpuNs = THREADS.getCurrentThreadCpuTime() - startCpuNs;
        control.busy(party, spec.yields(CORES) ? 1 : Math.min(1, cpuNs / elapsedNs));
        return figure;
    }

    private double probeStep(final long step)
    {
        arrive(step);
        return party > 1 ? 0 : probe(step);
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
    abstract Figure run(long step);

    /** A run of the raw probe by the first two parties; the first returns the figure. */
    abstract double probe(long step);

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

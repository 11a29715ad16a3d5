// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.tallypost.schedule.Alltoall;
import org.tallypost.schedule.PingPong;

/**
 * Parameters that make the fabric as fast as the one of the thesis: fitted to the four times without flow control that it
 * states (section 5.3), and to nothing else.
 *
 * <p>Three numbers are fitted: L, o, and the time of a card for a packet of 64 bytes, g + 64 G. From 1 to 14 hops a message
 * takes longer by 13 times a hop and a card, which gives L; the ping-pong at one hop gives o; and the time of a card is what
 * is as much too slow for 256 processes as too fast for 1,024. All four times are of full packets, so that they cannot tell
 * g from 64 G: each is taken to be one half. The rest is not fitted either: a byte copied within a node, and what the
 * protocol takes for its decisions, are assumed (4 GB/s, and some tens of cycles each of a processor of 2.1 GHz).
 */
public final class Calibration
{
    private static final int BISECTIONS = 24;
    private static final int COARSE_BISECTIONS = 11;
    private static final int PINGPONG_ROUNDS = 20;
    private static final int LENGTH = 2_048;
    private static final int MOST_HOPS = 14;
    private static final int PROCESSES_PER_NODE = 16;
    private static final long COPY_PS = 250;
    // Found by refit.
    private static final long HOP_PS = 11_435;
    private static final long SEND_PS = 1_285_851;
    private static final long PACKET_PS = 75_488;
    private static final int CARD_QUEUE = 0;
    private static final ProtocolCosts FIXED = new ProtocolCosts(5_000, 5_000, 10_000, 0);
    private static final ProtocolCosts ADAPTIVE = new ProtocolCosts(5_000, 10_000, 30_000, 50_000);

    private Calibration()
    {
    }

    /**
     * A time that the thesis states.
     */
    public enum Reference
    {
        /** Multi-pingpong between neighbours. */
        PINGPONG_1_HOP("multi-pingpong of 2 KB, 1 hop", 50.04, Topology.pair(PROCESSES_PER_NODE, 1)),
        /** Multi-pingpong across the mesh of 8x8. */
        PINGPONG_14_HOPS("multi-pingpong of 2 KB, 14 hops", 51.17, Topology.pair(PROCESSES_PER_NODE, MOST_HOPS)),
        /** Alltoall on 16 nodes. */
        ALLTOALL_256("alltoall of 2 KB, 256 processes, 4x4", 52_908.41, Topology.mesh(PROCESSES_PER_NODE, 4, 4)),
        /** Alltoall on 64 nodes. */
        ALLTOALL_1024("alltoall of 2 KB, 1,024 processes, 4x4x4", 278_515.08, Topology.mesh(PROCESSES_PER_NODE, 4, 4, 4));

        private final String description;
        private final double published;
        private final Topology topology;

        Reference(final String description, final double published, final Topology topology)
        {
            this.description = description;
            this.published = published;
            this.topology = topology;
        }

        /**
         * What was timed.
         *
         * @return in words.
         */
        public String description()
        {
            return description;
        }

        /**
         * The time of the thesis.
         *
         * @return in microseconds.
         */
        public double publishedMicros()
        {
            return published;
        }

        private boolean isPingPong()
        {
            return this == PINGPONG_1_HOP || this == PINGPONG_14_HOPS;
        }

        /**
         * Simulates it.
         *
         * @param parameters of the fabric.
         * @return the time in microseconds: of one alltoall, or of half a round of ping-pong.
         * @throws InterruptedException if the thread was interrupted.
         */
        public double simulate(final FabricParameters parameters) throws InterruptedException
        {
            if (isPingPong())
            {
                final PingPong pingPong = new PingPong(topology.processes(), PINGPONG_ROUNDS, LENGTH);
                return new FabricRun(topology, parameters, pingPong).run().totalMicros() / (2 * PINGPONG_ROUNDS);
            }
            final int processes = topology.processes();
            return new FabricRun(topology, parameters, new Alltoall(processes, processes, 1, LENGTH, false)).run().totalMicros();
        }
    }

    /**
     * How well a time is met.
     *
     * @param reference       the time.
     * @param simulatedMicros what the fabric takes.
     */
    public record Fit(Reference reference, double simulatedMicros)
    {
        /**
         * By how much the simulated time is longer than the published one.
         *
         * @return 0.01 for a hundredth more.
         */
        public double error()
        {
            return simulatedMicros / reference.publishedMicros() - 1;
        }

        @Override
        public String toString()
        {
            return String.format(Locale.ROOT, "%-42s published %10.2f us, simulated %10.2f us, %+.2f%%", reference.description(),
                reference.publishedMicros(), simulatedMicros, 100 * error());
        }
    }

    /**
     * The parameters that {@link #refit} finds.
     *
     * @return L, o and g fitted, the rest as assumed.
     */
    public static FabricParameters fitted()
    {
        return parameters(HOP_PS, SEND_PS, PACKET_PS);
    }

    /**
     * Fits anew: about a minute.
     *
     * @return what {@link #fitted} should be.
     * @throws InterruptedException if the thread was interrupted.
     */
    public static FabricParameters refit() throws InterruptedException
    {
        long low = 1_000;
        long high = 84_000;
        for (int i = 0; i < COARSE_BISECTIONS; i++)
        {
            final long middle = (low + high) / 2;
            final FabricParameters parameters = withPacket(middle);
            final double error = fit(Reference.ALLTOALL_256, parameters).error() +
                fit(Reference.ALLTOALL_1024, parameters).error();
            low = error < 0 ? middle : low;
            high = error < 0 ? high : middle;
        }
        return withPacket(low);
    }

    /** L and o for a given time of a card for a packet. */
    private static FabricParameters withPacket(final long packetPs) throws InterruptedException
    {
        final double hopAndCard = (Reference.PINGPONG_14_HOPS.published - Reference.PINGPONG_1_HOP.published) /
            (MOST_HOPS - 1) * FabricResult.MICROSECOND;
        final long hopPs = Math.max(0, Math.round(hopAndCard) - packetPs);
        long low = 0;
        long high = 2_000_000;
        for (int i = 0; i < BISECTIONS && high - low > 1; i++)
        {
            final long middle = (low + high) / 2;
            final double error = fit(Reference.PINGPONG_1_HOP, parameters(hopPs, middle, packetPs)).error();
            low = error < 0 ? middle : low;
            high = error < 0 ? high : middle;
        }
        return parameters(hopPs, low, packetPs);
    }

    /**
     * How well parameters meet the published times.
     *
     * @param parameters of the fabric.
     * @return one row for each time.
     * @throws InterruptedException if the thread was interrupted.
     */
    public static List<Fit> check(final FabricParameters parameters) throws InterruptedException
    {
        final List<Fit> fits = new ArrayList<>();
        for (final Reference reference : Reference.values())
        {
            fits.add(fit(reference, parameters));
        }
        return fits;
    }

    private static Fit fit(final Reference reference, final FabricParameters parameters) throws InterruptedException
    {
        return new Fit(reference, reference.simulate(parameters));
    }

    private static FabricParameters parameters(final long hopPs, final long sendPs, final long packetPs)
    {
        final long bytePs = packetPs / 2 / FabricParameters.SLOT_LENGTH;
        return new FabricParameters(hopPs, sendPs, sendPs, packetPs - bytePs * FabricParameters.SLOT_LENGTH, bytePs, COPY_PS,
            CARD_QUEUE, FIXED, ADAPTIVE);
    }
}

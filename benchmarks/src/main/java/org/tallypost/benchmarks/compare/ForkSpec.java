// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.tallypost.endpoint.Flow;

/**
 * What one fork measures: one transport, one mode, one length. Handed to its JVMs as JSON.
 *
 * @param transport   that carries the messages.
 * @param mode        that is measured.
 * @param scope       threads, processes or network.
 * @param length      of a message in bytes, a multiple of 8.
 * @param producers   that send at once; 1 for round trips; the ranks of an alltoall.
 * @param slots       of 64 bytes in the receiving buffer, for all transports the same; a power of two.
 * @param durationMs  of a run in milliseconds.
 * @param warmups     runs at least that are discarded, until the JVMs have nothing more to compile.
 * @param attempts    runs at most, until three lie between two probes that saw the machine fast.
 * @param probeMs     of a probe in milliseconds.
 * @param states  of the states; if they are to be found, around the probes of a run alone.
 * @param flow        of the endpoint.
 * @param aeronDriver where it runs.
 * @param exclusive   whether Aeron's producer has its publication for itself; one producer only.
 * @param corrupt     damages one message, to see that it is found.
 * @param timeoutMs   after which the fork gives up, in milliseconds.
 * @param batch       messages that a producer of our endpoint offers at once, 1 to {@link #MAX_BATCH}; for rate.
 * @param mtuLength   longest datagram between nodes in bytes, with the headers of Aeron in it.
 */
public record ForkSpec(
    TransportKind transport,
    Mode mode,
    Scope scope,
    int length,
    int producers,
    int slots,
    int durationMs,
    int warmups,
    int attempts,
    int probeMs,
    MachineStates states,
    Flow flow,
    AeronDriver aeronDriver,
    boolean exclusive,
    boolean corrupt,
    int timeoutMs,
    int batch,
    int mtuLength)
{
    /** Most messages of a batch: so many can wait while the next is made. */
    static final int MAX_BATCH = Payload.VARIANTS - 2;

    /**
     * The same without batches, and with datagrams as they are unless something else is said.
     *
     * @param transport   as above, like all others.
     * @param mode        that is measured.
     * @param scope       threads, processes or network.
     * @param length      of a message in bytes.
     * @param producers   that send at once.
     * @param slots       in the receiving buffer.
     * @param durationMs  of a run.
     * @param warmups     runs that are discarded.
     * @param attempts    runs at most.
     * @param probeMs     of a probe.
     * @param states      of the machine.
     * @param flow        of the endpoint.
     * @param aeronDriver where it runs.
     * @param exclusive   for Aeron's producer.
     * @param corrupt     damages one message.
     * @param timeoutMs   after which the fork gives up.
     */
    public ForkSpec(
        final TransportKind transport,
        final Mode mode,
        final Scope scope,
        final int length,
        final int producers,
        final int slots,
        final int durationMs,
        final int warmups,
        final int attempts,
        final int probeMs,
        final MachineStates states,
        final Flow flow,
        final AeronDriver aeronDriver,
        final boolean exclusive,
        final boolean corrupt,
        final int timeoutMs)
    {
        this(transport, mode, scope, length, producers, slots, durationMs, warmups, attempts, probeMs, states, flow,
            aeronDriver, exclusive, corrupt, timeoutMs, 1, NetworkTurns.MTU_LENGTH);
    }

    ForkSpec withStates(final MachineStates known)
    {
        return new ForkSpec(transport, mode, scope, length, producers, slots, durationMs, warmups, attempts, probeMs, known, flow,
            aeronDriver, exclusive, corrupt, timeoutMs, batch, mtuLength);
    }

    /**
     * Parties of the fork: the consumer (which is the first party of a round trip), and the producers; or the ranks of an
     * alltoall.
     *
     * @return their number.
     */
    public int parties()
    {
        return mode == Mode.ALLTOALL ? producers : 1 + producers;
    }

    /**
     * Whether more threads want to run than there are cores, the transport's own included. Then all of them yield while they
     * wait: spinning ones would keep the cores from those they wait for.
     *
     * @param cores of the machine.
     * @return true if so.
     */
    public boolean isOversubscribed(final int cores)
    {
        final int drivers = scope == Scope.NETWORK ? transport == TransportKind.RAW ? 0 : parties() : transport.isAeron() ? 1 : 0;
        return parties() + (isDriverInvoked(cores) ? 0 : drivers) > cores;
    }

    /**
     * Whether the consumer's thread does the work of Aeron's driver, because there is no core for a thread of its own; between
     * nodes, whether each party's thread does the work of its node's driver.
     *
     * @param cores of the machine.
     * @return true if so.
     */
    public boolean isDriverInvoked(final int cores)
    {
        if (scope == Scope.NETWORK)
        {
            return aeronDriver == AeronDriver.EMBEDDED && 2 * parties() > cores;
        }
        return transport.isAeron() && aeronDriver == AeronDriver.EMBEDDED && parties() + 1 > cores;
    }
}

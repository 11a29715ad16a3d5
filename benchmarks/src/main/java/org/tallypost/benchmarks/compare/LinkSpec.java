// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.tallypost.endpoint.Flow;

/**
 * What one transport carries in one cell. Handed to its processes as JSON.
 *
 * @param transport   that carries the messages.
 * @param mode        that is measured.
 * @param scope       threads, processes or network.
 * @param length      of a message in bytes, a multiple of 8.
 * @param producers   that send at once; 1 for round trips; the ranks of an alltoall.
 * @param slots       of 64 bytes in the receiving buffer, for all transports the same; a power of two.
 * @param flow        of the endpoint.
 * @param aeronDriver where it runs.
 * @param exclusive   whether Aeron's producer has its publication for itself; one producer only.
 * @param corrupt     damages one message, to see that it is found.
 * @param batch       messages that a producer of our endpoint offers at once, 1 to {@link #MAX_BATCH}; for rate.
 * @param mtuLength   longest datagram between nodes in bytes, with the headers of Aeron in it.
 * @param burst       messages of a burst; 1 for other modes.
 * @param beside      receives that wait beside those that are measured, for transports that match; null for none, which an
 *                    older build understands, too.
 */
public record LinkSpec(
    TransportKind transport,
    Mode mode,
    Scope scope,
    int length,
    int producers,
    int slots,
    Flow flow,
    AeronDriver aeronDriver,
    boolean exclusive,
    boolean corrupt,
    int batch,
    int mtuLength,
    int burst,
    @JsonInclude(JsonInclude.Include.NON_NULL) Beside beside)
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
     * @param flow        of the endpoint.
     * @param aeronDriver where it runs.
     */
    public LinkSpec(
        final TransportKind transport,
        final Mode mode,
        final Scope scope,
        final int length,
        final int producers,
        final int slots,
        final Flow flow,
        final AeronDriver aeronDriver)
    {
        this(transport, mode, scope, length, producers, slots, flow, aeronDriver, false, false, 1, NetworkTurns.MTU_LENGTH, 1,
            null);
    }

    /** Receives that wait beside those that are measured. */
    Beside others()
    {
        return beside == null ? Beside.NOTHING : beside;
    }

    /**
     * Parties: the consumer (which is the first party of a round trip), and the producers; or the ranks of an alltoall.
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

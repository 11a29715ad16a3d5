// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;

/**
 * A transport as one process of a team has it.
 */
public interface Transport extends AutoCloseable
{
    /** Bytes of a loan that long ones are held against. */
    int SHORT_LOAN = 48;

    /**
     * The end of one party. Called on the party's thread.
     *
     * @param party 0 for the consumer, which is the first party of a round trip; from 1 for the producers.
     * @return its link.
     */
    Link open(int party);

    /**
     * Bytes of the buffer that receives the messages, as the transport was given it.
     *
     * @return its length.
     */
    long bufferBytes();

    @Override
    void close();

    /**
     * Makes a transport, or attaches to it.
     *
     * @param spec      of the cell.
     * @param directory of the cell.
     * @param process   number of this process; the first, 0, makes what the others attach to.
     * @return the transport.
     */
    static Transport of(final LinkSpec spec, final File directory, final int process)
    {
        final boolean isFirst = process == 0;
        if (spec.scope() == Scope.NETWORK)
        {
            final LoopbackPorts ports = LoopbackPorts.of(directory, isFirst);
            return switch (spec.transport())
            {
                case RAW -> new UdpTransport(spec, ports);
                case TALLYPOST_ENDPOINT, TALLYPOST_BATCH, TALLYPOST_REGIONS, TALLYPOST_ENDPOINT_BESIDE ->
                    new NodesTransport(spec, directory, ports, process);
                default -> new AeronUdpTransport(spec, directory, ports, process);
            };
        }
        if (spec.transport() == TransportKind.RAW && spec.mode().isBulk())
        {
            return new RawCopyTransport(spec, directory, isFirst);
        }
        return switch (spec.transport())
        {
            case RAW -> new RawTransport(spec, directory, isFirst);
            case TALLYPOST_MAILBOX -> new MailboxTransport(spec, directory, isFirst);
            case TALLYPOST_ENDPOINT, TALLYPOST_MESSAGING, TALLYPOST_MESSAGING_REGIONS, TALLYPOST_REGIONS, TALLYPOST_LOANS,
                TALLYPOST_LOANS_48, TALLYPOST_PUT, TALLYPOST_GET, TALLYPOST_MESSAGING_BESIDE,
                TALLYPOST_MESSAGING_REGIONS_BESIDE -> new EndpointTransport(spec, directory);
            case TALLYPOST_MPI -> new MpiTransport(spec, directory, process);
            case AGRONA_ONE_TO_ONE, AGRONA_MANY_TO_ONE -> new AgronaTransport(spec, directory, isFirst);
            case AERON_IPC, AERON_IPC_CLAIM -> new AeronTransport(spec, directory, isFirst);
            case JCTOOLS_SPSC, JCTOOLS_MPSC -> new JcToolsTransport(spec);
            case DISRUPTOR -> new DisruptorTransport(spec);
            case AERON_UDP, AERON_UDP_CLAIM, AERON_UDP_PACKED, TALLYPOST_BATCH, TALLYPOST_ENDPOINT_BESIDE, OPEN_MPI,
                OPEN_MPI_NO_CMA, UCX ->
                throw new IllegalArgumentException(spec.transport().label() + " has no links here");
        };
    }

    /**
     * Bytes of a message that a transport carries: the raw one has only lines, except between nodes and in bulk, and one kind of
     * loans is short to be held against long ones.
     *
     * @param spec of the cell.
     * @return length in bytes.
     */
    static int messageLength(final LinkSpec spec)
    {
        if (spec.transport() == TransportKind.TALLYPOST_LOANS_48)
        {
            return Math.min(spec.length(), SHORT_LOAN);
        }
        return spec.transport() == TransportKind.RAW && spec.scope() != Scope.NETWORK && !spec.mode().isBulk() ?
            Math.min(spec.length(), RawLines.LINE_PAYLOAD) : spec.length();
    }
}

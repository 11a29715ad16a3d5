// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.tallypost.endpoint.Endpoint;

/**
 * The transports that are compared.
 */
public enum TransportKind
{
    /** One cache line each way; for rate a stream of lines. What the machine can do at best. */
    RAW("raw", 1, true, false),
    /** Tallypost's mailbox with one credit word per sender and nothing else. */
    TALLYPOST_MAILBOX("tallypost-mailbox", Integer.MAX_VALUE, true, false),
    /** Tallypost as users call it. */
    TALLYPOST_ENDPOINT("tallypost-endpoint", Integer.MAX_VALUE, true, false),
    /** Tallypost with messages that are matched to receives by source and tag. */
    TALLYPOST_MESSAGING("tallypost-messaging", Integer.MAX_VALUE, true, false),
    /** The same through the facade for MPI. */
    TALLYPOST_MPI("tallypost-mpi", 1, true, false),
    /** Tallypost with messages that are matched, out of registered regions and into them. */
    TALLYPOST_MESSAGING_REGIONS("tallypost-messaging-regions", 1, true, false),
    /** Tallypost with messages that are lent instead of copied, and matched. */
    TALLYPOST_LOANS("tallypost-loans", 1, true, false),
    /** The same with loans of 48 bytes, whatever the length asked for. */
    TALLYPOST_LOANS_48("tallypost-loans-48", 1, true, false),
    /** One word at a time, put into a region of the receiver. */
    TALLYPOST_PUT("tallypost-put", 1, true, false),
    /** One word at a time, got out of a region of the sender. */
    TALLYPOST_GET("tallypost-get", 1, true, false),
    /** Tallypost with messages that are matched, beside messages of 16 MiB to the same peer out of private memory. */
    TALLYPOST_MESSAGING_BESIDE("tallypost-messaging-beside", 1, true, false),
    /** The same with all of them out of registered regions and into them. */
    TALLYPOST_MESSAGING_REGIONS_BESIDE("tallypost-messaging-regions-beside", 1, true, false),
    /** Tallypost between nodes, beside puts of 1 MiB into a region of the same peer. */
    TALLYPOST_ENDPOINT_BESIDE("tallypost-endpoint-beside", 1, true, false),
    /** Tallypost with messages put into a region of the receiver, which is notified. */
    TALLYPOST_REGIONS("tallypost-regions", 1, true, false),
    /** Tallypost between nodes, with messages handed over by the batch. */
    TALLYPOST_BATCH("tallypost-batch", 1, true, false),
    /** Agrona's ring buffer for one producer. */
    AGRONA_ONE_TO_ONE("agrona-one-to-one", 1, true, true),
    /** Agrona's ring buffer for many producers. */
    AGRONA_MANY_TO_ONE("agrona-many-to-one", Integer.MAX_VALUE, true, true),
    /** Aeron over shared memory, copying each message in. */
    AERON_IPC("aeron-ipc", Integer.MAX_VALUE, true, true),
    /** Aeron over shared memory, with room claimed and written in place. */
    AERON_IPC_CLAIM("aeron-ipc-claim", Integer.MAX_VALUE, true, true),
    /** Aeron over UDP, copying each message in. */
    AERON_UDP("aeron-udp", 1, true, true),
    /** Aeron over UDP, with room claimed and written in place. */
    AERON_UDP_CLAIM("aeron-udp-claim", 1, true, true),
    /** Aeron over UDP, a datagram's messages in one claim, with headers as long as ours: a bound for batches, not a peer. */
    AERON_UDP_PACKED("aeron-udp-packed", 1, true, false),
    /** JCTools' queue for one producer, of references to buffers that are used again. */
    JCTOOLS_SPSC("jctools-spsc", 1, false, true),
    /** JCTools' queue for many producers, of references to buffers that are used again. */
    JCTOOLS_MPSC("jctools-mpsc", Integer.MAX_VALUE, false, true),
    /** The Disruptor; its events are buffers. */
    DISRUPTOR("disruptor", Integer.MAX_VALUE, false, true),
    /** Open MPI, which copies each message out. */
    OPEN_MPI("open-mpi", Integer.MAX_VALUE, true, true),
    /** Open MPI without copies from process to process by the kernel. */
    OPEN_MPI_NO_CMA("open-mpi-no-cma", Integer.MAX_VALUE, true, true),
    /** UCX with its own test program, which does not read what it receives: a bound, not a peer. */
    UCX("ucx", 1, true, false);

    private final String label;
    private final int maxProducers;
    private final boolean isBetweenProcesses;
    private final boolean isPeer;

    TransportKind(final String label, final int maxProducers, final boolean isBetweenProcesses, final boolean isPeer)
    {
        this.label = label;
        this.maxProducers = maxProducers;
        this.isBetweenProcesses = isBetweenProcesses;
        this.isPeer = isPeer;
    }

    /**
     * Name on the command line and in reports.
     *
     * @return the name.
     */
    public String label()
    {
        return label;
    }

    /**
     * Whether it is neither ours nor the raw limit.
     *
     * @return true if so.
     */
    public boolean isPeer()
    {
        return isPeer;
    }

    /**
     * Whether it goes through one media driver of Aeron for all parties.
     *
     * @return true if so.
     */
    public boolean isAeron()
    {
        return this == AERON_IPC || this == AERON_IPC_CLAIM;
    }

    /**
     * Whether it is measured between nodes only.
     *
     * @return true if so.
     */
    public boolean isBetweenNodes()
    {
        return this == AERON_UDP || this == AERON_UDP_CLAIM || this == AERON_UDP_PACKED || this == TALLYPOST_BATCH ||
            this == TALLYPOST_ENDPOINT_BESIDE;
    }

    /**
     * Whether it is measured by programs that are not Java.
     *
     * @return true if so.
     */
    public boolean isNative()
    {
        return isOpenMpi() || this == UCX;
    }

    /**
     * Whether it is Open MPI, with whatever setting.
     *
     * @return true if so.
     */
    public boolean isOpenMpi()
    {
        return this == OPEN_MPI || this == OPEN_MPI_NO_CMA;
    }

    /**
     * Whether it takes messages of any length up to 16 MiB.
     *
     * @return true if so.
     */
    public boolean isBulk()
    {
        return switch (this)
        {
            case RAW, TALLYPOST_MESSAGING, TALLYPOST_MESSAGING_REGIONS, TALLYPOST_REGIONS, TALLYPOST_LOANS, AERON_IPC, OPEN_MPI,
                OPEN_MPI_NO_CMA, UCX -> true;
            default -> false;
        };
    }

    /**
     * Whether other bytes go to the same peer beside the messages that are measured.
     *
     * @return true if so.
     */
    boolean isBesideBulk()
    {
        return this == TALLYPOST_MESSAGING_BESIDE || this == TALLYPOST_MESSAGING_REGIONS_BESIDE ||
            this == TALLYPOST_ENDPOINT_BESIDE;
    }

    private boolean isBulkOnly()
    {
        return this == TALLYPOST_REGIONS || this == TALLYPOST_MESSAGING_REGIONS || this == TALLYPOST_LOANS;
    }

    /**
     * Whether it matches messages to receives, and may have others posted beside those that are measured.
     *
     * @return true if so.
     */
    public boolean isMatching()
    {
        return this == TALLYPOST_MESSAGING || isOpenMpi();
    }

    /**
     * Why a transport cannot take messages of a length.
     *
     * @param length of messages in bytes.
     * @return the reason, or null if it can.
     */
    String whyNotLength(final int length)
    {
        return switch (this)
        {
            case TALLYPOST_MAILBOX, TALLYPOST_BATCH -> length > Endpoint.MAX_RUN_LENGTH ?
                "at most " + Endpoint.MAX_RUN_LENGTH + " bytes" : null;
            case AERON_IPC_CLAIM -> length > AeronTransport.MAX_FRAME_LENGTH ?
                "at most " + AeronTransport.MAX_FRAME_LENGTH + " bytes" : null;
            default -> null;
        };
    }

    /**
     * Whether it takes part unless something else is said: ours, and the best-known of each kind.
     *
     * @param scope of the comparison.
     * @return true if so.
     */
    boolean isUsual(final Scope scope)
    {
        return switch (this)
        {
            case TALLYPOST_ENDPOINT -> true;
            case AGRONA_ONE_TO_ONE, AGRONA_MANY_TO_ONE, AERON_IPC -> scope != Scope.NETWORK;
            case JCTOOLS_SPSC, DISRUPTOR -> scope == Scope.THREADS;
            case TALLYPOST_BATCH, AERON_UDP, AERON_UDP_CLAIM -> scope == Scope.NETWORK;
            default -> false;
        };
    }

    /**
     * Why a transport cannot take part.
     *
     * @param mode      that is measured.
     * @param scope     of the comparison.
     * @param producers of the comparison.
     * @return the reason, or null if it can.
     */
    public String whyNot(final Mode mode, final Scope scope, final int producers)
    {
        if (mode == Mode.ALLTOALL && (scope != Scope.PROCESSES || this != TALLYPOST_ENDPOINT && !isOpenMpi()))
        {
            return "no alltoall";
        }
        if ((mode == Mode.LOAD || mode == Mode.START || mode == Mode.BURST) && isNative())
        {
            return "no " + mode.label();
        }
        if (mode == Mode.WORD || this == TALLYPOST_PUT || this == TALLYPOST_GET)
        {
            return mode != Mode.WORD ? "single words only" : this != RAW && this != TALLYPOST_PUT && this != TALLYPOST_GET ?
                "no word" : scope == Scope.NETWORK ? "not between nodes" : null;
        }
        if (mode == Mode.LOAN || this == TALLYPOST_LOANS_48)
        {
            return mode != Mode.LOAN ? "loans only" : this != TALLYPOST_LOANS && this != TALLYPOST_LOANS_48 ? "no loan" :
                scope == Scope.NETWORK ? "not between nodes" : null;
        }
        if (isBesideBulk())
        {
            final boolean isFar = this == TALLYPOST_ENDPOINT_BESIDE;
            return mode != Mode.RTT ? "round trips only" : isFar == (scope == Scope.NETWORK) ? null :
                isFar ? "between nodes only" : "not between nodes";
        }
        if (scope == Scope.NETWORK && mode == Mode.BANDWIDTH)
        {
            return this == TALLYPOST_REGIONS || this == AERON_UDP ? null : "no long messages between nodes";
        }
        if (mode.isBulk() || isBulkOnly())
        {
            return !mode.isBulk() ? "latency and bandwidth only" : !isBulk() ? "no " + mode.label() :
                scope == Scope.NETWORK ? "not between nodes" : isNative() && scope != Scope.PROCESSES ? "processes only" : null;
        }
        if ((this == TALLYPOST_MESSAGING || this == TALLYPOST_MPI) && mode != Mode.RTT && mode != Mode.RATE)
        {
            return "round trips and rates only";
        }
        if (mode == Mode.RTT && (this == TALLYPOST_BATCH || this == AERON_UDP_PACKED))
        {
            return "a round trip is one message";
        }
        return (isNative() || this == TALLYPOST_MPI) && scope != Scope.PROCESSES ? "processes only" : whyNot(scope, producers);
    }

    /**
     * Why a transport cannot take part.
     *
     * @param scope     of the comparison.
     * @param producers of the comparison.
     * @return the reason, or null if it can.
     */
    public String whyNot(final Scope scope, final int producers)
    {
        if (scope == Scope.NETWORK)
        {
            return !isBetweenNodes() && this != RAW && this != TALLYPOST_ENDPOINT ? "not between nodes" :
                producers > 1 ? "one producer between nodes" : null;
        }
        if (isBetweenNodes())
        {
            return "between nodes only";
        }
        if (scope == Scope.PROCESSES && !isBetweenProcesses)
        {
            return "threads of one JVM only";
        }
        return producers > maxProducers ? "one producer only" : null;
    }

    /**
     * Finds a transport by its name.
     *
     * @param label as on the command line.
     * @return the transport.
     * @throws IllegalArgumentException that names what was found and what is expected.
     */
    public static TransportKind of(final String label)
    {
        return Arrays.stream(values()).filter(kind -> kind.label.equals(label)).findFirst().orElseThrow(() ->
            new IllegalArgumentException("found '" + label + "', expected some of " +
            Arrays.stream(values()).map(TransportKind::label).collect(Collectors.joining(", "))));
    }

    /**
     * All that need nothing but Java.
     *
     * @return in the order of reports.
     */
    public static List<TransportKind> all()
    {
        return Arrays.stream(values()).filter(kind -> !kind.isNative()).toList();
    }
}

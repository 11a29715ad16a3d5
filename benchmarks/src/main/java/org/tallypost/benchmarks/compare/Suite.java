// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What {@code --mode} names: modes that are measured in one run, and what is usual for them unless something else is said.
 *
 * @param label on the command line.
 * @param modes in the order of reports.
 */
record Suite(String label, List<Mode> modes)
{
    /** Round trips and rates. */
    static final Suite ALL = new Suite("all", List.of(Mode.RTT, Mode.RATE));
    /** Round trips and rates of messages that are matched to receives. */
    static final Suite MSG = new Suite("msg", List.of(Mode.RTT, Mode.RATE));

    /** Latencies and bandwidths of messages of 1 KiB to 16 MiB. */
    static final Suite BULK = new Suite("bulk", List.of(Mode.LATENCY, Mode.BANDWIDTH));

    /** Round trips beside bulk traffic to the same peer, and alone. */
    static final Suite BESIDE = new Suite("beside", List.of(Mode.RTT));

    private static final List<Suite> SEVERAL = List.of(ALL, MSG, BULK, BESIDE);
    private static final List<Integer> BULK_LENGTHS = List.of(1 << 10, 1 << 13, 1 << 16, 1 << 20, 1 << 22, 1 << 24);
    private static final int DEFAULT_TEAMS = 3;
    private static final List<String> LOAD_OFFERED = List.of("10000", "100000", "1000000", "50%", "80%");
    private static final List<String> START_OFFERED = List.of("20000");
    private static final int DEFAULT_SECONDS = 60;
    /** Each turn starts processes, and has to be long enough for them to be compiled. */
    private static final int START_SECONDS = 300;
    private static final int START_TURN_MS = 3_000;

    /**
     * Finds a suite, or the one of a single mode.
     *
     * @param label as on the command line, in any case.
     * @return the suite.
     * @throws IllegalArgumentException that names what was found and what is expected.
     */
    static Suite of(final String label)
    {
        return all().filter((suite) -> suite.label.equalsIgnoreCase(label)).findFirst().orElseThrow(() ->
            new IllegalArgumentException("found '" + label + "', expected " +
            String.join(", ", all().map(Suite::label).toList())));
    }

    private static Stream<Suite> all()
    {
        return Stream.concat(
            Arrays.stream(Mode.values()).map((mode) -> new Suite(mode.label(), List.of(mode))), SEVERAL.stream());
    }

    boolean isBulk()
    {
        return modes.stream().allMatch(Mode::isBulk);
    }

    private boolean isOnly(final Mode mode)
    {
        return modes.equals(List.of(mode));
    }

    /** Lengths of messages in bytes. */
    List<Integer> lengths()
    {
        if (modes.size() == 1 && !isOnly(Mode.LATENCY) && !isOnly(Mode.BANDWIDTH))
        {
            return List.of(switch (modes.get(0))
            {
                case LOAN -> 1 << 20;
                case WORD -> Long.BYTES;
                case ALLTOALL -> 2048;
                default -> 48;
            });
        }
        return isBulk() ? BULK_LENGTHS : this.equals(MSG) ? List.of(8, 48, 2048) : List.of(48);
    }

    List<String> offered()
    {
        return isOnly(Mode.START) ? START_OFFERED : LOAD_OFFERED;
    }

    /** For each mode and length. */
    int seconds()
    {
        return isOnly(Mode.START) ? START_SECONDS : DEFAULT_SECONDS;
    }

    /** The length of a turn in milliseconds if so many are asked for. */
    int turnMs(final int asked)
    {
        return isOnly(Mode.START) ? START_TURN_MS : asked;
    }

    /** The teams of a transport if so many are asked for, null for the usual number: in a start each turn has new ones. */
    int teams(final Integer asked)
    {
        return isOnly(Mode.START) || asked == null && isBulk() ? 1 : asked == null ? DEFAULT_TEAMS : asked;
    }

    /** The transport that is held against the others. */
    TransportKind subject(final Scope scope)
    {
        if (this.equals(BESIDE))
        {
            return scope == Scope.NETWORK ? TransportKind.TALLYPOST_ENDPOINT_BESIDE : TransportKind.TALLYPOST_MESSAGING_BESIDE;
        }
        return isOnly(Mode.LOAN) ? TransportKind.TALLYPOST_LOANS : isOnly(Mode.WORD) ? TransportKind.TALLYPOST_PUT :
            this.equals(MSG) || isBulk() ? TransportKind.TALLYPOST_MESSAGING : TransportKind.TALLYPOST_ENDPOINT;
    }

    /** Whether a transport takes part unless something else is said. */
    boolean isUsual(final TransportKind kind, final Scope scope)
    {
        if (this.equals(BESIDE))
        {
            return kind == (scope == Scope.NETWORK ? TransportKind.TALLYPOST_ENDPOINT : TransportKind.TALLYPOST_MESSAGING) ||
                kind == subject(scope);
        }
        if (isOnly(Mode.LOAN) || isOnly(Mode.WORD))
        {
            return kind.whyNot(modes.get(0), scope, 1) == null;
        }
        // each turn of UCX starts programs, and takes the time of many turns
        return isBulk() ? kind.isBulk() && kind != TransportKind.UCX : this.equals(MSG) ? isUsualForMatching(kind) :
            isOnly(Mode.ALLTOALL) && !kind.isNative() || kind.isUsual(scope);
    }

    private static boolean isUsualForMatching(final TransportKind kind)
    {
        return switch (kind)
        {
            case TALLYPOST_MESSAGING, TALLYPOST_MPI, TALLYPOST_ENDPOINT, AERON_IPC, OPEN_MPI -> true;
            default -> false;
        };
    }
}

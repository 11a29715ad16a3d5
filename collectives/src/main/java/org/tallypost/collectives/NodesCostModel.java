// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/**
 * How long an operation takes between nodes by each algorithm: the formulas beside the moves in
 * {@link org.tallypost.schedule.BlockMoves}, with a for a message, b for a byte of it and c to reduce a byte. All nodes use the
 * numbers of the first one, and the same arithmetic, so that they choose alike.
 */
final class NodesCostModel
{
    private static final AlgorithmBetweenNodes[] ALL = AlgorithmBetweenNodes.values();
    private static final int MAX_PIECES = 64;

    private final int nodes;
    private final double a;
    private final double b;
    private final double c;
    private final int log;
    private boolean hasMulticast;

    /** For so many nodes, and times in nanoseconds. */
    NodesCostModel(final int nodes, final double messageNs, final double byteNs, final double reduceNs)
    {
        this.nodes = nodes;
        a = messageNs;
        b = byteNs;
        c = reduceNs;
        log = Integer.SIZE - Integer.numberOfLeadingZeros(nodes - 1);
    }

    /** What one node sends comes to all others at once, or does not. */
    void multicast(final boolean isPossible)
    {
        hasMulticast = isPossible;
    }

    /** Whether it does. */
    boolean hasMulticast()
    {
        return hasMulticast;
    }

    /** Whether an operation can go by an algorithm, between these nodes. */
    boolean isPossible(final AlgorithmBetweenNodes algorithm, final Kind kind, final boolean isCommutative)
    {
        return algorithm.isPossible(kind, nodes, isCommutative) && (hasMulticast || algorithm != AlgorithmBetweenNodes.MULTICAST);
    }

    /** The one that takes the shortest time with n bytes: of all data of a node, or of a reduction. */
    AlgorithmBetweenNodes choose(final Kind kind, final long n, final boolean isCommutative)
    {
        AlgorithmBetweenNodes best = null;
        for (final AlgorithmBetweenNodes algorithm : ALL)
        {
            if (isPossible(algorithm, kind, isCommutative) &&
                (best == null || cost(kind, algorithm, n) < cost(kind, best, n)))
            {
                best = algorithm;
            }
        }
        return best;
    }

    /** Time in nanoseconds. */
    double cost(final Kind kind, final AlgorithmBetweenNodes algorithm, final long n)
    {
        final int p = nodes;
        switch (algorithm)
        {
            case DISSEMINATION:
                return log * a;
            case LINEAR:
                return kind == Kind.BROADCAST ? (p - 1) * (a + n * b) : kind.isReduction() ? (p - 1) * (a + n * b + n * c) :
                    (p - 1) * (a + (double)n / p * b);
            case BINOMIAL:
                return kind == Kind.BROADCAST ? log * (a + n * b) : kind.isReduction() ? log * (a + n * b + n * c) :
                    log * a + (p - 1) * ((double)n / p * b);
            case MULTICAST:
                return 2 * a + n * b;
            case CHAIN:
                final int m = pieces(n);
                return (p - 2 + m) * (a + (double)n / m * b);
            case DOUBLING:
                return doubling(kind, n);
            case RING:
                return kind == Kind.ALL_REDUCE ? (p - 1) * (2 * a + (double)n / p * (2 * b + c)) :
                    (p - 1) * (a + (double)n / p * (kind.isReduction() ? b + c : b));
            case REDUCE_BROADCAST:
                return log * (a + n * b + n * c) +
                    (kind == Kind.ALL_REDUCE ? log * (a + n * b) : (p - 1) * (a + (double)n / p * b));
            default:
                return (p - 1) * (a + (double)n / p * b);
        }
    }

    private double doubling(final Kind kind, final long n)
    {
        if (kind == Kind.ALL_GATHER)
        {
            return log * a + (nodes - 1) * ((double)n / nodes * b);
        }
        if (kind != Kind.ALL_REDUCE)
        {
            return log * (a + n * b + 2 * n * c);
        }
        final boolean isPower = Integer.bitCount(nodes) == 1;
        return (isPower ? log : log - 1) * (a + n * b + n * c) + (isPower ? 0 : 2 * (a + n * b) + n * c);
    }

    /** Into how many pieces a chain cuts its data: where the derivative of its cost is 0. */
    int pieces(final long n)
    {
        return (int)Math.max(1, Math.min(MAX_PIECES, Math.sqrt(Math.max(0, nodes - 2) * (n * b / a))));
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Locale;

/**
 * How long an operation took by an algorithm on a machine: a line of a {@link CostProfile}. Immutable; any thread.
 *
 * @param operation its name in small letters, for instance {@code all-reduce}.
 * @param members   number of members, 2 to {@value #MAX_MEMBERS}.
 * @param length    of a portion, in bytes, at least 1.
 * @param algorithm that it went by.
 * @param nanos     of one use, in nanoseconds, more than 0.
 */
public record MeasuredTime(String operation, int members, int length, Algorithm algorithm, double nanos)
{
    /** Keys of these lines begin with it. */
    static final String PREFIX = "time.";

    private static final int MAX_MEMBERS = 1 << 16;
    private static final double MAX_NANOS = 1e12;
    private static final int PARTS = 5;

    /**
     * Checks it.
     *
     * @param operation its name in small letters.
     * @param members   number of members.
     * @param length    of a portion, in bytes.
     * @param algorithm that it went by.
     * @param nanos     of one use, in nanoseconds.
     * @throws IllegalArgumentException if there is no such operation, or a value is out of range; the message says which.
     */
    public MeasuredTime
    {
        if (kind(operation) == Kind.BARRIER)
        {
            throw new IllegalArgumentException("operation without data: found=" + operation);
        }
        require("members", members, members >= 2 && members <= MAX_MEMBERS, "2 to " + MAX_MEMBERS);
        require("length", length, length >= 1, "at least 1");
        require("nanos", nanos, nanos > 0 && nanos <= MAX_NANOS, "more than 0 and at most " + MAX_NANOS);
    }

    private static void require(final String name, final Number found, final boolean isGood, final String expected)
    {
        if (!isGood)
        {
            throw new IllegalArgumentException("measured time, " + name + ": found=" + found + ", expected=" + expected);
        }
    }

    /** From a line of a file, {@code time.all-reduce.2.65536.direct-slices=5380.0}. */
    static MeasuredTime parse(final String key, final String value)
    {
        final String[] parts = key.split("\\.", -1);
        try
        {
            if (parts.length == PARTS)
            {
                return new MeasuredTime(parts[1], Integer.parseInt(parts[2]), Integer.parseInt(parts[3]),
                    constant(Algorithm.class, parts[4]), Double.parseDouble(value));
            }
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException(key + "=" + value + ": " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("found " + key + ", expected time.OPERATION.MEMBERS.BYTES.ALGORITHM");
    }

    /** As a line of a file. */
    String toText()
    {
        return PREFIX + operation + "." + members + "." + length + "." + text(algorithm) +
            String.format(Locale.ROOT, "=%.1f\n", nanos);
    }

    Kind kind()
    {
        return kind(operation);
    }

    private static Kind kind(final String operation)
    {
        return constant(Kind.class, operation);
    }

    private static <E extends Enum<E>> E constant(final Class<E> type, final String text)
    {
        for (final E each : type.getEnumConstants())
        {
            if (text(each).equals(text))
            {
                return each;
            }
        }
        throw new IllegalArgumentException("there is no " + text + " among " + type.getSimpleName());
    }

    private static String text(final Enum<?> constant)
    {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

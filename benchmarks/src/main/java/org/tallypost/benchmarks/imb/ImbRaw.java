// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import java.io.File;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.harness.Patience;
import org.tallypost.mailbox.files.MappedFiles;

/**
 * What two ranks do with memory that both map, and nothing else: what messages and collectives are held against. Each rank has a
 * line, and a place for bytes, with a line in front of it that says how often they were written.
 *
 * <pre>
 *      0   8   lines of rank 0: how often it has come      written by rank 0
 *    128   8   the same of rank 1                          written by rank 1
 *    256 + P r       8   bytes of rank r: how often        written by rank r, behind the bytes
 *    256 + P r + 64  n   bytes                             written by rank r
 * </pre>
 */
final class ImbRaw
{
    private static final int LINE_LENGTH = 128;
    private static final int PLACES_OFFSET = 2 * LINE_LENGTH;
    private static final int HEAD_LENGTH = 64;
    private static final String WHAT = "the other rank's line";

    private final UnsafeBuffer memory;
    private final Patience patience;
    private final UnsafeBuffer in;
    private final UnsafeBuffer out;
    private final boolean isFirst;
    private final int ownLine;
    private final int otherLine;
    private final int ownPlace;
    private final int otherPlace;
    private long comings;
    private long messages;

    ImbRaw(final UnsafeBuffer memory, final ImbRank place, final Patience patience)
    {
        this.memory = memory;
        this.patience = patience;
        in = place.in();
        out = place.out();
        isFirst = place.rank() == 0;
        ownLine = isFirst ? 0 : LINE_LENGTH;
        otherLine = LINE_LENGTH - ownLine;
        final int second = PLACES_OFFSET + (memory.capacity() - PLACES_OFFSET) / 2;
        ownPlace = isFirst ? PLACES_OFFSET : second;
        otherPlace = isFirst ? second : PLACES_OFFSET;
    }

    private static int length(final ImbSpec spec)
    {
        final int longest = spec.cells().stream().filter((cell) -> cell.call().isRaw()).mapToInt(ImbSpec.Cell::length).max()
            .orElse(0);
        return PLACES_OFFSET + 2 * BitUtil.align(HEAD_LENGTH + longest, LINE_LENGTH);
    }

    /** Makes the memory of a team. */
    static UnsafeBuffer create(final File file, final ImbSpec spec)
    {
        return MappedFiles.create(file, length(spec), UnsafeBuffer::verifyAlignment);
    }

    /** Maps what another process has made. */
    static UnsafeBuffer attach(final File file, final ImbSpec spec)
    {
        return MappedFiles.map(file, length(spec), "raw");
    }

    /** One repetition, for ranks 0 and 1. */
    Runnable of(final ImbCall call, final int length)
    {
        return call == ImbCall.RAW_LINES ? this::lines : isFirst ? () -> ping(length) : () -> pong(length);
    }

    private void lines()
    {
        comings++;
        // SYNC POINT raw-line: nothing but the line itself is shown
        memory.putLongRelease(ownLine, comings);
        await(otherLine, comings);
    }

    private void ping(final int length)
    {
        messages++;
        put(length);
        take(length);
    }

    private void pong(final int length)
    {
        messages++;
        take(length);
        put(length);
    }

    private void put(final int length)
    {
        memory.putBytes(ownPlace + HEAD_LENGTH, in, 0, length);
        // SYNC POINT raw-bytes: the bytes before; pairs with the acquire load in await. The answer says that they were read
        memory.putLongRelease(ownPlace, messages);
    }

    private void take(final int length)
    {
        await(otherPlace, messages);
        memory.getBytes(otherPlace + HEAD_LENGTH, out, 0, length);
    }

    private void await(final int offset, final long expected)
    {
        patience.begin();
        while (memory.getLongAcquire(offset) < expected)
        {
            patience.idle(WHAT);
        }
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.concurrent.UnsafeBuffer;

/** A program of the study. Each rank makes one, then all run it. Requests 0 to 9 are the program's, others are used here. */
abstract class LoggpProgram
{
    static final int MAX_INTS = 1_000;
    private static final int SUM = 10;
    private static final int RESULT = 11;

    final LoggpRank rank;
    private long sum;
    private int come;
    private long result;
    private int resultNumber;
    private int number;

    LoggpProgram(final LoggpRank rank)
    {
        this.rank = rank;
        rank.onBlock(SUM, (source, a, buffer, offset, length) ->
        {
            sum += buffer.getLong(offset, LITTLE_ENDIAN);
            come++;
        });
        rank.onBlock(RESULT, (source, a, buffer, offset, length) ->
        {
            result = buffer.getLong(offset, LITTLE_ENDIAN);
            resultNumber = a;
        });
    }

    /** What the study measures. */
    abstract void run();

    /** Whether the result is right; all ranks call it after the run. */
    abstract boolean isRight();

    /** Sums a number of each rank, at rank 0, which tells all. */
    final long sum(final long own)
    {
        number++;
        final UnsafeBuffer word = new UnsafeBuffer(new byte[Long.BYTES]);
        word.putLong(0, own, LITTLE_ENDIAN);
        if (rank.rank() != 0)
        {
            rank.block(0, SUM, 0, word, 0, Long.BYTES);
            while (resultNumber != number)
            {
                rank.poll();
            }
            return result;
        }
        while (come < rank.size() - 1)
        {
            rank.poll();
        }
        final long all = sum + own;
        come = 0;
        sum = 0;
        word.putLong(0, all, LITTLE_ENDIAN);
        for (int dest = 1; dest < rank.size(); dest++)
        {
            rank.block(dest, RESULT, number, word, 0, Long.BYTES);
        }
        return all;
    }

    /** All requests of all ranks were carried out. */
    final void barrier()
    {
        rank.awaitAnswers();
        sum(0);
    }

    static UnsafeBuffer toBytes(final int... values)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[values.length * Integer.BYTES]);
        for (int i = 0; i < values.length; i++)
        {
            bytes.putInt(i * Integer.BYTES, values[i], LITTLE_ENDIAN);
        }
        return bytes;
    }

    /** Sends any number of values, in blocks; the receiver gets the index of the first one of each block. */
    final void sendAll(final int dest, final int blockNumber, final int... values)
    {
        final UnsafeBuffer bytes = toBytes(values);
        for (int first = 0; first < values.length; first += MAX_INTS)
        {
            rank.block(dest, blockNumber, first, bytes, first * Integer.BYTES,
                Math.min(MAX_INTS, values.length - first) * Integer.BYTES);
        }
    }

    /** A reproducible number that looks like chance, at least 0. */
    static int chance(final long seed, final long index)
    {
        long bits = seed * 0x9E3779B97F4A7C15L + index * 0xD1B54A32D192ED03L;
        bits = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
        return (int)((bits ^ bits >>> 31) & 0x7FFF_FFFF);
    }
}

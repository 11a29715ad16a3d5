// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages of one sender: a word with sender and sequence, and further words that depend on the sequence. So that making
 * a message costs next to nothing, the further words are those of one of {@value #VARIANTS} prepared messages; the number is
 * prime, so that no message lies where its like lay a lap ago.
 */
public final class Payload
{
    static final int VARIANTS = 11;
    static final int SOURCE_SHIFT = 48;
    static final long SEQUENCE_MASK = (1L << SOURCE_SHIFT) - 1;
    /** A bulk message has its first word at the beginning of each so many bytes, and words that never change between them. */
    static final int PAGE_LENGTH = 4096;
    private static final long BULK_LENGTH = 8 << 20;
    private static final int LEAST_PLACES = 3;
    /** Early, so that a run on a busy machine comes to it. */
    private static final int CORRUPT_AT = 100;
    private static final int BULK_CORRUPT_AT = 5;
    private static final long CORRUPT_BIT = 1L << 40;

    /** Direct; the same on the heap and in a mapped file for turns that warm up, or only the first. */
    private final UnsafeBuffer[] buffers;
    private UnsafeBuffer buffer;
    private final long sourceBits;
    private final int length;
    private final int stride;
    private final long corruptAt;
    private final int places;
    /** 0 for messages that are not bulk. */
    private final int pageLength;
    private long sequence;
    private int variant;

    /**
     * The messages of a sender.
     *
     * @param source    the sender, below 65,536.
     * @param length    of each message in bytes, a multiple of 8.
     * @param isCorrupt whether they are damaged from some message on.
     */
    public Payload(final int source, final int length, final boolean isCorrupt)
    {
        this(source, length, isCorrupt, false);
    }

    /**
     * The messages of a sender, which may be in several kinds of memory.
     *
     * @param source    the sender, below 65,536.
     * @param length    of each message in bytes, a multiple of 8.
     * @param isCorrupt whether they are damaged from some message on.
     * @param isMixed   whether they are on the heap and in a mapped file as well; see {@link #use}.
     */
    Payload(final int source, final int length, final boolean isCorrupt, final boolean isMixed)
    {
        this(source, length, isCorrupt ? CORRUPT_AT : -1, VARIANTS, 0, isMixed, null);
    }

    private Payload(
        final int source, final int length, final int corruptAt, final int places, final int pageLength, final boolean isMixed,
        final UnsafeBuffer memory)
    {
        this.length = length;
        this.corruptAt = corruptAt;
        this.places = places;
        this.pageLength = pageLength;
        sourceBits = (long)source << SOURCE_SHIFT;
        stride = BitUtil.align(length, 64);
        final int size = places * stride;
        buffer = memory != null ? memory : new UnsafeBuffer(BufferUtil.allocateDirectAligned(size, 128));
        buffers = isMixed ?
            new UnsafeBuffer[] { buffer, new UnsafeBuffer(new byte[size]), mapped(size), buffer } : new UnsafeBuffer[] { buffer };
        for (int i = 0; i < places; i++)
        {
            for (int at = 8; at < length; at += 8)
            {
                buffer.putLong(i * stride + at, word(isBulk() ? 0 : i, at));
            }
        }
        for (final UnsafeBuffer each : buffers)
        {
            if (each != buffer)
            {
                each.putBytes(0, buffer, 0, size);
            }
        }
    }

    /**
     * Messages of a sender that may be long: to make one, and to check it, takes far less time than to move it.
     *
     * @param source     the sender, below 65,536.
     * @param length     of each message in bytes, a multiple of 8.
     * @param isCorrupt  whether they are damaged from some message on.
     * @param pageLength bytes from one word that is written anew to the next.
     * @param memory     in which they are, of {@link #bulkSize} bytes; null for memory of its own.
     * @return the messages.
     */
    static Payload bulk(
        final int source, final int length, final boolean isCorrupt, final int pageLength, final UnsafeBuffer memory)
    {
        return new Payload(source, length, isCorrupt ? BULK_CORRUPT_AT : -1, bulkPlaces(length), pageLength, false, memory);
    }

    private boolean isBulk()
    {
        return pageLength > 0;
    }

    /** Bytes of all bulk messages that there are at a time. */
    static int bulkSize(final int length)
    {
        return bulkPlaces(length) * BitUtil.align(length, 64);
    }

    /** How many bulk messages there are at a time: when so many more were made, one is overwritten. */
    static int bulkPlaces(final int length)
    {
        return (int)Math.max(LEAST_PLACES, Math.min(VARIANTS, BULK_LENGTH / length));
    }

    private static UnsafeBuffer mapped(final int size)
    {
        try
        {
            final Path file = Files.createTempFile("tallypost-payload-", ".tmp");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE))
            {
                return new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, size));
            }
            finally
            {
                Files.delete(file);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Says where the next messages are.
     *
     * @param profile 0 for direct memory, from 1 for other kinds as well, if there are others.
     */
    void use(final int profile)
    {
        buffer = buffers[profile % buffers.length];
    }

    /**
     * The party that made a message.
     *
     * @param buffer that holds it.
     * @param offset of it in bytes.
     * @return the sender.
     */
    public static int source(final DirectBuffer buffer, final int offset)
    {
        return (int)(buffer.getLong(offset) >>> SOURCE_SHIFT);
    }

    static long word(final int variant, final int offset)
    {
        final long mixed = (variant * 4096L + offset + 1) * 0x9E3779B97F4A7C15L;
        return mixed ^ (mixed >>> 29);
    }

    /**
     * Where the messages are.
     *
     * @return the buffer.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Makes the next message. It stays until this was called some times more.
     *
     * @return offset of it in bytes.
     */
    public int prepare()
    {
        final int offset = variant * stride;
        buffer.putLong(offset, sourceBits | sequence);
        for (int at = pageLength; isBulk() && at < length; at += pageLength)
        {
            buffer.putLong(offset + at, sourceBits | sequence);
        }
        if (sequence == corruptAt)
        {
            // of long messages a word that is always read
            final int last = offset + (isBulk() ? (length - 1) / pageLength * pageLength : length - 8);
            buffer.putLong(last, buffer.getLong(last) ^ CORRUPT_BIT);
        }
        sequence++;
        variant = variant + 1 == places ? 0 : variant + 1;
        return offset;
    }

    /**
     * Messages made so far.
     *
     * @return their number.
     */
    public long sequence()
    {
        return sequence;
    }
}

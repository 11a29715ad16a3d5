// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.transport.BulkHandler;
import org.tallypost.endpoint.transport.BulkOperation;
import org.tallypost.endpoint.transport.BulkPort;
import org.tallypost.endpoint.transport.BulkResult;
import org.tallypost.transportaeron.internal.wire.BulkDecoder;
import org.tallypost.transportaeron.internal.wire.BulkEncoder;
import org.tallypost.transportaeron.internal.wire.BulkFrame;
import org.tallypost.transportaeron.internal.wire.Drops;

/** One end of a bulk stream without Aeron: a region of memory with bytes around it, operations, and messages that have left. */
final class BulkSide implements BulkPort
{
    static final int MTU_LENGTH = 1_024;
    static final int GROUP_HASH = 77;
    /** Bytes before and behind the region that no frame may touch. */
    static final int MARGIN = 64;
    static final long ENTRY = 3L << 32 | 9;

    final Drops drops = new Drops();
    final List<byte[]> left = new ArrayList<>();
    final Map<Long, Long> results = new HashMap<>();
    final Map<Long, Long> values = new HashMap<>();
    final Map<Long, byte[]> gets = new HashMap<>();
    final UnsafeBuffer memory;
    final BulkPacing pacing = new BulkPacing();
    final BulkEgress egress;
    final BulkAnswers answers;
    final BulkDecoder decoder;
    final BulkEncoder encoder;
    final BulkFrame frame = new BulkFrame();
    final int length;
    int rights = 7;
    boolean isClosed;
    /** The file of the memory is shorter than what is mapped. */
    boolean isCutOff;
    private boolean isOffering;
    int room = Integer.MAX_VALUE;

    BulkSide(final int node, final int length)
    {
        this.length = length;
        memory = new FileMemory(new byte[length + 2 * MARGIN]);
        encoder = new BulkEncoder(node, 1 - node, GROUP_HASH, MTU_LENGTH, this::leave);
        decoder = new BulkDecoder(node, 1 - node, GROUP_HASH, MTU_LENGTH, drops);
        egress = new BulkEgress(this, encoder, pacing, drops);
        answers = new BulkAnswers(this, encoder, pacing, drops);
    }

    /** Throws what the JVM does if a file was cut off. */
    private final class FileMemory extends UnsafeBuffer
    {
        FileMemory(final byte[] bytes)
        {
            super(bytes);
        }

        private void check()
        {
            assertFalse(isOffering, "the stream reads in the file");
            if (isCutOff)
            {
                throw new InternalError("a fault occurred in a recent unsafe memory access operation");
            }
        }

        @Override
        public void putBytes(final int index, final DirectBuffer from, final int offset, final int count)
        {
            check();
            super.putBytes(index, from, offset, count);
        }

        /** Is asked for by what copies from here. */
        @Override
        public long addressOffset()
        {
            check();
            return super.addressOffset();
        }

        @Override
        public long getAndAddLong(final int index, final long delta)
        {
            check();
            return super.getAndAddLong(index, delta);
        }

        @Override
        public long getLongAcquire(final int index)
        {
            check();
            return super.getLongAcquire(index);
        }
    }

    void open(final int ownEpoch, final int peerEpoch)
    {
        encoder.open(peerEpoch, ownEpoch);
        decoder.open(ownEpoch, peerEpoch);
        egress.open();
        answers.open();
    }

    /** Without messages. */
    void beginCycle()
    {
        pacing.beginCycle(0);
        egress.beginCycle();
    }

    void close()
    {
        decoder.close();
        egress.close();
    }

    private long leave(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        if (left.size() >= room)
        {
            return -1;
        }
        // what is offered is not in a file that may be cut off by now: the stream's term would have a torn frame
        isOffering = true;
        final byte[] message = new byte[messageLength];
        buffer.getBytes(offset, message);
        isOffering = false;
        left.add(message);
        return 1;
    }

    /** Reads a message; false if the link is broken. */
    boolean read(final byte[] message)
    {
        final int result = decoder.decode(new UnsafeBuffer(message), 0, message.length, frame);
        if (result < 0)
        {
            return result != BulkDecoder.BROKEN;
        }
        return BulkOperation.isKind(frame.type) ? answers.onRequest(frame) : egress.onAnswer(frame);
    }

    BulkOperation operation(final int kind, final long number, final long at, final long first, final long second)
    {
        final BulkOperation operation = new BulkOperation();
        operation.kind = kind;
        operation.queue = 1;
        operation.number = number;
        operation.owner = 1L << 32 | 5;
        operation.entry = ENTRY;
        operation.at = at;
        operation.first = first;
        operation.second = second;
        return operation;
    }

    BulkOperation put(final long number, final long at, final byte[] bytes, final long counter)
    {
        final BulkOperation operation = operation(BulkOperation.PUT, number, at, counter, 0);
        operation.length = bytes.length;
        operation.wrap(new UnsafeBuffer(bytes), 0, bytes.length);
        return operation;
    }

    @Override
    public int poll(final BulkHandler handler)
    {
        throw new AssertionError("the test hands operations on by itself");
    }

    @Override
    public void complete(final int queue, final long number, final long result, final long value)
    {
        if (results.put(number, result) != null)
        {
            throw new AssertionError("completed twice: " + number);
        }
        values.put(number, value);
    }

    @Override
    public boolean putPiece(
        final int queue, final long number, final long position, final DirectBuffer buffer, final int offset,
        final int pieceLength)
    {
        final byte[] bytes = gets.get(number);
        if (bytes == null || position < 0 || pieceLength < 0 || pieceLength > bytes.length - position)
        {
            return false;
        }
        buffer.getBytes(offset, bytes, (int)position, pieceLength);
        return true;
    }

    @Override
    public long locate(final long owner, final long entry, final int wanted, final long at, final long bytes)
    {
        if (owner != (1L << 32 | 5))
        {
            return BulkResult.UNKNOWN_KEY;
        }
        if (entry != ENTRY || isClosed)
        {
            return BulkResult.STALE;
        }
        if ((rights & wanted) != wanted)
        {
            return BulkResult.NO_RIGHT;
        }
        return at < 0 || bytes < 0 || bytes > length - at ? BulkResult.OUT_OF_BOUNDS : MARGIN + at;
    }

    @Override
    public UnsafeBuffer memory()
    {
        return memory;
    }

    @Override
    public long description()
    {
        return (long)rights << 32 | length;
    }

    boolean isMarginClean()
    {
        for (int i = 0; i < MARGIN; i++)
        {
            if (memory.getByte(i) != 0 || memory.getByte(MARGIN + length + i) != 0)
            {
                return false;
            }
        }
        return true;
    }
}

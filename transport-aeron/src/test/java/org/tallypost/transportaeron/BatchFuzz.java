// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.FuzzInput;
import org.tallypost.transportaeron.internal.handshake.GroupTerms;
import org.tallypost.transportaeron.internal.handshake.HandshakeMessage;
import org.tallypost.transportaeron.internal.wire.BatchDecoder;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;
import org.tallypost.transportaeron.internal.wire.WireFixture;

/**
 * Any bytes as a batch, as a step of the handshake, and as terms. Nothing is thrown, no byte outside is read, and what is handed
 * on fits the bytes that came.
 */
public final class BatchFuzz
{
    private static final int BATCH_LENGTH = 4096;

    private BatchFuzz()
    {
    }

    /**
     * Entry for the fuzzer.
     *
     * @param bytes of the input.
     */
    public static void fuzzerTestOneInput(final byte[] bytes)
    {
        final FuzzInput input = new FuzzInput(bytes);
        final int kind = input.nextByte() % 3;
        if (kind == 0)
        {
            decode(input);
        }
        else if (kind == 1)
        {
            final byte[] rest = input.nextBytes(bytes.length);
            final HandshakeMessage message = HandshakeMessage.decode(new UnsafeBuffer(rest), 0, rest.length);
            if (message != null && message.version() == BatchDescriptor.VERSION && !Arrays.equals(message.encode(), rest))
            {
                throw new AssertionError("not what came: " + message);
            }
        }
        else
        {
            final byte[] rest = input.nextBytes(bytes.length);
            final GroupTerms terms = GroupTerms.decode(rest);
            if (terms != null && !Arrays.equals(terms.encode(), rest))
            {
                throw new AssertionError("not what came: " + new String(rest, StandardCharsets.UTF_8));
            }
        }
    }

    private static void decode(final FuzzInput input)
    {
        final boolean isHeaderSound = input.nextByte() % 8 != 0;
        final int before = input.next(3) * Long.BYTES;
        final byte[] rest = input.nextBytes(2 * BATCH_LENGTH);
        // what of the other stream it comes behind is any number in one of eight
        final int header = !isHeaderSound ? 0 : input.nextByte() % 8 != 0 ? BatchDescriptor.BATCH_HEADER_LENGTH :
            BatchDescriptor.HEADER_LENGTH;
        final int length = header + rest.length;
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[before + length]);
        buffer.putBytes(before + header, rest);
        if (isHeaderSound)
        {
            BatchDescriptor.putHeader(buffer, before, BatchDescriptor.KIND_BATCH, WireFixture.SENDING_NODE,
                WireFixture.RECEIVING_NODE, WireFixture.GROUP_HASH);
            BatchDescriptor.putEpochs(buffer, before, WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH);
        }
        final int[] taken = new int[1];
        final BatchDecoder decoder = WireFixture.decoder(BATCH_LENGTH, new Drops());
        if (input.nextByte() % 2 == 0)
        {
            decoder.joinHigh(WireFixture.decoder(BATCH_LENGTH, new Drops()));
        }
        final int count = decoder.decode(buffer, before, length,
            (type, flags, source, dest, value, sourceEpoch, destEpoch, from, offset, bytes) ->
            {
                for (int i = 0; i < bytes; i++)
                {
                    from.getByte(offset + i);
                }
                taken[0] += FrameDescriptor.paddedLength(bytes);
                if (source >= WireFixture.RANKS || dest >= WireFixture.RANKS ||
                    offset < before + BatchDescriptor.BATCH_HEADER_LENGTH)
                {
                    throw new AssertionError("source=" + source + ", dest=" + dest + ", offset=" + offset);
                }
            });
        if (count < BatchDecoder.WAITING || count == BatchDecoder.WAITING && taken[0] > 0 ||
            taken[0] > Math.max(0, length - BatchDescriptor.BATCH_HEADER_LENGTH))
        {
            throw new AssertionError("count=" + count + ", taken=" + taken[0] + ", length=" + length);
        }
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MappedFiles;

/**
 * Long messages copied once into mapped memory of the receiver, with nothing round it: the limit that the machine sets for those
 * that lie in private memory.
 */
final class RawCopyTransport implements Transport
{
    private final LinkSpec spec;
    private final UnsafeBuffer[] memories = new UnsafeBuffer[2];

    RawCopyTransport(final LinkSpec spec, final File directory, final boolean isFirst)
    {
        this.spec = spec;
        final int length = SlotLink.memoryLength(spec.length());
        for (int party = 0; party < memories.length; party++)
        {
            final File file = new File(directory, "raw-" + party);
            memories[party] = isFirst ?
                MappedFiles.create(file, length, UnsafeBuffer::verifyAlignment) : MappedFiles.map(file, length, "raw");
        }
    }

    @Override
    public Link open(final int party)
    {
        return new CopyLink(memories[party], memories[1 - party], spec.length());
    }

    @Override
    public long bufferBytes()
    {
        return SlotLink.memoryLength(spec.length());
    }

    @Override
    public void close()
    {
        // The mappings go with the process.
    }

    private static final class CopyLink extends SlotLink
    {
        private final UnsafeBuffer own;
        private final UnsafeBuffer other;
        private final int length;

        CopyLink(final UnsafeBuffer own, final UnsafeBuffer other, final int length)
        {
            super(length);
            this.own = own;
            this.other = other;
            this.length = length;
        }

        @Override
        UnsafeBuffer memory()
        {
            return own;
        }

        @Override
        boolean isMet()
        {
            return true;
        }

        @Override
        boolean write(final int at, final DirectBuffer buffer, final int offset, final int count, final long published)
        {
            other.putBytes(at, buffer, offset, count);
            // SYNC POINT raw-published
            other.putLongRelease(PUBLISHED_OFFSET, published);
            return true;
        }

        @Override
        void consumed(final long count)
        {
            other.putLongRelease(CONSUMED_OFFSET, count);
        }

        @Override
        int messageLength()
        {
            return length;
        }
    }
}

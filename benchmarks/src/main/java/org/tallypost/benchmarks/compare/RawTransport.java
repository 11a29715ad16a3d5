// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MappedFiles;

/**
 * Lines as they are, whatever the length asked for: a message is one line of up to 56 bytes.
 */
final class RawTransport implements Transport
{
    private final LinkSpec spec;
    private final UnsafeBuffer buffer;

    RawTransport(final LinkSpec spec, final File directory, final boolean isFirst)
    {
        this.spec = spec;
        final File file = new File(directory, "raw");
        buffer = isFirst ?
            MappedFiles.create(file, RawLines.LENGTH, UnsafeBuffer::verifyAlignment) :
            MappedFiles.map(file, RawLines.LENGTH, "raw");
    }

    @Override
    public Link open(final int party)
    {
        if (spec.mode() == Mode.WORD)
        {
            return new WordLink.Plain(buffer, party);
        }
        final RawLines lines = new RawLines(buffer, 0);
        final int length = Transport.messageLength(spec);
        return spec.mode() == Mode.RTT ? new Exchange(lines, party, length) : new Stream(lines, length);
    }

    @Override
    public long bufferBytes()
    {
        return spec.mode() == Mode.RTT ? 64 : RawLines.LENGTH;
    }

    @Override
    public void close()
    {
        // The mapping goes with the process.
    }

    private static final class Stream implements Link
    {
        private final RawLines lines;
        private final int length;

        Stream(final RawLines lines, final int length)
        {
            this.lines = lines;
            this.length = length;
        }

        @Override
        public boolean send(final DirectBuffer source, final int offset, final int messageLength)
        {
            return lines.write(source, offset, messageLength);
        }

        @Override
        public int poll(final Inlet inlet, final int limit)
        {
            return lines.read(inlet, length, limit);
        }
    }

    private static final class Exchange implements Link
    {
        private final RawLines lines;
        private final int party;
        private final int length;
        private long sent;
        private long received;

        Exchange(final RawLines lines, final int party, final int length)
        {
            this.lines = lines;
            this.party = party;
            this.length = length;
        }

        @Override
        public boolean send(final DirectBuffer source, final int offset, final int messageLength)
        {
            lines.writeLine(party, ++sent, source, offset, messageLength);
            return true;
        }

        @Override
        public int poll(final Inlet inlet, final int limit)
        {
            if (lines.readLine(1 - party, received + 1, inlet, length))
            {
                received++;
                return 1;
            }
            return 0;
        }
    }
}

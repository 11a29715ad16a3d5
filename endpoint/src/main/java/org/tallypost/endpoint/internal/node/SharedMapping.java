// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.Checks;
import org.tallypost.endpoint.internal.layout.SharedFileDescriptor;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.Uninterrupted;
import org.tallypost.mailbox.process.ProcessIdentity;

/**
 * A shared file that this process has mapped. The mapping goes when nothing refers to it any more: a thread that uses it while
 * another one closes it touches no missing page. Any thread.
 */
public final class SharedMapping
{
    /** What is reserved at a time when a file grows. */
    static final int STEP_LENGTH = 1 << 21;

    private final SharedFiles files;
    private final File file;
    private final String name;
    private final UnsafeBuffer whole;
    private final UnsafeBuffer contents;
    /** Null if another one is the owner. */
    private final Runnable checkLiveness;
    private final long number;
    /** What the owner has reserved, whatever others write into the file. Read and written under the monitor. */
    private long reserved;
    private volatile boolean closed;

    SharedMapping(
        final SharedFiles files, final File file, final String name, final UnsafeBuffer whole, final Runnable checkLiveness)
    {
        this.files = files;
        this.file = file;
        this.name = name;
        this.whole = whole;
        this.checkLiveness = checkLiveness;
        reserved = SharedFileDescriptor.reservedLength(whole);
        number = whole.getLong(SharedFileDescriptor.NUMBER_OFFSET);
        contents = new UnsafeBuffer(
            whole.byteBuffer(), SharedFileDescriptor.CONTENTS_OFFSET, whole.capacity() - SharedFileDescriptor.CONTENTS_OFFSET);
    }

    public String name()
    {
        return name;
    }

    public File file()
    {
        return file;
    }

    UnsafeBuffer whole()
    {
        return whole;
    }

    /** Tells the file from others that had its name. */
    long number()
    {
        return number;
    }

    public UnsafeBuffer contents()
    {
        checkOpen();
        return contents;
    }

    /** Bytes of the contents that may be touched. */
    public long length()
    {
        return SharedFileDescriptor.reservedLength(whole);
    }

    public long maxLength()
    {
        return contents.capacity();
    }

    public boolean isOwner()
    {
        return checkLiveness != null;
    }

    /** Its maker, as the file says. */
    public ProcessIdentity owner()
    {
        return SharedFiles.owner(whole);
    }

    /** Whether the owner is there and has not closed it. */
    public boolean isOwnerLive()
    {
        return whole.getIntAcquire(SharedFileDescriptor.CLOSED_OFFSET) == 0 && files.isOwnerLive(whole);
    }

    /** Reserves pages up to a length at least. Only what is reserved then is told to the others. */
    public synchronized long grow(final long atLeast)
    {
        checkOpen();
        if (!isOwner())
        {
            throw new IllegalStateException("only the owner makes a shared file longer: file=" + file + ", owner " + owner());
        }
        Checks.range("length", atLeast, 1, maxLength());
        final long from = reserved;
        if (atLeast <= from)
        {
            return from;
        }
        files.checkMember();
        final long to = Math.min(maxLength(), (atLeast + STEP_LENGTH - 1) & -STEP_LENGTH);
        if (!files.reserve(this, SharedFileDescriptor.fileLength(from), SharedFileDescriptor.fileLength(to),
            checkLiveness))
        {
            throw new MailboxException("shared file was removed, replaced or cut off: file=" + file +
                "; it cannot grow any more: find out which program clears this directory");
        }
        reserved = to;
        // SYNC POINT shared-reserved: a process that sees the length may touch the pages
        whole.putLongRelease(SharedFileDescriptor.RESERVED_OFFSET, to);
        return to;
    }

    /** Maps a part of the contents once more; no page of it goes missing as long as something refers to the buffer. */
    public ByteBuffer map(final long offset, final int partLength)
    {
        checkOpen();
        Checks.range("length", partLength, 1, Integer.MAX_VALUE);
        Checks.range("offset", offset, 0, length() - partLength);
        try
        {
            return Uninterrupted.call(() -> mapSame(offset, partLength));
        }
        catch (final IOException ex)
        {
            throw new MailboxException("cannot map a part of a shared file: file=" + file + ", offset=" + offset + ", length=" +
                partLength + ", cause=" + ex, ex);
        }
    }

    private ByteBuffer mapSame(final long offset, final int partLength) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file.toPath(),
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)))
        {
            final ByteBuffer found = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
            final int read = channel.read(found, SharedFileDescriptor.NUMBER_OFFSET);
            final long end = SharedFileDescriptor.fileLength(offset + partLength);
            if (read != Long.BYTES || found.getLong(0) != number || channel.size() < end)
            {
                throw new MailboxException("shared file was removed, replaced or cut off: file=" + file + ", found length=" +
                    channel.size() + ", expected at least " + end + " of the same file; find out which program " +
                    "clears this directory");
            }
            return channel.map(FileChannel.MapMode.READ_WRITE, SharedFileDescriptor.fileLength(offset), partLength)
                .order(ByteOrder.nativeOrder());
        }
    }

    private void checkOpen()
    {
        if (closed)
        {
            throw new IllegalStateException("shared file is closed: file=" + file);
        }
    }

    public boolean isClosed()
    {
        return closed;
    }

    public void close()
    {
        synchronized (this)
        {
            if (closed)
            {
                return;
            }
            closed = true;
            if (isOwner())
            {
                // the others may look whether it is worth while to wait for this process
                whole.putIntRelease(SharedFileDescriptor.CLOSED_OFFSET, 1);
            }
        }
        files.closed(this);
    }
}

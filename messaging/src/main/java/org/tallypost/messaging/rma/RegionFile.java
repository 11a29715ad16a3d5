// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A file of a program, of which a region is made. Its bytes are read and not mapped: any program with the right to write may cut
 * it off, and a page that goes missing would be a bus error in each process that has attached to the region.
 */
final class RegionFile implements AutoCloseable
{
    private static final int PART_LENGTH = 1 << 18;

    private final Path path;
    private final FileChannel channel;
    private final FileTime modified;
    private final int length;

    RegionFile(final File file, final int maxLength) throws IOException
    {
        path = file.toPath();
        // looked at before it is opened: to open a pipe is to wait for its writer
        if (!attributes().isRegularFile())
        {
            throw new IOException("no regular file: found=" + path + ", expected a file, and no link to one");
        }
        channel = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        final long found = channel.size();
        modified = attributes().lastModifiedTime();
        if (found < 1 || found > maxLength)
        {
            channel.close();
            throw new IOException("length of " + path + " out of range: found=" + found + ", expected=1 to " + maxLength);
        }
        length = (int)found;
    }

    private BasicFileAttributes attributes() throws IOException
    {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    int length()
    {
        return length;
    }

    /** Copies the whole file. Its length and time must not change meanwhile, which tells of most changes and not of all. */
    void copyTo(final UnsafeBuffer buffer) throws IOException
    {
        final ByteBuffer part = ByteBuffer.allocateDirect(Math.min(PART_LENGTH, length));
        int at = 0;
        while (at < length)
        {
            part.clear().limit(Math.min(part.capacity(), length - at));
            final int count = channel.read(part, at);
            if (count <= 0)
            {
                throw new IOException(path + " became shorter while it was read: found=" + at + " bytes, expected=" + length);
            }
            part.flip();
            buffer.putBytes(at, part, count);
            at += count;
        }
        if (channel.size() != length || !attributes().lastModifiedTime().equals(modified))
        {
            throw new IOException(path + " changed while it was read: found=" + channel.size() + " bytes of " +
                attributes().lastModifiedTime() + ", expected=" + length + " of " + modified);
        }
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}

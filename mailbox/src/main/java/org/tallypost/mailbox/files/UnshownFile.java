// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.files;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.agrona.concurrent.UnsafeBuffer;

/** A file that is complete and mapped, and does not have its name yet. For one thread. */
public final class UnshownFile implements AutoCloseable
{
    /** Begin of the names of such files. */
    public static final String PREFIX = ".";
    /** End of their names. */
    public static final String SUFFIX = ".new";

    private final Path temporary;
    private final Path target;
    private final UnsafeBuffer buffer;

    UnshownFile(final Path temporary, final Path target, final UnsafeBuffer buffer)
    {
        this.temporary = temporary;
        this.target = target;
        this.buffer = buffer;
    }

    /**
     * The mapping of the file.
     *
     * @return the buffer.
     */
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /** Gives it its name in one step; an older file of the name is replaced. */
    public void show()
    {
        try
        {
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        }
        catch (final AtomicMoveNotSupportedException ex)
        {
            throw cannotShow("the file system cannot rename in one step", ex);
        }
        catch (final IOException ex)
        {
            throw cannotShow(ex.toString(), ex);
        }
    }

    private MailboxException cannotShow(final String cause, final IOException ex)
    {
        return new MailboxException(
            "cannot create file: file=" + target + ", length=" + buffer.capacity() + ", cause=" + cause, ex);
    }

    /** Deletes it, unless it has its name by now. */
    @Override
    public void close()
    {
        MappedFiles.deleteQuietly(temporary);
    }
}

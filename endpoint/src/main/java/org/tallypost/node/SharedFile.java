// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import java.io.File;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.SharedFileDescriptor;
import org.tallypost.endpoint.internal.node.SharedMapping;
import org.tallypost.mailbox.files.MailboxException;

/**
 * Memory that processes of one node share under a name: {@link Node#createShared} makes it, {@link Node#attachShared} finds it.
 *
 * <p><b>Owner.</b> The incarnation of the process that created the file. When the owner closes it, closes its node, or is gone,
 * the file loses its name, and another process may create one of that name. A process that has attached to it keeps the mapping,
 * and may go on until it closes that: no page of it goes missing. {@link #isOwnerLive()} tells.
 *
 * <p><b>Memory.</b> The contents are zeros at first and begin at a page of their own. What is written by which process, and in
 * which order, is the program's to say. What is in them comes from other processes: a program that uses such a number as a length
 * or an offset checks it first. Nothing here makes the file shorter; a program that does so from outside takes pages away (guide,
 * Security).
 *
 * <p><b>Closing.</b> The mapping goes when nothing refers to the file or to {@link #buffer()} any more: a thread in the midst of
 * using it may go on. Any thread.
 */
public final class SharedFile implements AutoCloseable
{
    /** Most characters of a name. */
    public static final int MAX_NAME_LENGTH = SharedFileDescriptor.MAX_NAME_LENGTH;
    /** Longest contents in bytes: 2 GiB less two pages. */
    public static final long MAX_LENGTH = SharedFileDescriptor.MAX_LENGTH;

    private final SharedMapping mapping;

    SharedFile(final SharedMapping mapping)
    {
        this.mapping = mapping;
    }

    /**
     * The contents. Of a file that grows the buffer is as long as it may become; only what {@link #length()} says may be touched.
     *
     * @return the buffer, the same one each time.
     * @throws IllegalStateException if this is closed.
     */
    public UnsafeBuffer buffer()
    {
        return mapping.contents();
    }

    /**
     * Length of the contents that may be touched now. It grows only. One load with acquire semantics.
     *
     * @return the length in bytes.
     */
    public long length()
    {
        return mapping.length();
    }

    /**
     * Greatest length of the contents.
     *
     * @return the length in bytes; {@link #length()} if the file does not grow.
     */
    public long maxLength()
    {
        return mapping.maxLength();
    }

    /**
     * Makes the contents longer, in steps of 2 MiB, and zeros what is new. The others see it by {@link #length()}. For the owner.
     *
     * @param atLeast length of the contents in bytes that is wanted, 1 to {@link #maxLength()}.
     * @return the length then: at least what is wanted.
     * @throws IllegalArgumentException if it is out of range.
     * @throws IllegalStateException if this process is not the owner, or this is closed.
     * @throws org.tallypost.mailbox.files.NoRoomException if there is no room; the length stays as it was.
     * @throws MailboxException if the file was removed.
     */
    public long grow(final long atLeast)
    {
        return mapping.grow(atLeast);
    }

    /**
     * Maps a part of the contents once more, for code that takes buffers of java.nio. The mapping goes when nothing refers to the
     * buffer any more, nor to one that was made of it; it stays when this is closed. Takes a system call or two, and allocates.
     *
     * @param offset of the part in the contents in bytes.
     * @param length of the part in bytes, at least 1, within {@link #length()}.
     * @return a direct buffer of that capacity, in the machine's byte order.
     * @throws IllegalArgumentException if a value is out of range.
     * @throws IllegalStateException if this is closed.
     * @throws MailboxException if the file was removed, replaced or cut off.
     */
    public ByteBuffer map(final long offset, final int length)
    {
        return mapping.map(offset, length);
    }

    /**
     * Its name.
     *
     * @return as it was created.
     */
    public String name()
    {
        return mapping.name();
    }

    /**
     * Where it is.
     *
     * @return the file in the node's directory.
     */
    public File file()
    {
        return mapping.file();
    }

    /**
     * Whether this object created the file.
     *
     * @return true if so.
     */
    public boolean isOwner()
    {
        return mapping.isOwner();
    }

    /**
     * Whether the owner is there, as far as this process can tell, and has not closed the file. Asks the system: not for a path
     * that has to be fast.
     *
     * @return true if so.
     */
    public boolean isOwnerLive()
    {
        return mapping.isOwnerLive();
    }

    /**
     * Pid of the owner, as the file says.
     *
     * @return the pid in its own namespace.
     */
    public long ownerPid()
    {
        return mapping.owner().pid();
    }

    /**
     * Whether {@link #close()} was called, here or by closing the node.
     *
     * @return true if so.
     */
    public boolean isClosed()
    {
        return mapping.isClosed();
    }

    /** Ends the use of it here. The owner's file is removed. Idempotent; any thread. */
    @Override
    public void close()
    {
        mapping.close();
    }

    @Override
    public String toString()
    {
        return "SharedFile{file=" + file() + ", length=" + length() + ", maxLength=" + maxLength() + ", owner " +
            mapping.owner() + (isClosed() ? ", closed}" : "}");
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.files;

/**
 * There is no room on the file system for a file. The message has the numbers.
 */
public final class NoRoomException extends MailboxException
{
    private static final long serialVersionUID = 1L;

    /** Bytes. */
    private final long neededLength;

    /**
     * With a message and a cause.
     *
     * @param message      that names the file, what is needed and what is free.
     * @param cause        of it; null if there is none.
     * @param neededLength of the file in bytes.
     */
    public NoRoomException(final String message, final Throwable cause, final long neededLength)
    {
        super(message, cause);
        this.neededLength = neededLength;
    }

    /**
     * Length of the file that could not be created.
     *
     * @return the length in bytes.
     */
    public long neededLength()
    {
        return neededLength;
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.files;

/**
 * Something is wrong with a shared file, or with how it is used. The message names what, which file, what was found
 * and what was expected, and what to change.
 */
public class MailboxException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message that names what, where, found and expected.
     */
    public MailboxException(final String message)
    {
        super(message);
    }

    /**
     * With a message and a cause.
     *
     * @param message that names what, where, found and expected.
     * @param cause   of it.
     */
    public MailboxException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}

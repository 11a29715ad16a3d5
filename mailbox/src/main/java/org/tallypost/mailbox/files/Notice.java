// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.files;

/**
 * Tells an error handler something about how the program is set up, which is no fault of the code that found it: it has no stack
 * trace, so that a handler that prints stack traces prints one line.
 */
public final class Notice extends MailboxException
{
    private static final long serialVersionUID = 1L;

    /** The beginning of the message. */
    private final String what;

    /**
     * A notice.
     *
     * @param what is told: the same text each time, with nothing in it that comes from outside. It begins the message.
     * @param text that follows it: where, found and expected, and what to change.
     */
    public Notice(final String what, final String text)
    {
        super(what + ": " + text);
        this.what = what;
    }

    /**
     * What is told: notices of one kind have the same.
     *
     * @return the beginning of the message.
     */
    public String what()
    {
        return what;
    }

    @Override
    public synchronized Throwable fillInStackTrace()
    {
        return this;
    }
}

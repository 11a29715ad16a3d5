// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.tallypost.mailbox.ClaimMark;

/**
 * A thread that sends, with its claim mark.
 */
final class SendingThread
{
    final Thread thread;
    final ClaimMark mark;

    SendingThread(final Thread thread, final ClaimMark mark)
    {
        this.thread = thread;
        this.mark = mark;
    }
}

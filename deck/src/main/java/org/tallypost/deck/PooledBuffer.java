// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.messaging.ReceiveRequest;

/** A buffer of a mail box, or one for a large message: it is free, gets a message, waits in the box, or belongs to a message. */
final class PooledBuffer
{
    final MailBox box;
    final int sizeClass;
    final boolean isLarge;
    final UnsafeBuffer buffer;
    final ReceiveRequest receive = new ReceiveRequest();
    int source;
    /** Of the process that the message came from. Null if it is a large one: those need no token. */
    MailBox.Account account;
    int length;
    /** Of a large message: the tag of its data. */
    int tag;
    PooledBuffer next;

    PooledBuffer(final MailBox box, final int sizeClass, final boolean isLarge, final ByteBuffer memory)
    {
        this.box = box;
        this.sizeClass = sizeClass;
        this.isLarge = isLarge;
        buffer = new UnsafeBuffer(memory);
    }
}

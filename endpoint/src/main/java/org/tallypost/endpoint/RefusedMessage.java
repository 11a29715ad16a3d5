// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

/**
 * Says when a message that was refused for want of credits is to go by a {@link LongSend}. An endpoint saves up no credits for a
 * message of several slots, and other senders to the same receiver could keep it from going for ever: in parts it takes what
 * there is. Reusable; for one thread at a time.
 */
public final class RefusedMessage
{
    private static final long PATIENCE_NS = 1_000_000;

    private boolean isRefused;
    private long refusedNs;

    /** No message was refused yet. */
    public RefusedMessage()
    {
    }

    /**
     * An offer of the message was refused with {@link Endpoint#NO_CREDIT}.
     *
     * @param length of the message in bytes.
     * @param nowNs  the time in nanoseconds, as {@link System#nanoTime()} returns it.
     * @return whether it takes several slots and was refused for 1 ms.
     */
    public boolean isToGoInParts(final int length, final long nowNs)
    {
        if (!isRefused)
        {
            isRefused = true;
            refusedNs = nowNs;
        }
        return nowNs - refusedNs >= PATIENCE_NS && Endpoint.slots(length) > 1;
    }

    /** The message has gone or is given up: the next one is another one. */
    public void end()
    {
        isRefused = false;
    }
}

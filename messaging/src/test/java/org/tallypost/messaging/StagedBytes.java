// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.concurrent.UnsafeBuffer;

/** Bytes of a message that does something within a put: its key was checked, and no byte of this put is copied. */
final class StagedBytes extends UnsafeBuffer
{
    private Runnable step;

    StagedBytes(final int length, final long salt)
    {
        super(new byte[length]);
        MessengerFixture.fill(this, 0, length, salt);
    }

    /** The next put does this once. */
    void within(final Runnable what)
    {
        step = what;
    }

    /** A put has done it, and perhaps is not over. */
    boolean isDone()
    {
        return step == null;
    }

    @Override
    public byte[] byteArray()
    {
        final Runnable due = step;
        if (due != null && isInAPut())
        {
            step = null;
            due.run();
        }
        return super.byteArray();
    }

    private static boolean isInAPut()
    {
        return StackWalker.getInstance().walk((frames) -> frames.anyMatch((frame) ->
            frame.getClassName().endsWith("RemoteRegion") && "put".equals(frame.getMethodName())));
    }
}

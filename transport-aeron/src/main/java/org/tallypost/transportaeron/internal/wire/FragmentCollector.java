// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts messages together that came in several fragments: steps of a handshake and batches, where the MTU is small. Strangers
 * may begin messages of any length, with ever new sessions, before anybody has proven anything: so there is room for a few
 * messages as long as the longest of ours, and one place is for the session that was admitted. For one thread.
 */
public final class FragmentCollector implements ControlledFragmentHandler
{
    /** Messages that can be under way at once; the oldest of a stranger is given up for another. */
    static final int MESSAGES = 5;
    /** No message of several fragments is longer. */
    public static final int MAX_LENGTH = Math.max(HandshakeDescriptor.MAX_LENGTH, 2 * BatchAssembler.MIN_BATCH_LENGTH);
    /** Place of the session that was admitted. */
    private static final int ADMITTED = 0;
    private static final int NONE = -1;

    private final ControlledFragmentHandler next;
    private final UnsafeBuffer[] partial = new UnsafeBuffer[MESSAGES];
    private final int[] sessions = new int[MESSAGES];
    private final int[] lengths = new int[MESSAGES];
    private int turn = ADMITTED + 1;
    private int admitted;
    private boolean isAdmitted;

    public FragmentCollector(final ControlledFragmentHandler next)
    {
        this.next = next;
        for (int i = 0; i < MESSAGES; i++)
        {
            partial[i] = new UnsafeBuffer(new byte[MAX_LENGTH]);
            lengths[i] = NONE;
        }
    }

    /**
     * What comes on a session is not given up for others from now on.
     *
     * @param session that was admitted; the one before is no more.
     */
    public void admit(final int session)
    {
        admitted = session;
        isAdmitted = true;
        lengths[ADMITTED] = NONE;
    }

    @Override
    public Action onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        final byte flags = header.flags();
        if ((flags & FrameDescriptor.UNFRAGMENTED) == FrameDescriptor.UNFRAGMENTED)
        {
            return next.onFragment(buffer, offset, length, header);
        }
        final boolean isFirst = (flags & FrameDescriptor.BEGIN_FRAG_FLAG) != 0;
        final int index = isFirst ? begin(header.sessionId()) : find(header.sessionId());
        if (index == NONE)
        {
            return Action.CONTINUE;
        }
        final int before = lengths[index];
        append(index, buffer, offset, length);
        return (flags & FrameDescriptor.END_FRAG_FLAG) != 0 && lengths[index] != NONE ? handOn(index, before, header) :
            Action.CONTINUE;
    }

    /** Hands a whole message on; if it has to wait its last fragment comes again. */
    private Action handOn(final int index, final int before, final Header header)
    {
        final int whole = lengths[index];
        lengths[index] = NONE;
        final Action action = next.onFragment(partial[index], 0, whole, header);
        if (action == Action.ABORT)
        {
            lengths[index] = before;
        }
        return action;
    }

    private int begin(final int session)
    {
        int index = isAdmitted && session == admitted ? ADMITTED : find(session);
        if (index == NONE)
        {
            index = turn;
            turn = turn + 1 < MESSAGES ? turn + 1 : ADMITTED + 1;
        }
        sessions[index] = session;
        lengths[index] = 0;
        return index;
    }

    private int find(final int session)
    {
        for (int i = 0; i < MESSAGES; i++)
        {
            if (lengths[i] != NONE && sessions[i] == session)
            {
                return i;
            }
        }
        return NONE;
    }

    /** What gets too long is no step of a handshake, and is given up. */
    private void append(final int index, final DirectBuffer buffer, final int offset, final int length)
    {
        if (length > MAX_LENGTH - lengths[index])
        {
            lengths[index] = NONE;
        }
        else
        {
            partial[index].putBytes(lengths[index], buffer, offset, length);
            lengths[index] += length;
        }
    }
}

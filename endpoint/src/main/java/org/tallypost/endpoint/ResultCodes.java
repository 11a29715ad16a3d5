// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.tallypost.endpoint.Endpoint.CLOSED;
import static org.tallypost.endpoint.Endpoint.FAILED;
import static org.tallypost.endpoint.Endpoint.MAX_MESSAGE_LENGTH;
import static org.tallypost.endpoint.Endpoint.MAX_RUN_LENGTH;
import static org.tallypost.endpoint.Endpoint.NOT_CONNECTED;
import static org.tallypost.endpoint.Endpoint.NO_CREDIT;
import static org.tallypost.endpoint.Endpoint.PEER_GONE;
import static org.tallypost.endpoint.Endpoint.TOO_LONG;

import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.send.LaneSender;

/**
 * What the negative results of a send mean. Those that a caller of {@link Endpoint} sees are from -1 down to {@link #LAST}. Those
 * that only classes of this project hand to one another have other values: {@link org.tallypost.mailbox.lane.Lane#UNPAID} and
 * {@link org.tallypost.mailbox.lane.Lane#FULL}, {@link LaneSender#BY_RING} and {@link LaneSender#UNCREDITED}. So one that is
 * handed on by mistake cannot pass for another.
 */
public final class ResultCodes
{
    /** The smallest one that callers see. */
    static final long LAST = FAILED;

    private ResultCodes()
    {
    }

    static String text(final long result)
    {
        if (result >= 0)
        {
            return "SENT";
        }
        switch (result < LAST ? 0 : (int)result)
        {
            case (int)NO_CREDIT:
                return "NO_CREDIT: no room for this sender at the receiver now; poll and try again";
            case (int)PEER_GONE:
                return "PEER_GONE: the receiver died or closed, or the link to its node broke; what it had not read may be lost";
            case (int)NOT_CONNECTED:
                return "NOT_CONNECTED: the receiver's rank is not open yet, or has not let this sender in yet; try again";
            case (int)CLOSED:
                return "CLOSED: this endpoint or its node is closed";
            case (int)TOO_LONG:
                return "TOO_LONG: the message can never go this way; use newSend() for more than " + MAX_RUN_LENGTH +
                    " bytes; for less, use newSend() or raise slotsPerSender, for high priority highSlots";
            case (int)FAILED:
                return "FAILED: what was thrown while the message was read has ended it; its buffer has to stay until it is out";
            default:
                return "unknown result " + result;
        }
    }

    static String tooLong(final int length)
    {
        if (length > MAX_MESSAGE_LENGTH)
        {
            return "TOO_LONG: no message is as long: found=" + length + " bytes, expected at most " + MAX_MESSAGE_LENGTH +
                "; send it in parts";
        }
        if (length > MAX_RUN_LENGTH)
        {
            return "TOO_LONG: found=" + length + " bytes, expected at most " + MAX_RUN_LENGTH +
                " for offer and tryClaim, however many slots there are; use newSend()";
        }
        return "TOO_LONG: found=" + length + " bytes, which take " + PacketDescriptor.slots(length) +
            " slots at once, more than this sender may ever hold; use newSend(), or raise slotsPerSender, " +
            "for high priority highSlots";
    }
}

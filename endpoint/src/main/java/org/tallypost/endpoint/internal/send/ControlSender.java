// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import java.lang.invoke.VarHandle;
import java.util.function.IntUnaryOperator;
import org.tallypost.creditprotocol.ControlPackets;
import org.tallypost.creditprotocol.CreditStore;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/**
 * What the credit protocol needs of the sending side when credits travel in packets: the credits that its endpoint holds
 * at others, and control packets. Called by the polling thread.
 */
public final class ControlSender implements CreditStore, ControlPackets
{
    private final Outbox outbox;
    private final IntUnaryOperator countedEpoch;
    /** Whether the packet of the last call goes out, also if that has thrown. */
    private boolean isCommitted;

    public ControlSender(final Outbox outbox, final IntUnaryOperator countedEpoch)
    {
        this.outbox = outbox;
        this.countedEpoch = countedEpoch;
    }

    @Override
    public int credits(final int receiver)
    {
        final Peer peer = controlPeer(receiver);
        if (peer == null)
        {
            return 0;
        }
        final long word = peer.creditWord();
        return peer.isOurs(word) ? peer.credits(word) : 0;
    }

    @Override
    public int takeAll(final int receiver)
    {
        final Peer peer = controlPeer(receiver);
        return peer == null ? 0 : peer.takeAll();
    }

    @Override
    public void add(final int receiver, final int credits)
    {
        final Peer peer = controlPeer(receiver);
        if (peer != null && credits > 0)
        {
            peer.add(credits);
            outbox.wakeups().granted(peer.words, peer.wordOffset(), outbox.rank());
        }
    }

    /** The account has paid for it: the credit is already taken out of the word. */
    @Override
    public void sendRequest(final int receiver)
    {
        sendControl(receiver, PacketDescriptor.TYPE_REQUEST, 0);
    }

    @Override
    public void sendResponse(final int receiver, final int credits)
    {
        sendControl(receiver, PacketDescriptor.TYPE_RESPONSE, credits);
    }

    @Override
    public boolean isCommitted()
    {
        return isCommitted;
    }

    /**
     * The peer, if it is that incarnation which the ledger counts with: credits of an earlier one must not reach it, nor
     * those for it reach a later one.
     */
    private Peer controlPeer(final int dest)
    {
        final int counted = countedEpoch.applyAsInt(dest);
        final Peer peer = outbox.connectedForControl(dest);
        return peer != null && GroupDescriptor.epoch(peer.rankWord) == counted && !outbox.isClosed() ? peer : null;
    }

    /**
     * Sends a control packet of one slot. No credit is withdrawn: a credit packet needs none, the others are paid for. If an
     * Error ends this, {@link #isCommitted} tells whether it goes out: once it has its slot it does.
     *
     * @return false if the receiver is not there, or not that which the ledger counts with, or has not let us in yet.
     */
    public boolean sendControl(final int dest, final int type, final int credits)
    {
        isCommitted = false;
        final Peer peer = controlPeer(dest);
        if (peer == null)
        {
            return false;
        }
        final SendingThread sender = outbox.sender();
        final ClaimMark mark = sender.mark;
        sender.finishLeft();
        try
        {
            mark.intend(peer.claimKey, 1);
            // SYNC POINT pair-closed: a receiver that closed the pair is seen here, or it sees the mark and waits
            VarHandle.fullFence();
            if (outbox.isClosed() || !peer.isOurs(peer.creditWord()))
            {
                mark.clear();
                return false;
            }
            // from here on what there is to send is known to whatever finishes it
            sender.leftValue = credits;
            sender.leftType = type;
            final long position = peer.mailbox.claim(mark, 1);
            peer.buffer.putInt(peer.mailbox.payloadOffset(position), credits);
            peer.mailbox.publish(mark, position, type, 0, PacketDescriptor.CONTROL_LENGTH, outbox.rank());
            sender.leftType = 0;
            return true;
        }
        catch (final Throwable t)
        {
            // with stores alone: there may be no stack for a call
            isCommitted = sender.leftType != 0 && mark.isPlaced();
            sender.leftPeer = peer;
            sender.isLeft = true;
            sender.finishLeft();
            throw t;
        }
    }
}

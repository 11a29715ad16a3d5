// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Priority;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.local.LocalEndpoint;
import org.tallypost.endpoint.internal.local.SimulatedHighSide;
import org.tallypost.endpoint.internal.node.GuardedErrorHandler;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.endpoint.internal.receive.Inbox;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** What the simulation has to see of the inside, to audit the books from outside; and what the system does for a dead process. */
public final class SimulatedAccess
{
    private SimulatedAccess()
    {
    }

    /**
     * Incarnation of the receiver to which an endpoint sends now.
     *
     * @param endpoint that sends.
     * @param dest     rank of the receiver.
     * @param priority of the messages.
     * @return its epoch, 0 if it is not connected.
     */
    public static int destEpoch(final Endpoint endpoint, final int dest, final Priority priority)
    {
        final LocalEndpoint sender = (LocalEndpoint)endpoint;
        final Peer peer = (priority == Priority.HIGH ? sender.highOutbox() : sender.outbox()).peers()[dest];
        return peer == null ? 0 : GroupDescriptor.epoch(peer.rankWord);
    }

    /**
     * An error handler that the runtime calls as it is: a simulated crash has to get through.
     *
     * @param handler of the simulation.
     * @return the handler to launch a node with.
     */
    public static ErrorHandler unguarded(final ErrorHandler handler)
    {
        return new GuardedErrorHandler(handler)
        {
            @Override
            public void onError(final Throwable error)
            {
                handler.onError(error);
            }

            @Override
            public void flush(final long nowNs)
            {
                // nothing was left out
            }
        };
    }

    /**
     * What the system does when a process dies: its lock on the transport is free, whatever its threads are in the midst of.
     * Nothing of what the process does when it closes: it would wait for these threads.
     *
     * @param node of the dead process.
     */
    public static void release(final Node node)
    {
        node.local().transportHost().unlock();
    }

    /**
     * A sign of life of a process with another thread that stands still.
     *
     * @param node  of the process.
     * @param nowMs time.
     */
    public static void heartbeat(final Node node, final long nowMs)
    {
        final long owner = node.local().runtime().ownerWord();
        if (node.local().runtime().registry().isLive(PacketDescriptor.process(owner), PacketDescriptor.incarnation(owner)))
        {
            node.local().runtime().registry().heartbeat(PacketDescriptor.process(owner), nowMs);
        }
    }

    /**
     * Compares the credits of a pair: what the receiver's ledger says, and what its sender holds.
     *
     * @param receiver   of the pair.
     * @param priority   of the messages that the credits are for.
     * @param sender     rank of it.
     * @param senderNode null if it is on the receiver's node, else any node of a process of the sender's node.
     * @param isOpen     whether the sender is there.
     * @return null if they agree, else what is wrong.
     */
    public static String imbalance(
        final Endpoint receiver, final Priority priority, final int sender, final Node senderNode, final boolean isOpen)
    {
        final boolean isHigh = priority == Priority.HIGH;
        final LocalEndpoint endpoint = (LocalEndpoint)receiver;
        final Inbox inbox = isHigh ? SimulatedHighSide.inbox(endpoint) : endpoint.inbox();
        final Ledger ledger = inbox.ledger();
        if (ledger == null)
        {
            return null;
        }
        ledger.checkInvariants();
        final int counted = inbox.countedEpoch(sender);
        if (counted == 0 || !isOpen)
        {
            return isOpen ? "rank " + sender + " is not let in by rank " + receiver.rank() : null;
        }
        final UnsafeBuffer buffer = (isHigh ? SimulatedHighSide.mailbox(endpoint) : endpoint.mailbox()).buffer();
        final long word = buffer.getLongVolatile(MailboxDescriptor.sourceLineOffset(sender));
        int held = CreditWord.credits(word) + inbox.grants().inHand(sender);
        if (senderNode != null)
        {
            final RemoteNodes low = senderNode.local().runtime().remote();
            final RemoteNodes remote = isHigh ? low.high() : low;
            held += CreditWord.credits(
                remote.buffer().getLongVolatile(remote.lineOffset(sender, receiver.rank())));
        }
        final int current = ledger.currentCredits(sender);
        return CreditWord.epoch(word) == counted && held == current ? null :
            "rank " + sender + " holds " + held + " credits of rank " + receiver.rank() + "; its ledger says " + current +
            "; epoch " + CreditWord.epoch(word) + ", counted " + counted;
    }
}

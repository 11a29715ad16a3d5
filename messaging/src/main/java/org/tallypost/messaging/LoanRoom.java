// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.messaging.rma.CrossMemory;
import org.tallypost.messaging.rma.Loan;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;

/** The region memory of this rank, as its receives use it: what they borrow, and what the rank lends itself. One thread. */
final class LoanRoom
{
    private static final int NO_PID = 0;

    private final MessengerState shared;
    private final RegionMemory memory;
    private final CrossMemory cross;
    private final Loan loan = new Loan();
    private final RegionKey key = new RegionKey();

    LoanRoom(final MessengerState shared)
    {
        this.shared = shared;
        memory = shared.context.regionMemory();
        cross = shared.context.crossMemory() ? CrossMemory.open() : null;
    }

    /** Attaches to where the message of a receive lies, and hands over a loan that it wants: false if that is refused. */
    boolean attach(final ReceiveRequest request)
    {
        if (request.placed.isInMemory())
        {
            return attachMemory(request);
        }
        final boolean isHandedOver = request.isHandedOver();
        if (request.placed.attach(
            memory, request.matchedSource, request.messageLength, isHandedOver ? request.coming : null) < 0)
        {
            return false;
        }
        if (isHandedOver)
        {
            request.takeAll();
            request.received = request.wanted;
        }
        return true;
    }

    /** Whether the message of a receive lies in a region of its sender, which is of another node, and may be read there. */
    boolean isReadable(final ReceiveRequest request)
    {
        final PlacedMessage placed = request.placed;
        return memory != null && !placed.isLoan() && !placed.isInMemory() && placed.key().rank() == request.matchedSource &&
            memory.isReachable(request.matchedSource);
    }

    FarRead newFarRead()
    {
        return new FarRead(memory);
    }

    /** Memory of another process is read if that is the sender's process, in the pid namespace of this one. */
    private boolean attachMemory(final ReceiveRequest request)
    {
        final boolean isOnHeap = request.loaned == null && request.buffer.byteArray() != null;
        final int pid = cross == null || isOnHeap ? NO_PID : pidOf(shared.pair(request.matchedSource));
        if (pid == NO_PID)
        {
            return false;
        }
        request.placed.attach(cross, pid);
        return true;
    }

    private int pidOf(final Pair pair)
    {
        final long state = shared.endpoint.rankState(pair.rank);
        if (pair.in.pidState != state)
        {
            final ProcessIdentity process = shared.endpoint.processOf(pair.rank);
            pair.in.pidState = state;
            pair.in.pid = process == null || process.namespace() != ProcessIdentity.current().namespace() ?
                NO_PID : (int)process.pid();
        }
        return pair.in.pid;
    }

    /**
     * Lends the own rank memory for the message of a receive that wants a loan, and makes that its buffer. If there is none, the
     * receive has room for no bytes. A receive with a buffer stays as it is, and so does one that has its room.
     */
    void make(final ReceiveRequest request)
    {
        if (request.loaned == null || request.coming.isHeld() || request.messageLength == 0)
        {
            return;
        }
        final boolean isLent = request.messageLength <= RegionMemory.MAX_LENGTH &&
            memory.tryLoan(request.messageLength, loan) >= 0 && loan.lend(shared.own) == 0 &&
            request.coming.attach(memory, loan.key(key)) >= 0;
        if (isLent)
        {
            request.view.wrap(request.coming.buffer());
        }
        else
        {
            loan.cancel();
        }
        request.buffer = request.view;
        request.length = isLent ? request.messageLength : 0;
        request.wanted = request.length;
    }

    /** Hands a loan of this messenger to the own rank: false if that is refused, and the message has to be copied. */
    boolean handOver(final ReceiveRequest request, final SendRequest send)
    {
        if (request.loaned == null || send.loan == null || send.lend(shared.own) < 0)
        {
            return false;
        }
        if (request.coming.attach(memory, send.loan.key(key)) < 0)
        {
            send.takeBack();
            return false;
        }
        send.isPlaced = true;
        request.takeAll();
        return true;
    }

    /** A receive has all of its message: what it has borrowed is the program's, which could have released it too early. */
    void give(final ReceiveRequest request)
    {
        if (request.loaned != null && request.coming.isHeld())
        {
            request.loaned.leaveReceive(request);
            request.loaned.takeFrom(request.coming);
        }
    }

    /** A receive is over: what it has borrowed and did not give to the program goes back. */
    void end(final ReceiveRequest request)
    {
        if (request.loaned == null)
        {
            return;
        }
        request.loaned.leaveReceive(request);
        if (request.coming.isHeld())
        {
            request.coming.release();
        }
    }
}

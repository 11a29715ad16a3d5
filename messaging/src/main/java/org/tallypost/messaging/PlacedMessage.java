// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.MessageKind;
import org.tallypost.messaging.rma.CrossMemory;
import org.tallypost.messaging.rma.LoanedMessage;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;

/**
 * A message with its bytes in the region memory of its sender: where, as the sender says, and the handles to read them. Used
 * again. One thread.
 */
final class PlacedMessage
{
    static final int PLACE_LENGTH = HeadDescriptor.PLACE_LENGTH;

    /** Most bytes that are copied in one round, so that short messages do not wait for the rest. */
    static final int PART_LENGTH = 65_536;

    private final RegionKey key = new RegionKey();
    private final RemoteRegion region = new RemoteRegion();
    private final LoanedMessage ownHandle = new LoanedMessage();
    private LoanedMessage loan = ownHandle;
    private long position;
    private int kind;
    private CrossMemory cross;
    private int pid;
    private long proofAddress;
    private long proof;
    /** The next one that is free. */
    PlacedMessage next;

    /** Reads where it is. Nothing of that is checked. */
    void decode(final DirectBuffer buffer, final int offset, final int ofKind)
    {
        final int head = offset - HeadDescriptor.PLACE_KEY_OFFSET;
        kind = ofKind;
        if (kind == MessageKind.RTS_MEMORY)
        {
            position = buffer.getLong(head + HeadDescriptor.PLACE_ADDRESS_OFFSET, LITTLE_ENDIAN);
            proofAddress = buffer.getLong(head + HeadDescriptor.PROOF_ADDRESS_OFFSET, LITTLE_ENDIAN);
            proof = buffer.getLong(head + HeadDescriptor.PROOF_OFFSET, LITTLE_ENDIAN);
        }
        else
        {
            key.decode(buffer, offset);
            position = buffer.getLong(head + HeadDescriptor.PLACE_POSITION_OFFSET, LITTLE_ENDIAN);
        }
    }

    boolean isLoan()
    {
        return kind == MessageKind.RTS_LOAN;
    }

    boolean isInMemory()
    {
        return kind == MessageKind.RTS_MEMORY;
    }

    /** Of the region or loan that the message lies in. */
    RegionKey key()
    {
        return key;
    }

    /** Of the message in its region. */
    long position()
    {
        return position;
    }

    /** Most bytes of one {@link #copy}: a system call has a price of its own. */
    int partLength()
    {
        return isInMemory() ? CrossMemory.MAX_LENGTH : PART_LENGTH;
    }

    /** As {@link #attach(RegionMemory, int, int, LoanedMessage)}, to the memory of a process. */
    void attach(final CrossMemory reader, final int ofProcess)
    {
        cross = reader;
        pid = ofProcess;
    }

    /**
     * Attaches to where the bytes are.
     *
     * @param memory of this rank, null if it has none.
     * @param source that has sent the message: a place elsewhere is refused.
     * @param length of the message.
     * @param handle that the program wants the loan in; null if it wants a copy.
     * @return 0 or more; or why the bytes cannot be read.
     */
    long attach(final RegionMemory memory, final int source, final int length, final LoanedMessage handle)
    {
        if (memory == null || key.rank() != source)
        {
            return RegionResult.UNKNOWN_KEY;
        }
        if (!isLoan())
        {
            return region.attach(memory, key);
        }
        loan = handle == null ? ownHandle : handle;
        final long result = loan.attach(memory, key);
        if (result >= 0 && result != length)
        {
            loan.release();
            return RegionResult.OUT_OF_BOUNDS;
        }
        return result;
    }

    /** Copies some of the bytes; a negative result says why not. */
    long copy(final int from, final MutableDirectBuffer to, final int offset, final int length)
    {
        if (isInMemory())
        {
            return cross.read(pid, proofAddress, proof, position + from, to, offset, length);
        }
        if (isLoan())
        {
            to.putBytes(offset, loan.buffer(), from, length);
            return length;
        }
        return region.get(position + from, to, offset, length);
    }

    /** The bytes are not needed any more, or are the program's to release. */
    void end()
    {
        if (ownHandle.isHeld())
        {
            ownHandle.release();
        }
        loan = ownHandle;
        region.detach();
    }
}

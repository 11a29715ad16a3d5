// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A collective operation by messages: sends, receives and computations, in rounds. All of a round are under way together; the
 * next round begins when they are done. Computations have their turn when all before them are done. A rank that gets a message
 * too long for it does its part to the end, as others wait for that, and fails then. So do those that get what follows from it.
 */
final class Schedule extends Transfer
{
    private final CommCore comm;
    private final int operationTag;
    private final List<Step> steps = new ArrayList<>();
    private final List<Transfer> active = new ArrayList<>();
    private int next;
    /** The first failure of a message that has come whole, and is not what this rank expects. */
    private MPIException misfit;
    /** Of what has come, in bytes. */
    private int longest;
    /** What this rank has for others may follow from what did not fit. */
    private boolean isSpoilt;

    /** Takes the tag of the next operation: all ranks of the communicator make their schedules in the same order. */
    Schedule(final CommCore comm) throws MPIException
    {
        comm.check();
        this.comm = comm;
        operationTag = comm.nextCollectiveTag();
    }

    /** One thing to do. */
    private interface Step
    {
        /** Null if there is nothing to wait for. */
        Transfer begin() throws MPIException;
    }

    /** What a rank does by itself. */
    interface Computation
    {
        void run() throws MPIException;
    }

    /** Sends items to a rank, by its number in the channels; they are asked for when it starts. */
    Schedule send(final int peer, final Supplier<Items> items)
    {
        steps.add(() ->
        {
            final Items from = isSpoilt ? tooLong(items.get()) : items.get();
            return new SendTransfer().items(from.buffer, from.offset, from.skip, from.count, from.type)
                .to(comm.channels(), true, SendTransfer.Mode.STANDARD, peer, operationTag);
        });
        return this;
    }

    Schedule send(final int peer, final Items items)
    {
        return send(peer, () -> items);
    }

    /** Receives items from a rank, by its number in the channels; the place is asked for when it starts. */
    Schedule receive(final int peer, final Supplier<Items> items)
    {
        steps.add(() ->
        {
            final Items to = items.get();
            return new ReceiveTransfer().items(to.buffer, to.offset, to.skip, to.count, to.type)
                .from(comm.channels(), true, peer, operationTag, 0);
        });
        return this;
    }

    Schedule receive(final int peer, final Items items)
    {
        return receive(peer, () -> items);
    }

    /** Computes when all is done that is before this, and if all of it has fitted. */
    Schedule then(final Computation computation)
    {
        steps.add(null);
        steps.add(() ->
        {
            if (misfit == null)
            {
                computation.run();
            }
            return null;
        });
        return this;
    }

    /** More than ranks have room for that have passed what this one has, or what has come: they fail too. No objects either. */
    private Items tooLong(final Items items)
    {
        final long room = Math.max(longest, (long)items.count * items.type.size());
        final int length = items.type.isObject() ? 1 : (int)Math.min(TeamCollective.MAX_LENGTH, room + 1);
        return Items.of(new byte[length], 0, length, MPI.BYTE);
    }

    /** A new round. */
    Schedule round()
    {
        steps.add(null);
        return this;
    }

    /** A message to oneself: items are copied. */
    Schedule copy(final Supplier<Items> from, final Supplier<Items> to)
    {
        final int own = comm.localBase() + comm.ownRank();
        return receive(own, to).send(own, from);
    }

    Schedule copy(final Items from, final Items to)
    {
        return copy(() -> from, () -> to);
    }

    @Override
    Channels channels()
    {
        return comm.channels();
    }

    @Override
    boolean isCarriedOn()
    {
        return true;
    }

    @Override
    void begin()
    {
        next = 0;
        active.clear();
        misfit = null;
        longest = 0;
        isSpoilt = false;
    }

    @Override
    boolean advance() throws MPIException
    {
        while (true)
        {
            for (int i = active.size() - 1; i >= 0; i--)
            {
                if (active.get(i).progress())
                {
                    ended(active.remove(i));
                }
            }
            if (next < steps.size() && (steps.get(next) != null || active.isEmpty()))
            {
                begin(steps.get(next++));
            }
            else if (!active.isEmpty())
            {
                return false;
            }
            else if (misfit != null)
            {
                throw misfit;
            }
            else
            {
                return true;
            }
        }
    }

    /** What has come and does not fit fails this rank at the end: the others still wait for what it has for them. */
    private void ended(final Transfer transfer) throws MPIException
    {
        final MPIException failure = transfer.failure();
        if (failure != null && failure.getErrorClass() != MPI.ERR_TRUNCATE && failure.getErrorClass() != MPI.ERR_TYPE)
        {
            throw failure;
        }
        misfit = misfit == null ? failure : misfit;
        longest = Math.max(longest, transfer instanceof ReceiveTransfer ? ((ReceiveTransfer)transfer).messageLength() : 0);
    }

    private void begin(final Step step) throws MPIException
    {
        isSpoilt |= step == null && misfit != null;
        final Transfer transfer = step == null ? null : step.begin();
        if (transfer != null)
        {
            transfer.start();
            active.add(transfer);
        }
    }
}

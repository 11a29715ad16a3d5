// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.tallypost.messaging.RequestResult;

/** A send, a receive or a collective operation, from its start to its end. It may be started again. */
abstract class Transfer
{
    private boolean isDone;
    private MPIException failure;
    private boolean isLetGo;
    private Channels held;
    /** What the status says. */
    int source = MPI.ANY_SOURCE;
    int tag = MPI.ANY_TAG;
    int length;
    int objects = MPI.UNDEFINED;
    boolean isCancelled;

    Transfer()
    {
    }

    /** Begins; what is wrong with the arguments is thrown. */
    final void start() throws MPIException
    {
        isDone = false;
        failure = null;
        isCancelled = false;
        isLetGo = false;
        begin();
        held = isCarriedOn() ? channels() : null;
        if (held != null)
        {
            held.hold();
        }
    }

    /** Whether it consists of several messages: it goes on whatever the program waits for. */
    abstract boolean isCarriedOn();

    /** By which its messages go; null if what frees them waits for its end first. */
    Channels channels()
    {
        return null;
    }

    /** Before a caller waits for this one alone, or for this one and others: waits in a better way, if there is one. */
    void await()
    {
        // messages wake the caller
    }

    /** Whether it is only found by looking that this goes on: nothing wakes a thread for it. */
    boolean isByLooking()
    {
        return false;
    }

    /** Whether Finalize waits for it. */
    boolean isAwaitedAtTheEnd()
    {
        return true;
    }

    /** Nobody asks from here on how it ends: a failure ends the job. */
    final void letGo()
    {
        isLetGo = true;
    }

    /** What it is, for a line about its failure. */
    String whatHasFailed()
    {
        return "a request that the program has freed has failed";
    }

    /** Whether it has failed, and nobody asks for that. */
    final boolean isFailedUnseen()
    {
        return isLetGo && failure != null;
    }

    abstract void begin() throws MPIException;

    /** Whether all is done: called again and again until it says so, and then it was made available to the program. */
    abstract boolean advance() throws MPIException;

    /** Asks for its end, if it is not matched. */
    void cancel() throws MPIException
    {
        throw new MPIException(MPI.ERR_REQUEST, "an operation of all ranks cannot be cancelled");
    }

    /** Does what can be done now: true if that was all. Without messages: these come by {@link World#work()}. */
    final boolean progress()
    {
        if (!isDone)
        {
            try
            {
                isDone = advance();
            }
            catch (final MPIException ex)
            {
                failure = ex;
                isDone = true;
            }
            if (isDone && held != null)
            {
                held.release();
                held = null;
            }
        }
        return isDone;
    }

    /** Why it has failed; null if it has not. */
    final MPIException failure()
    {
        return failure;
    }

    final void throwFailure() throws MPIException
    {
        if (failure != null)
        {
            throw failure;
        }
    }

    /** What the end of a message means: cut ones are up to the caller. */
    final void end(final RequestResult result, final Object what) throws MPIException
    {
        if (result == RequestResult.CANCELLED)
        {
            isCancelled = true;
        }
        else if (result != RequestResult.SUCCESS && result != RequestResult.TRUNCATED)
        {
            ProcessEnd.ofThisProcess().beforeFailure(result == RequestResult.PEER_GONE);
            throw new MPIException(MPI.ERR_OTHER, (result == RequestResult.PEER_GONE ? "the other rank is gone: " :
                result == RequestResult.CLOSED ? "this rank has closed its messenger: " : "the message has failed: ") + what);
        }
    }
}

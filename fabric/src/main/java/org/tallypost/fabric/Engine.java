// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.SplittableRandom;

/**
 * One run. A process is told to go on at the time to which its own work has taken it; it then does one thing, which takes it
 * further: sends as much of a message as it has credits for, retrieves a burst, or the like. If there is nothing to do it
 * sleeps until something arrives. So a message costs a few events, not one for each packet; but its packets are booked with
 * the ledger one by one, as they are retrieved, since the protocol decides packet by packet.
 *
 * <p>What happens within one such step is not interrupted: a process that retrieves 37 packets looks at the next sender's
 * only then.
 */
final class Engine
{
    private static final int ASK_EVERY = 1 << 16;

    private final State state;
    private final Scripts scripts;
    private final EventQueue queue;
    private final Sender sender;
    private final Receiver receiver;
    private final int processes;
    private final boolean isEager;
    private final boolean[] looksFirst;

    Engine(final FabricRun run)
    {
        state = new State(run);
        scripts = state.scripts;
        queue = state.queue;
        sender = new Sender(state);
        receiver = new Receiver(state);
        processes = state.processes;
        isEager = run.progress == Progress.BETWEEN_SENDS;
        looksFirst = new boolean[processes];
        final SplittableRandom random = new SplittableRandom(run.seed);
        for (int process = 0; process < processes; process++)
        {
            queue.put(process, run.jitterPs == 0 ? 0 : random.nextLong(run.jitterPs));
            if (run.checksInvariants && state.books.ledger(process) != null)
            {
                state.books.ledger(process).checkInvariants(true);
            }
        }
    }

    FabricResult run() throws InterruptedException
    {
        int left = ASK_EVERY;
        while (!queue.isEmpty())
        {
            if (--left == 0)
            {
                left = ASK_EVERY;
                if (Thread.interrupted())
                {
                    throw new InterruptedException("run of a fabric");
                }
            }
            final int first = queue.first();
            state.now = queue.time(first);
            state.cursor = state.now;
            if (first < processes)
            {
                goOn(first);
            }
            else
            {
                state.pressure.arrive(first - processes, state.now);
            }
        }
        return result();
    }

    private FabricResult result()
    {
        if (state.pressure != null)
        {
            state.pressure.end(state.now);
        }
        if (!scripts.allDone())
        {
            state.tally.endPs = state.now;
        }
        long stolen = 0;
        long piggybacked = 0;
        for (int process = 0; process < processes && state.books.ledger(process) != null; process++)
        {
            stolen += state.books.ledger(process).creditsStolen();
            piggybacked += state.books.ledger(process).piggybacked();
        }
        return state.tally.result(scripts.allDone(), stolen, piggybacked);
    }

    private void goOn(final int process)
    {
        if (state.asleepSince[process] >= 0)
        {
            wakeUp(process);
        }
        if (step(process))
        {
            queue.put(process, state.cursor);
            return;
        }
        state.asleepSince[process] = state.now;
        final long next = Math.min(state.mailboxes.headTime(process), state.grants.headTime(process));
        if (next == Long.MAX_VALUE || scripts.hasLeft(process) || isHeld(process))
        {
            queue.remove(process);
        }
        else
        {
            queue.put(process, next);
        }
    }

    private void wakeUp(final int process)
    {
        final long slept = state.now - state.asleepSince[process];
        state.asleepSince[process] = -1;
        if (isHeld(process))
        {
            state.pressure.letGo(process);
            state.tally.heldUpPs += slept;
        }
        else if (scripts.unsent[process] > 0)
        {
            state.tally.creditWaitPs += slept;
        }
        else if (!scripts.isDone(process))
        {
            state.tally.receiveWaitPs += slept;
        }
    }

    private boolean isHeld(final int process)
    {
        return state.pressure != null && state.pressure.isHeld(process);
    }

    /** Does one thing, and tells whether there was one. */
    private boolean step(final int process)
    {
        while (state.grants.headTime(process) <= state.cursor)
        {
            final int item = state.grants.head(process);
            state.grants.pop(process);
            state.gain(process, state.grants.from(item), state.grants.value(item));
        }
        if (looksFirst[process])
        {
            looksFirst[process] = false;
            if (receiver.retrieve(process))
            {
                return true;
            }
        }
        if (sender.sendReady(process) || advance(process))
        {
            looksFirst[process] = isEager;
            return true;
        }
        return !isHeld(process) && !scripts.hasLeft(process) && receiver.retrieve(process);
    }

    /** Goes on with the script until something took time; false if it has to wait. */
    private boolean advance(final int process)
    {
        while (!isHeld(process) && !scripts.mustWait(process))
        {
            if (scripts.isRoundOver(process))
            {
                if (scripts.isDone(process))
                {
                    return false;
                }
                endRound(process);
                continue;
            }
            final Operations script = scripts.operations(process);
            final int index = scripts.take(process);
            switch (script.kind(index))
            {
                case Operations.SEND:
                    if (sender.post(process, script.peer(index), (int)script.value(index)))
                    {
                        return true;
                    }
                    break;
                case Operations.RECEIVE:
                    receiver.post(process, script.peer(index));
                    break;
                case Operations.COMPUTE:
                    state.cursor += script.value(index);
                    return true;
                case Operations.LEAVE:
                    scripts.leave(process);
                    state.tally.endPs = Math.max(state.tally.endPs, state.cursor);
                    return false;
                default:
                    scripts.waitFor(process, script.kind(index) == Operations.WAIT_ALL);
                    break;
            }
        }
        return false;
    }

    private void endRound(final int process)
    {
        final int round = scripts.endRound(process);
        state.tally.roundEndPs[round] = Math.max(state.tally.roundEndPs[round], state.cursor);
        state.tally.endPs = Math.max(state.tally.endPs, state.cursor);
        state.observer.onRoundEnd(process, round, state.cursor, state.books);
    }
}

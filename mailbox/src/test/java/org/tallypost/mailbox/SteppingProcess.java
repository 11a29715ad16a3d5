// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.Registry;

/**
 * A child process that takes one send up to a given step, says so, and then waits to be killed, to halt itself ("halt"),
 * or to go on to the end ("finish").
 */
public final class SteppingProcess
{
    /** The steps of a send, in their order; those after DEFERRED take that way instead of a plain publication. */
    enum Step
    {
        INTENDED, ADDED, CLAIMED, HALF_WRITTEN, WRITTEN, PUBLISHED, CLEARED,
        DEFERRED, DEFERRED_CLEARED, DEFERRED_WRITTEN, SETTLED, ABORTED;

        boolean isDeferred()
        {
            return ordinal() >= DEFERRED.ordinal();
        }

        /** Whether slots are claimed and their header is not there, so that the consumer has to wait. */
        boolean isHole()
        {
            return this != INTENDED && !isPublished() && this != ABORTED;
        }

        boolean isPublished()
        {
            return this == PUBLISHED || this == CLEARED || this == SETTLED;
        }
    }

    private final Step last;
    private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    private SteppingProcess(final Step last)
    {
        this.last = last;
    }

    /**
     * Sends one message.
     *
     * @param arguments directory, step, source, length.
     * @throws Exception if it cannot.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final File directory = new File(arguments[0]);
        new SteppingProcess(Step.valueOf(arguments[1])).send(
            Registry.attach(Rig.registryFile(directory)), Mailbox.attach(Rig.boxFile(directory)),
            Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
    }

    private void send(final Registry registry, final Mailbox box, final int source, final int length) throws Exception
    {
        final int process = registry.join(System.currentTimeMillis());
        final ClaimMark mark = registry.takeMark(process, registry.incarnation(process));
        final UnsafeBuffer buffer = box.buffer();
        final int slots = MailboxDescriptor.slots(length);
        mark.intend(box.claimKey(), slots);
        done(Step.INTENDED);
        final long position = buffer.getAndAddLong(MailboxDescriptor.WRITE_POSITION_OFFSET, slots);
        done(Step.ADDED);
        mark.claimed(position);
        done(Step.CLAIMED);
        if (last.isDeferred())
        {
            box.settle(position, MailboxDescriptor.TYPE_CLAIMED, 0, length, source);
            done(Step.DEFERRED);
            mark.clear();
            done(Step.DEFERRED_CLEARED);
            Payload.fill(buffer, box.payloadOffset(position), length, source, 0);
            done(Step.DEFERRED_WRITTEN);
            final int type = last == Step.ABORTED ? MailboxDescriptor.TYPE_ABORTED : Rig.TYPE;
            box.settle(position, type, 0, length, source);
            done(last == Step.ABORTED ? Step.ABORTED : Step.SETTLED);
        }
        else
        {
            for (int slot = 1; slot < slots; slot++)
            {
                // looks like a header of this lap
                buffer.putLong(box.payloadOffset(position) - 8 + slot * MailboxDescriptor.SLOT_LENGTH,
                    MailboxDescriptor.header(box.lap(position + slot), Rig.TYPE, 0, 20, source));
            }
            done(Step.HALF_WRITTEN);
            Payload.fill(buffer, box.payloadOffset(position), length, source, 0);
            done(Step.WRITTEN);
            box.settle(position, Rig.TYPE, 0, length, source);
            done(Step.PUBLISHED);
            mark.clear();
            done(Step.CLEARED);
        }
        System.out.println("finished");
    }

    private void done(final Step step) throws Exception
    {
        if (step == last)
        {
            System.out.println(step);
            if (!"finish".equals(input.readLine()))
            {
                Runtime.getRuntime().halt(3);
            }
        }
    }
}

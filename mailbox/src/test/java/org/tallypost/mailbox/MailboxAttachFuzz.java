// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.lane.LanePoller;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.NodeLock;
import org.tallypost.mailbox.process.Registry;

/**
 * Files with any contents and of any length are attached to as mailbox and registry. Either a MailboxException says what is
 * wrong, or everything that an offset is computed for lies in the mapping.
 */
public final class MailboxAttachFuzz
{
    private static File scratch;
    private static int runs;

    private MailboxAttachFuzz()
    {
    }

    /**
     * Entry for the fuzzer.
     *
     * @param bytes of the input.
     */
    public static void fuzzerTestOneInput(final byte[] bytes)
    {
        if (scratch == null)
        {
            scratch = FuzzCorpus.scratch();
        }
        run(scratch, bytes);
        if ((++runs & 0x3FF) == 0)
        {
            // of thousands of files in one process, accepted and refused: the collector unmaps them, and this makes it run more
            // often than the little heap that they take would. FormerMailboxesTest looks at what a node keeps mapped
            System.gc();
        }
    }

    static void run(final File directory, final byte[] bytes)
    {
        final FuzzInput input = new FuzzInput(bytes);
        final File file = new File(directory, "file");
        final boolean isMailbox = input.nextByte() % 2 == 0;
        try
        {
            Files.write(file.toPath(), contents(directory, input, isMailbox));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        try
        {
            if (isMailbox)
            {
                touch(Mailbox.attach(file));
            }
            else
            {
                touch(file, Registry.attach(file));
            }
        }
        catch (final MailboxException ignore)
        {
            // the documented answer
        }
        finally
        {
            file.delete();
        }
    }

    /** A sound file with harm done to it, or just bytes. */
    private static byte[] contents(final File directory, final FuzzInput input, final boolean isMailbox)
    {
        if (input.nextByte() % 4 == 0)
        {
            return input.nextBytes(Integer.MAX_VALUE);
        }
        final File file = new File(directory, "sound");
        if (isMailbox)
        {
            final Mailbox box = Mailbox.create(
                file, input.next(8), 1, 1 + input.next(8), 4 << input.next(6), 1 + input.next(4), 1 + input.next(4), 8);
            BufferUtil.free(box.buffer());
        }
        else
        {
            Registry.create(file, 1 + input.next(4), 1 + input.next(8));
        }
        try
        {
            final byte[] bytes = Files.readAllBytes(file.toPath());
            Files.delete(file.toPath());
            final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
            for (int harms = input.next(6); harms > 0; harms--)
            {
                final int at = input.next(32) * Integer.BYTES;
                buffer.putInt(at, (int)input.nextHarm(buffer.getInt(at)));
            }
            return input.nextByte() % 4 == 0 ? Arrays.copyOf(bytes, input.next(2 * bytes.length)) : bytes;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static void touch(final Mailbox box)
    {
        final UnsafeBuffer buffer = box.buffer();
        final int payload = MailboxDescriptor.payloadLength(box.runSlots());
        final int lastLine = MailboxDescriptor.sourceLineOffset(box.sources() - 1);
        buffer.putLong(lastLine + MailboxDescriptor.LINE_LENGTH - Long.BYTES, 1L);
        for (final long position : new long[]{0, 1, box.ringSlots() - 1, box.ringSlots(), Long.MAX_VALUE, -1, Long.MIN_VALUE})
        {
            buffer.setMemory(box.payloadOffset(position), payload, (byte)1);
        }
        for (int lane = 0; lane < box.lanes(); lane++)
        {
            buffer.setMemory(box.laneOffset(lane), LaneDescriptor.length(box.laneSlots()), (byte)1);
            LaneReader.poll(new LanePoller(box, lane), new MailboxPollFuzz.Receiver(box), 8);
        }
        box.backlogSlots();
        new MailboxPoller(box).poll(new MailboxPollFuzz.Receiver(box), 8);
        BufferUtil.free(buffer);
    }

    private static void touch(final File file, final Registry registry)
    {
        registry.liveCount();
        for (int process = 0; process < registry.processes(); process++)
        {
            registry.identity(process).probe();
            registry.incarnation(process);
        }
        registry.declareDead();
        registry.isClaiming(ClaimMark.key(1, 1));
        final int process = registry.join(0);
        registry.takeMark(process, registry.incarnation(process)).intend(ClaimMark.key(1, 1), 1);
        registry.findClaim(ClaimMark.key(1, 1), 16, 0, new long[registry.marks()], true);
        registry.leave(process, registry.incarnation(process));
        NodeLock.file(file.getParentFile()).delete();
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/** What the fuzzer found worth keeping, and what it taught. */
class HostileBytesTest
{
    @TempDir
    private File directory;

    @Test
    void shouldAttachToNothingThatIsNotSound()
    {
        FuzzCorpus.replay("MailboxAttachFuzz", (bytes) -> MailboxAttachFuzz.run(directory, bytes));
    }

    @Test
    void shouldPollWhateverTheContents()
    {
        FuzzCorpus.replay("MailboxPollFuzz", (bytes) -> MailboxPollFuzz.run(directory, bytes));
    }

    /** A consumer that takes over would count from there to the write position, slot by slot. */
    @Test
    void shouldNotBelieveAReadPositionThatCannotBe()
    {
        final Rig rig = new Rig(directory, 2, 16, 4);
        final ClaimMark mark = rig.takeMark(rig.process);
        rig.send(mark, 0, 1, Payload.MIN_LENGTH);
        for (final long position : new long[]{-1, Long.MIN_VALUE, Long.MAX_VALUE, (1L << 62) + 1})
        {
            rig.box.buffer().putLong(MailboxDescriptor.READ_POSITION_OFFSET, position);
            final MailboxPoller next = new MailboxPoller(rig.box);
            assertEquals(1, next.corruptCount());
            assertEquals(rig.box.writePosition(), next.position());
            assertEquals(0, next.recover(rig.registry, (source) -> true));
        }
    }

    /** The sum of a damaged difference and of what is in the lanes was negative. */
    @Test
    void shouldHaveNoMoreUnreadThanThereIs()
    {
        final Mailbox box = Mailbox.create(new File(directory, "box"), 0, 1, 2, 16, 4, 1, 8);
        box.buffer().putLong(MailboxDescriptor.WRITE_POSITION_OFFSET, Long.MAX_VALUE);
        new Lane(box, 0).publish(0, 1, MailboxDescriptor.TYPE_FIRST_USER, 0, 8, 0);
        assertEquals(17, box.backlogSlots());
        box.buffer().putLong(MailboxDescriptor.READ_POSITION_OFFSET, Long.MIN_VALUE);
        assertEquals(1, box.backlogSlots());
    }

    @Test
    void shouldKnowNobodyInAnEntryThatIsNotThere()
    {
        final Rig rig = new Rig(directory, 2, 16, 4);
        for (final int process : new int[]{-1, Integer.MIN_VALUE, Rig.PROCESSES, Integer.MAX_VALUE})
        {
            assertEquals(0, rig.registry.identity(process).pid());
        }
    }
}

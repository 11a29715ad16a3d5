// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

import static org.tallypost.mailbox.layout.MailboxDescriptor.TYPE_FIRST_USER;

import org.tallypost.endpoint.LongSend;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * What an endpoint puts into the runs of a mailbox, and into a pair's line.
 *
 * <pre>
 *  pair line of source s in r's mailbox (128 bytes):
 *   63                      32 31                       0
 *  +--------------------------+--------------------------+
 *  |    epoch of rank s       |   credits not withdrawn  |   offset 0; see {@link CreditWord}
 *  +--------------------------+--------------------------+
 *  |  process incarnation     |   process index          |   offset 8; of the process that holds rank s, 0 = not yet
 *  +--------------------------+--------------------------+
 *  |         s waits for credits: wake it                |   offset 16; 1, else 0
 *  +-----------------------------------------------------+
 *  |         express lane of s                           |   offset 24; see {@link LaneWord}
 *  +-----------------------------------------------------+
 *
 *  data run, payload:
 *   0   4   tag (first run of a message), or which run of which message it is (further runs)
 *   4   2   credits that travel back with it (piggyback), unsigned
 *   6   2   zero
 *   8   4   length of the whole message      } only in the first of several runs
 *  12   4   number of the message            }  256 more if the last one of this number was given up
 *   8 / 16  bytes of the message
 *
 *  which run of which message:
 *   31        24 23                        0
 *  +------------+--------------------------+
 *  |   number   |  offset in the message   |   bytes
 *  +------------+--------------------------+
 *  The messages of one sender that are under way to a receiver at the same time have different numbers, from 0 to 7. A number
 *  is used again when all runs of its message are out, or it is given up.
 *
 *  In an express lane a message of up to 56 bytes is a short run (see {@link org.tallypost.mailbox.layout.LaneDescriptor}): its
 *  tag is the word of that run's header, at the same place in front of its bytes, and no credits travel with it.
 *
 *  control packet, payload:
 *   0   4   credits (credit packet, compulsory response), else 0
 * </pre>
 */
public final class PacketDescriptor
{
    public static final int TYPE_DATA = TYPE_FIRST_USER;
    public static final int TYPE_NUDGE = TYPE_FIRST_USER + 1;
    public static final int TYPE_CREDIT = TYPE_FIRST_USER + 2;
    public static final int TYPE_REQUEST = TYPE_FIRST_USER + 3;
    public static final int TYPE_RESPONSE = TYPE_FIRST_USER + 4;

    public static final int FLAG_FIRST = 1;
    public static final int FLAG_LAST = 2;
    /** In the ring: what the same thread sent by its express lane before comes first. */
    public static final int FLAG_AFTER_LANE = 4;
    public static final int FLAGS_WHOLE = FLAG_FIRST | FLAG_LAST;

    public static final int TAG_OFFSET = 0;
    public static final int PIGGYBACK_OFFSET = 4;
    public static final int WORD_LENGTH = 8;
    public static final int TOTAL_OFFSET = 8;
    public static final int NUMBER_OFFSET = 12;
    public static final int FIRST_LENGTH = 16;
    /** Most messages in several runs of one sender that are under way to one receiver. */
    public static final int MAX_OPEN_MESSAGES = LongSend.MAX_OPEN;
    public static final int NUMBER_MASK = 0xFF;
    /** With the number, in the first run: the last message of this number was given up. */
    public static final int FLAG_GIVEN_UP = 0x100;
    public static final int CONTROL_LENGTH = 4;
    /** Longest message that takes one slot of the ring, in bytes. */
    public static final int SLOT_LENGTH = MailboxDescriptor.payloadLength(1) - WORD_LENGTH;
    public static final int MAX_PIGGYBACK = 0xFFFF;

    /** Longest message that goes in one run, in bytes. */
    public static final int MAX_RUN_LENGTH = 2048;
    /** Slots of the longest run: 2,048 bytes of message, its word, and the header. */
    public static final int RUN_SLOTS = MailboxDescriptor.slots(MAX_RUN_LENGTH + WORD_LENGTH);

    /** Most slots of a batch: a claim mark can tell of 4,095. */
    public static final int MAX_BATCH_SLOTS = 2048;

    /** Where the sender says, in its pair's line, which process it is in, before it withdraws any credit. */
    public static final int PAIR_OWNER_OFFSET = 8;

    /** Where a sender that is about to park says, in its pair's line, that it waits for credits. */
    public static final int AWAITED_OFFSET = 16;

    private static final int NUMBER_SHIFT = 24;
    private static final int PLACE_MASK = (1 << NUMBER_SHIFT) - 1;

    private PacketDescriptor()
    {
    }

    /** Stands in a further run for its message and its place there. */
    public static int furtherRun(final int number, final int place)
    {
        return number << NUMBER_SHIFT | place;
    }

    /** Number of the message of a further run. */
    public static int number(final int furtherRun)
    {
        return furtherRun >>> NUMBER_SHIFT;
    }

    /** Where in its message a further run begins, in bytes. */
    public static int place(final int furtherRun)
    {
        return furtherRun & PLACE_MASK;
    }

    /** Slots of a message that goes in one run. */
    public static int slots(final int length)
    {
        return MailboxDescriptor.slots(length + WORD_LENGTH);
    }

    public static long ownerWord(final int process, final int incarnation)
    {
        return ((long)incarnation << 32) | process;
    }

    public static int process(final long ownerWord)
    {
        return (int)ownerWord;
    }

    public static int incarnation(final long ownerWord)
    {
        return (int)(ownerWord >>> 32);
    }
}

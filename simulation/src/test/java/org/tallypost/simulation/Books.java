// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Priority;
import org.tallypost.node.SimulatedAccess;

/**
 * What was sent and what came. A message comes once, whole, where it was sent, in the order of its thread; one that was
 * accepted and does not come is told.
 */
final class Books
{
    private final List<Party> parties = new ArrayList<>();
    /** Number of the last message of each sending thread and priority that a receiver got. */
    private final Map<List<Object>, Integer> last = new HashMap<>();
    private long delivered;
    private long lostAndTold;
    private long lostWithSender;

    /** A rank was opened. */
    int add(final Party party)
    {
        parties.add(party);
        return parties.size() - 1;
    }

    List<Party> parties()
    {
        return parties;
    }

    /** The incarnation of a rank that is open, null if there is none. */
    Party open(final int rank)
    {
        for (int i = parties.size() - 1; i >= 0; i--)
        {
            if (parties.get(i).rank == rank && parties.get(i).isOpen())
            {
                return parties.get(i);
            }
        }
        return null;
    }

    /** The end of a call that sends. */
    void settle(final Letter letter, final long result)
    {
        if (result >= 0)
        {
            address(letter);
            letter.state = Letter.State.ACCEPTED;
        }
        else
        {
            refuse(letter);
            tell(letter.post, result);
        }
    }

    /** From now on its destination is clear. */
    void address(final Letter letter)
    {
        letter.segment = letter.post.segment;
        letter.destEpoch = SimulatedAccess.destEpoch(
            letter.post.sender.endpoint, letter.post.dest, letter.post.priority);
    }

    void refuse(final Letter letter)
    {
        letter.state = Letter.State.REFUSED;
        check(letter.receivedBy == null, "came although it was refused", letter);
    }

    void tell(final Post post, final long result)
    {
        check(result != Endpoint.TOO_LONG, "was said to be too long", post.sender);
        check(result != Endpoint.CLOSED || post.sender.endpoint.isClosed(), "was said to be closed", post.sender);
        if (result == Endpoint.PEER_GONE)
        {
            post.segment++;
        }
    }

    void receive(
        final Party by, final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        check(length >= Letter.MIN_LENGTH, "got a message that no party sent, of length " + length, by);
        final int id = buffer.getInt(offset);
        check(id >= 0 && id < parties.size(), "got a message that no party sent", by);
        final Party sender = parties.get(id);
        check(sender.rank == source && buffer.getInt(offset + 4) == by.rank, "got a message of another party", by);
        final List<Letter> letters = sender.post(by.rank, Letter.priority(tag)).letters;
        final int number = buffer.getInt(offset + 8);
        check(number >= 0 && number < letters.size() && letters.get(number).tag() == tag,
            "got a message with a wrong number", by);
        final Letter letter = letters.get(number);
        check(letter.isIn(buffer, offset, length), "came damaged", letter);
        check(letter.receivedBy == null, "came twice, now to " + by, letter);
        check(letter.state != Letter.State.REFUSED, "came although it was refused", letter);
        final Integer before = last.put(List.of(by.id, id, letter.thread, letter.post.priority), number);
        check(before == null || before < number, "came after " + before, letter);
        letter.receivedBy = by;
        delivered++;
    }

    private static void check(final boolean holds, final String what, final Object party)
    {
        if (!holds)
        {
            throw new AssertionError(party + ": " + what);
        }
    }

    /** A message that was accepted, has not come, and is not told as lost; null if there is none. */
    Letter missing(final World world)
    {
        lostAndTold = 0;
        lostWithSender = 0;
        for (final Party sender : parties)
        {
            for (int dest = 0; dest < world.plan.ranks(); dest++)
            {
                for (final Priority priority : Priority.values())
                {
                    final Letter letter = missing(world, sender.post(dest, priority));
                    if (letter != null)
                    {
                        return letter;
                    }
                }
            }
        }
        return null;
    }

    private Letter missing(final World world, final Post post)
    {
        for (final Letter letter : post.letters)
        {
            if (letter.state == Letter.State.ACCEPTED && letter.receivedBy == null)
            {
                if (isTold(world, letter))
                {
                    lostAndTold++;
                }
                else if (isWithSender(world, letter))
                {
                    lostWithSender++;
                }
                else
                {
                    return letter;
                }
            }
        }
        return null;
    }

    private static boolean isTold(final World world, final Letter letter)
    {
        return letter.segment < letter.post.segment && !isReceiverThere(world, letter);
    }

    /** The party that would be told is gone; what it had sent before still has to come if the receiver is. */
    private static boolean isWithSender(final World world, final Letter letter)
    {
        final Party sender = letter.post.sender;
        return sender.wasFenced || !sender.isOpen() && !isReceiverThere(world, letter);
    }

    /** Whether the very incarnation to which it was sent is open, on the same node. */
    private static boolean isReceiverThere(final World world, final Letter letter)
    {
        final Post post = letter.post;
        if (world.plan.nodeOfRank(post.dest) != world.plan.nodeOfRank(post.sender.rank))
        {
            return false;
        }
        final Party receiver = world.books.open(post.dest);
        return receiver != null && receiver.directory == post.sender.directory && receiver.epoch == letter.destEpoch;
    }

    long delivered()
    {
        return delivered;
    }

    long lostAndTold()
    {
        return lostAndTold;
    }

    long lostWithSender()
    {
        return lostWithSender;
    }
}

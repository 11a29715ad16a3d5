// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageBatch;
import org.tallypost.endpoint.internal.layout.ClaimState;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.remote.CarrierThread;
import org.tallypost.endpoint.internal.remote.RemotePeer;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/**
 * What an endpoint knows of one receiver that it sends to: its mailbox, and the credits that wait there.
 *
 * <p>The credits are one atomic word in the receiver's mailbox. Sending threads withdraw exactly what a run needs and
 * keep nothing back, so the receiver can take back whatever is not withdrawn: an idle sender, polling or not, holds
 * nothing that cannot be reclaimed (docs/design/credits.md compares the alternatives). For a receiver on another node see
 * {@link RemotePeer}.
 */
public class Peer
{
    static final int REFUSAL_MASK = 0xFF;
    private static final int NUMBERS = (1 << PacketDescriptor.MAX_OPEN_MESSAGES) - 1;
    private static final VarHandle OPEN_MESSAGES;

    static
    {
        try
        {
            OPEN_MESSAGES = MethodHandles.lookup().findVarHandle(Peer.class, "openMessages", int.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    public final Mailbox mailbox;
    public final UnsafeBuffer buffer;
    /** Epoch and state of the receiver's rank when this was connected: another value means that it is not the same. */
    public final long rankWord;
    public final long claimKey;
    /** Rank of the sender. */
    public final int source;
    /** Where the words of the pair are. */
    public final UnsafeBuffer words;
    /** Part of each run's first word: 0, or where a run goes from the ring to a node. */
    public final long destWord;
    /** Whether it is on another node: a {@link RemotePeer}. */
    final boolean isRemote;
    private final int wordOffset;
    private final int epoch;
    private final int maxCredits;

    /** End of the last run sent: when the receiver has read so far, nothing of ours is under way. */
    public long lastPosition;
    /** Attempts refused because something of ours was not read yet; roughly, if several threads send. */
    int refusals;
    /** The express lane that one thread holds there, if any. */
    public volatile LaneSender lane;
    /**
     * Its holder, for a thread that asks whether that is itself: the lane's own lines may be busy in another one. Read without
     * order: only the thread that is named here has put itself here, and {@link LaneSender} asks once more.
     */
    Thread laneThread;
    /** How far that lane was when its holder was last asked how much he had sent, in quarters of a slot ({@link LinesAhead}). */
    long answered;
    /** The lane before, until the receiver has read all of it. */
    public volatile LaneSender formerLane;
    /** Slots sent by lanes that have ended. */
    public long laneSlots;
    /** Slots sent past the ring, by the one thread that may ({@link CarrierThread}). */
    public long directSlots;
    /**
     * The thread that sent last by the ring, how often in a row, and how often it takes to hold a lane; roughly, if several send.
     */
    public SendingThread lastSender;
    public int streak;
    public int neededStreak = SenderLanes.STREAK;
    /** Attempts since the last message that were refused, up to {@link Stalls#TIMED_STALLS}: the last one at this time. */
    public int stalls;
    long stalledSinceNs;
    /** A thread that was refused here and has not told the receiver that it waits; the last one, if several were. */
    SendingThread refusedThread;
    /** Last seen read position, used without credits only. */
    public long cachedReadPosition;
    /** The incarnation before this one was lost, and no sender was told yet. */
    volatile boolean isLossUntold;
    /** Slots of a short message that was refused since a long one went on; roughly, if several threads send. */
    int refusedSlots;
    /**
     * A bit for each number of a message in several runs that is under way, and above these one for each number of which the last
     * message was given up.
     */
    private volatile int openMessages;

    public Peer(final Mailbox mailbox, final long rankWord, final int source, final int epoch, final int maxCredits)
    {
        this(mailbox, rankWord, mailbox.buffer(), MailboxDescriptor.sourceLineOffset(source), source, epoch, maxCredits, 0L,
            false);
    }

    public Peer(
        final Mailbox mailbox,
        final long rankWord,
        final UnsafeBuffer words,
        final int wordOffset,
        final int source,
        final int epoch,
        final int maxCredits,
        final long destWord,
        final boolean isRemote)
    {
        this.mailbox = mailbox;
        this.rankWord = rankWord;
        this.words = words;
        this.wordOffset = wordOffset;
        this.source = source;
        this.epoch = epoch;
        this.maxCredits = maxCredits;
        this.destWord = destWord;
        this.isRemote = isRemote;
        buffer = mailbox.buffer();
        claimKey = mailbox.claimKey();
    }

    /** The credit word (volatile load). */
    public long creditWord()
    {
        return CreditWord.get(words, wordOffset);
    }

    /** Whether a credit word belongs to this incarnation of the sender. */
    public boolean isOurs(final long word)
    {
        return CreditWord.epoch(word) == epoch;
    }

    /** Credits in a word; none if they cannot be, because something else wrote them. */
    public int credits(final long word)
    {
        return CreditWord.credits(word, maxCredits);
    }

    /** As {@link CreditWord#tryWithdraw}: false if the word has changed since it was found. */
    public boolean tryWithdraw(final long word, final int credits)
    {
        return CreditWord.tryWithdraw(words, wordOffset, word, credits);
    }

    /** As {@link CreditWord#refusal}: why credits cannot be withdrawn, 0 if they can. */
    public int refusal(final long word, final int credits)
    {
        return CreditWord.refusal(word, epoch, maxCredits, credits);
    }

    /** As {@link CreditWord#withdraw}, after {@link #refusal} was 0: the credits, or why there are none. */
    public int withdraw(final long seen, final int credits)
    {
        return CreditWord.withdraw(words, wordOffset, epoch, seen, maxCredits, credits);
    }

    /** Where in {@link #words} the line of the pair begins. */
    public int wordOffset()
    {
        return wordOffset;
    }

    /** Which express lane this endpoint may use (volatile load). */
    public long laneWord()
    {
        return words.getLongVolatile(wordOffset + LaneWord.OFFSET);
    }

    /** Takes a lane that is granted to this incarnation. */
    public boolean holdLane(final long word)
    {
        // SYNC POINT lane-held
        return LaneWord.isFor(word, epoch) &&
            words.compareAndSetLong(wordOffset + LaneWord.OFFSET, word, LaneWord.with(word, LaneWord.HELD));
    }

    /** Gives a lane back, whatever the word says by now: the receiver takes a lane away only from the dead. */
    public void returnLane(final long word)
    {
        words.putLongVolatile(wordOffset + LaneWord.OFFSET, LaneWord.with(word, LaneWord.RETURNED));
    }

    /**
     * What a send returns: grows with each message of a thread, by the ring or by a lane.
     *
     * @param ringEnd  end of the last run in the ring.
     * @param laneSent slots sent by the lane that the thread holds.
     */
    public long position(final long ringEnd, final long laneSent)
    {
        return (ringEnd + laneSlots + directSlots + laneSent << 2) & Long.MAX_VALUE;
    }

    /** Puts credits into the word, unless the receiver has closed the pair: then they are not ours any more. */
    public void add(final int credits)
    {
        CreditWord.add(words, wordOffset, epoch, credits);
    }

    /**
     * Says which sender's claims the receiver has to wait for when it closes the pair (volatile store, before any withdrawal).
     */
    public void introduce(final long ownerWord)
    {
        words.putLongVolatile(wordOffset + PacketDescriptor.PAIR_OWNER_OFFSET, ownerWord);
    }

    /** Whether that is still said. Any thread. */
    public boolean isIntroduced(final long ownerWord)
    {
        return words.getLongVolatile(wordOffset + PacketDescriptor.PAIR_OWNER_OFFSET) == ownerWord;
    }

    /** Says it again if something else wrote there. Any thread. */
    public void introduceAgain(final long ownerWord)
    {
        final int offset = wordOffset + PacketDescriptor.PAIR_OWNER_OFFSET;
        final long found = words.getLongVolatile(offset);
        // a pair that was closed and opened anew meanwhile has had another word there, or gets one
        if (isOurs(creditWord()))
        {
            words.compareAndSetLong(offset, found, ownerWord);
        }
    }

    /** Whether the receiver was told that credits are waited for, and has not given any since (volatile load). */
    public boolean isAwaited()
    {
        return words.getLongVolatile(wordOffset + PacketDescriptor.AWAITED_OFFSET) != 0;
    }

    /** Asks to be woken with the next credits (volatile store; the caller looks once more afterwards). */
    public void await()
    {
        // SYNC POINT awaited
        words.putLongVolatile(wordOffset + PacketDescriptor.AWAITED_OFFSET, 1L);
    }

    /** Whether there are any credits now. */
    public boolean hasCredits()
    {
        final long word = creditWord();
        return !isOurs(word) || credits(word) > 0;
    }

    /** Takes all credits. */
    public int takeAll()
    {
        return CreditWord.takeAll(words, wordOffset, epoch, maxCredits);
    }

    /** Whether something of ours is under way, so that credits may come without a nudge. */
    public boolean isUnread()
    {
        return mailbox.readPosition() < lastPosition && !isLastPositionLost();
    }

    /** As {@link Outbox#isTaken}. A position beyond the write position comes from damage, and would be waited for in vain. */
    public boolean isTaken(final long position)
    {
        return mailbox.readPosition() >= position >> 2 || mailbox.writePosition() < position >> 2;
    }

    /** Slots from where the receiver reads to the end of what was sent last, those of other senders included. */
    long unreadSlots()
    {
        return lastPosition - mailbox.readPosition();
    }

    /** Now and then: a last position beyond the write position comes from damage, and would be waited for in vain. */
    private boolean isLastPositionLost()
    {
        return (++refusals & REFUSAL_MASK) == 0 && mailbox.writePosition() < lastPosition;
    }

    /**
     * Sends a message past the ring, if this thread may ({@link CarrierThread}).
     *
     * @param outbox of the sender.
     * @param tag    of the message.
     * @param from   that holds the message; the range was checked.
     * @param offset of the message.
     * @param length of the message.
     * @return a position, or {@link LaneSender#BY_RING}: then nothing happened.
     */
    public long offerDirect(
        final Outbox outbox, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        return LaneSender.BY_RING;
    }

    /** As {@link #offerDirect(Outbox, int, DirectBuffer, int, int)}: a message of two parts. */
    public long offerDirect(
        final Outbox outbox, final int tag, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        return LaneSender.BY_RING;
    }

    /** As {@link #offerDirect(Outbox, int, DirectBuffer, int, int)}: all of a batch, or nothing. */
    public long offerDirect(final Outbox outbox, final MessageBatch batch)
    {
        return LaneSender.BY_RING;
    }

    /**
     * Takes the credits for a message that is set aside until it is committed: only for a receiver on another node.
     *
     * @return a position, or a negative code; then nothing happened.
     */
    public long claimAside(
        final Outbox outbox, final SendingThread sender, final int tag, final int length, final ClaimState claim)
    {
        throw new IllegalStateException("a claim in a mailbox of this node is never set aside: rank=" + mailbox.id());
    }

    /** Before a run goes by the ring: credits in hand go where it takes them from. */
    public void beforeRing()
    {
        // nobody has any in hand but by a lane
    }

    /**
     * Claims slots. Their credits were withdrawn before.
     *
     * @return their position, or {@link Endpoint#NO_CREDIT} if there is no room for them.
     */
    public long claimSlots(final ClaimMark mark, final int slots)
    {
        // never negative, whatever somebody wrote into the write position
        return mailbox.claim(mark, slots) & Long.MAX_VALUE;
    }

    /** As {@link RingWriter#claim}, without credits. */
    long claimCreditless(final ClaimMark mark, final int slots)
    {
        // one half of the ring stays spare for what others claim between this look and the claim
        final long limit = mailbox.ringSlots() >> 1;
        final long write = mailbox.writePosition();
        if (write + slots - cachedReadPosition > limit)
        {
            cachedReadPosition = mailbox.readPosition();
            if (write + slots - cachedReadPosition > limit)
            {
                return Endpoint.NO_CREDIT;
            }
        }
        mark.intend(claimKey, slots);
        return mailbox.claim(mark, slots) & Long.MAX_VALUE;
    }

    /** Whether nobody but the sender itself gives it back the credits of a run that was aborted. */
    public boolean isAbortedPaidBack()
    {
        return false;
    }

    /** Slots of a nudge when there are so many credits at hand. */
    public int nudgeSlots(final int credits)
    {
        return 1;
    }

    /** Writes what a nudge has to say, and returns the length of its run. */
    public int writeNudge(final long position, final int slots)
    {
        return 0;
    }

    /** Whether a message in several runs is under way, as the calling thread knows it. */
    boolean hasOpenMessages()
    {
        return ((int)OPEN_MESSAGES.get(this) & NUMBERS) != 0;
    }

    /**
     * Begins a message in several runs. Numbers that had their last message given up come first: the receiver has kept its bytes.
     *
     * @return its number, and {@link PacketDescriptor#FLAG_GIVEN_UP}; negative if as many as can be are under way.
     */
    int openMessage()
    {
        while (true)
        {
            final int seen = openMessages;
            final int free = ~seen & NUMBERS;
            if (free == 0)
            {
                return -1;
            }
            final int givenUp = free & seen >>> PacketDescriptor.MAX_OPEN_MESSAGES;
            final int number = Integer.numberOfTrailingZeros(givenUp != 0 ? givenUp : free);
            final int taken = (seen | 1 << number) & ~(1 << number + PacketDescriptor.MAX_OPEN_MESSAGES);
            if (OPEN_MESSAGES.compareAndSet(this, seen, taken))
            {
                return number | (givenUp != 0 ? PacketDescriptor.FLAG_GIVEN_UP : 0);
            }
        }
    }

    /** Ends one: its number is free. Does nothing if it is. */
    void closeMessage(final int number, final boolean isGivenUp)
    {
        int seen = openMessages;
        while ((seen & 1 << number) != 0 && !OPEN_MESSAGES.compareAndSet(this, seen, seen & ~(1 << number) |
            (isGivenUp ? 1 << number + PacketDescriptor.MAX_OPEN_MESSAGES : 0)))
        {
            seen = openMessages;
        }
    }
}

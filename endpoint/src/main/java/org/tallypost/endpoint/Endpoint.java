// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ProcessIdentity;

/**
 * One rank of a group: it owns a mailbox, and sends to the mailboxes of others.
 *
 * <p><b>Threads.</b> {@link #offer}, {@link #tryClaim} and handles of {@link #newSend()} may be used by several threads at
 * once, without locks. {@link #poll} is for one thread; a second one gets an IllegalStateException.
 *
 * <p><b>Order and loss.</b> What one thread sends to one destination is delivered in that order, once, unless the receiver
 * goes; then a send says so. Messages of different threads or to different destinations have no order.
 *
 * <p><b>What {@code offer} alone guarantees.</b> It sends the whole message in one run or nothing. A message of up to
 * (slots per sender - credit slots) slots is accepted sooner or later if the caller keeps trying and the receiver polls:
 * ceil((length + 16) / 64) slots each, or less by an express lane, where up to four short ones share a slot. Under
 * {@link Flow#DYNAMIC} a longer one is accepted once the sender's activity has brought it enough slots, which may be never; a
 * {@link LongSend} is never stuck, because it goes in runs as credits come.
 *
 * <p><b>Memory order.</b> All that happened before a send in the sending thread is visible to the handler.
 *
 * <p><b>Errors.</b> If somebody truncates a file of the node, a send or poll may throw a
 * {@link org.tallypost.mailbox.files.MailboxException} that names the file, or the JVM's own InternalError; the endpoint closes.
 */
public abstract class Endpoint implements AutoCloseable
{
    /** Longest message that {@link #offer} and {@link #tryClaim} take, and longest run of a {@link LongSend}: 2,048 bytes. */
    public static final int MAX_RUN_LENGTH = PacketDescriptor.MAX_RUN_LENGTH;
    /** Longest message that a {@link LongSend} takes, in bytes: 16 MiB. */
    public static final int MAX_MESSAGE_LENGTH = 16 * 1024 * 1024;

    /** Nothing was sent for want of credits: poll, and try again. */
    public static final long NO_CREDIT = -1;
    /** The receiver died or closed, or the link to its node broke. Returned at least once for each incarnation that was lost. */
    public static final long PEER_GONE = -2;
    /** The receiver's rank was not opened yet, or it has not let this endpoint in yet: try again. */
    public static final long NOT_CONNECTED = -3;
    /** This endpoint is closed. A poll returns it too. */
    public static final long CLOSED = -4;
    /** The message can never go this way; {@link #errorString(long, int)} tells why, and what to do. */
    public static final long TOO_LONG = -5;
    /** For a {@link SendListener}: what was thrown while the message was read, as by the program's memory, has ended it. */
    public static final long FAILED = -6;

    /** For implementations. */
    protected Endpoint()
    {
    }

    /**
     * Sends a message: all of it in one run, or nothing. Any thread; never blocks, never allocates.
     *
     * <p>Under dynamic flow nothing is saved up for a message of more slots than {@code creditSlots}: while others keep the
     * receiver busy it may be refused for as long as they do. {@link #newSend()} takes what there is, and gets on.
     *
     * @param dest   rank of the receiver, from 0 to the rank count, exclusive; the own rank is allowed.
     * @param tag    handed to the receiver.
     * @param buffer that holds the message; it may be used again when this returns.
     * @param offset of the message in bytes.
     * @param length of the message in bytes, 0 to {@link #MAX_RUN_LENGTH}.
     * @return a position &gt;= 0, growing with each message to the same destination; or {@link #NO_CREDIT},
     *         {@link #PEER_GONE}, {@link #NOT_CONNECTED}, {@link #CLOSED}, {@link #TOO_LONG}.
     * @throws IndexOutOfBoundsException if the message lies outside its buffer.
     * @throws IllegalArgumentException if there is no such rank.
     * @throws org.tallypost.mailbox.files.MailboxException if this thread has not sent before, and as many threads as {@link
     *         NodeContext#maxSendingThreads} have: nothing happened. Threads that have ended count no more after a liveness
     *         interval.
     */
    public abstract long offer(int dest, int tag, DirectBuffer buffer, int offset, int length);

    /**
     * Sends a message of two parts, such as a header of the program's own and what follows it: each is copied to its place in the
     * mailbox, without a copy in between, and the receiver gets one message. Otherwise as
     * {@link #offer(int, int, DirectBuffer, int, int)}: any thread; never blocks, never allocates.
     *
     * @param dest       rank of the receiver.
     * @param tag        handed to the receiver.
     * @param head       buffer that holds the first part; it may be used again when this returns.
     * @param headOffset of the first part in bytes.
     * @param headLength of the first part in bytes, at least 0.
     * @param body       buffer that holds the second part; it may be the same, and may be used again when this returns.
     * @param bodyOffset of the second part in bytes.
     * @param bodyLength of the second part in bytes, at least 0; both together at most {@link #MAX_RUN_LENGTH}.
     * @return as {@link #offer(int, int, DirectBuffer, int, int)}.
     * @throws IndexOutOfBoundsException if a part lies outside its buffer.
     * @throws IllegalArgumentException if there is no such rank.
     * @throws org.tallypost.mailbox.files.MailboxException as {@link #offer(int, int, DirectBuffer, int, int)}.
     */
    public abstract long offer(
        int dest, int tag, DirectBuffer head, int headOffset, int headLength,
        DirectBuffer body, int bodyOffset, int bodyLength);

    /**
     * Sends several messages: all of them or nothing. The receiver gets them one by one, in their order, as if each had been
     * offered; what other threads send may come in between. Any thread; never blocks, never allocates.
     *
     * @param dest  rank of the receiver.
     * @param batch that holds at least one message; it stays as it is.
     * @return as {@link #offer(int, int, DirectBuffer, int, int)}; {@link #TOO_LONG} if the batch takes more slots than this
     *         sender may ever hold, or than 2,048.
     * @throws IllegalArgumentException if the batch is empty, or there is no such rank.
     * @throws org.tallypost.mailbox.files.MailboxException as {@link #offer(int, int, DirectBuffer, int, int)}.
     */
    public abstract long offer(int dest, MessageBatch batch);

    /**
     * Sends as many messages of a batch as there are credits for, from its first one on, and takes them out of the batch. Each
     * part of the batch goes as by {@link #offer(int, MessageBatch)}. Any thread; never blocks, never allocates. It takes a time
     * that grows with the number of messages in the batch, also if few are sent.
     *
     * @param dest  rank of the receiver.
     * @param batch that holds at least one message; afterwards it holds those that were not sent, also after an exception.
     * @return number of messages that were sent, at least 1; or why the first one was not, as {@link #offer(int, int,
     *         DirectBuffer, int, int)}.
     * @throws IllegalArgumentException if the batch is empty, or there is no such rank.
     * @throws org.tallypost.mailbox.files.MailboxException as {@link #offer(int, int, DirectBuffer, int, int)}.
     */
    public final long offerSome(final int dest, final MessageBatch batch)
    {
        return batch.offerSome(this, dest);
    }

    /**
     * Sends a message with a priority: with {@link Priority#LOW} as {@link #offer(int, int, DirectBuffer, int, int)}, with
     * {@link Priority#HIGH} past all that waits with low priority. Messages of one priority keep their order; one of high
     * priority may be delivered before any of low priority that was sent earlier. Any thread; never blocks, never allocates.
     *
     * @param dest     rank of the receiver.
     * @param tag      handed to the receiver.
     * @param priority of the message.
     * @param buffer   that holds the message; it may be used again when this returns.
     * @param offset   of the message in bytes.
     * @param length   of the message in bytes; with high priority at most 64 x ({@link NodeContext#highSlots} - 1) - 16.
     * @return as {@link #offer(int, int, DirectBuffer, int, int)}; the position counts for the priority.
     * @throws IndexOutOfBoundsException if the message lies outside its buffer.
     * @throws IllegalArgumentException if there is no such rank.
     * @throws IllegalStateException with high priority, if the group has no high rings.
     * @throws org.tallypost.mailbox.files.MailboxException as {@link #offer(int, int, DirectBuffer, int, int)}.
     */
    public abstract long offer(int dest, int tag, Priority priority, DirectBuffer buffer, int offset, int length);

    /**
     * Sends several messages with a priority: all of them or nothing, as {@link #offer(int, MessageBatch)}.
     *
     * @param dest     rank of the receiver.
     * @param priority of the messages.
     * @param batch    that holds at least one message; it stays as it is.
     * @return as {@link #offer(int, MessageBatch)}.
     * @throws IllegalArgumentException if the batch is empty, or there is no such rank.
     * @throws IllegalStateException with high priority, if the group has no high rings.
     * @throws org.tallypost.mailbox.files.MailboxException as {@link #offer(int, int, DirectBuffer, int, int)}.
     */
    public abstract long offer(int dest, Priority priority, MessageBatch batch);

    /**
     * Send tokens: slots of the receiver's ring that this endpoint has credits for now. A message takes {@link #slots} of them.
     * They are all threads' together, and may be more or fewer at the next moment. What a thread holds for an express lane, or on
     * the way to another node, does not count. Any thread; allocates nothing.
     *
     * @param dest     rank of the receiver.
     * @param priority of the messages to be sent.
     * @return number of slots; 0 if nothing was sent there with this priority before, or the receiver is gone.
     * @throws IllegalArgumentException if there is no such rank.
     * @throws IllegalStateException with high priority, if the group has no high rings.
     */
    public abstract int sendTokens(int dest, Priority priority);

    /**
     * Whether a message of high priority may go to a rank: the group has high rings. That does not change. Any thread.
     *
     * @param dest rank of the receiver.
     * @return true if so, whether it is open or not.
     * @throws IllegalArgumentException if there is no such rank.
     */
    public abstract boolean takesHigh(int dest);

    /**
     * Whether a receiver has taken a message of high priority: its slots are free, and the listener has returned. A poll makes
     * known what it has taken at its end, or earlier. Of a receiver on another node it is known only what has come into its ring:
     * then true means that all messages of high priority from here to there have. Any thread; allocates nothing.
     *
     * @param dest     rank of the receiver.
     * @param position what the send has returned, to the incarnation that is open now.
     * @return true if so; also if the receiver is gone, so that it takes nothing any more.
     * @throws IllegalArgumentException if there is no such rank.
     * @throws IllegalStateException if the group has no high rings.
     */
    public abstract boolean isHighTaken(int dest, long position);

    /**
     * Claims room for a message in the receiver's mailbox, to be written in place and committed, or aborted.
     *
     * @param dest   rank of the receiver.
     * @param tag    handed to the receiver.
     * @param length of the message in bytes, 0 to {@link #MAX_RUN_LENGTH}.
     * @param claim  to be wrapped around the room. Until it is committed or aborted, the receiver delivers nothing that this
     *               thread sends to it later, and perhaps nothing that any sender sends later by the ring; messages in express
     *               lanes of others go on. One that the program has lost is given up after it was collected, and the error
     *               handler is told.
     * @return as {@link #offer(int, int, DirectBuffer, int, int)}; only if &gt;= 0 the claim is open.
     * @throws IllegalArgumentException if the length is negative, or there is no such rank.
     * @throws org.tallypost.mailbox.files.MailboxException as {@link #offer(int, int, DirectBuffer, int, int)}.
     */
    public abstract long tryClaim(int dest, int tag, int length, MessageClaim claim);

    /**
     * A handle for messages of any length up to {@link #MAX_MESSAGE_LENGTH}, to be kept and used again.
     *
     * @return the handle.
     */
    public abstract LongSend newSend();

    /**
     * As {@link #newSend()}, for messages that {@link #poll} carries on: nobody has to call {@link LongSend#progress}. If
     * {@link LongSend#start} returns {@link #NO_CREDIT}, each poll sends what there are credits for then, and the one that sends
     * the last part, or finds the receiver gone or this endpoint closed, calls the listener. Messages are carried
     * on by turns: one that has sent something goes behind those that have not. So several to one receiver move at the same time,
     * and may arrive in another order than that in which they were started.
     *
     * <p>The handle is for the thread that polls. Where no thread does yet, the one that starts a message becomes it. What is
     * thrown while a part is written, as by the program's memory, comes out of the poll; the message is lost then if the handle
     * is not active any more, and the listener is not called. Without messages under way a poll costs what it costs without
     * such handles.
     *
     * @param listener called when a message ends that was not out at once.
     * @return the handle. Its {@code start}, {@code progress} throw an IllegalStateException if another live thread polls.
     */
    public abstract LongSend newSend(SendListener listener);

    /**
     * Delivers messages and does the endpoint's other work: returns credits, follows ranks that come and go, skips what dead
     * senders left, carries on messages of {@link #newSend(SendListener)}. One thread; allocates only to put messages of several
     * runs together, from a pool that grows to what is needed at a time. One that found nothing may stay for a moment
     * ({@link IdleSettings#maxLooks}).
     *
     * <p>If the handler closes this endpoint, it gets no further message. If another thread closes it during a poll, that poll
     * may still deliver what its limit allows.
     *
     * @param handler for the messages.
     * @param limit   most packets to look at, and so most messages to deliver: each part of a message in several runs counts.
     *                With priorities it counts for each of them.
     * @return number of packets and membership changes handled, and of messages that were carried on and have ended. May be 0
     *         although messages are waiting: a busy lane is left alone for up to 4 us so that its sender can get ahead, and an
     *         idle strategy of {@link #newIdleStrategy} does not sleep meanwhile. May be less than what is waiting: a short
     *         message that comes by a lane after a pause is delivered alone. {@link #CLOSED}, which is negative, if this
     *         endpoint is closed: nothing will ever come.
     * @throws IllegalStateException if another live thread polls this endpoint, or a handler calls this.
     */
    public abstract int poll(MessageListener handler, int limit);

    /**
     * As {@link #poll}, but the listener decides about each message: go on, end the poll, or leave the message where it is,
     * and with it its credits. A message that was left is delivered again by one of the next polls of either kind, before any
     * other message of its sender. In the ring it holds up what all senders have sent later; lanes go on beside it.
     *
     * <p>Messages of a channel, and fragments, go to their own listeners, and are taken. Of a message of several runs only the
     * last one can be left. This poll never stays for a moment, and costs more for each message than {@link #poll}.
     *
     * <p>With {@link CreditReturn#PACKET} credits for this endpoint's own sends come by the same ring: a thread that leaves a
     * message for want of such a credit may wait for ever.
     *
     * @param listener for the messages.
     * @param limit    most messages to deliver, those of channels included.
     * @return as {@link #poll}; messages that were left do not count, so that it may be 0 although some are waiting, and an idle
     *         strategy does not sleep then. {@link #CLOSED} as {@link #poll}.
     * @throws IllegalStateException if another live thread polls this endpoint, or a handler calls this.
     */
    public abstract int controlledPoll(ControlledMessageListener listener, int limit);

    /**
     * As {@link #channel(int, MessageListener, FragmentListener)}; messages of several runs are put together.
     *
     * @param id       number of the channel, from 1 to {@link Channel#MAX_ID}.
     * @param listener for its messages.
     * @return the channel, to be closed when its messages are to go elsewhere.
     * @throws IllegalArgumentException if there is no such channel, or no listener.
     * @throws TakenChannelException if the channel is in use.
     * @throws IllegalStateException if another thread polls this endpoint, or it is closed.
     */
    public final Channel channel(final int id, final MessageListener listener)
    {
        return channel(id, listener, null);
    }

    /**
     * Opens a channel: from the next message on, polls by whatever caller deliver the messages with its number in the top 8
     * bits of their tag to its listener, which gets the lower 24 bits as tag. All other messages go to the listener of the poll
     * with their whole tags, also those with a channel for which there is no listener. So several layers of a program share
     * an endpoint, and each may poll it. Costs nothing as long as there is no channel.
     *
     * <p>The thread that polls, also within a listener; or any thread while nobody polls.
     *
     * @param id        number of the channel, from 1 to {@link Channel#MAX_ID}. 0 is what the listener of a poll gets.
     * @param listener  for its messages.
     * @param fragments for its messages of several runs, which are not put together then; null if they are.
     * @return the channel, to be closed when its messages are to go elsewhere.
     * @throws IllegalArgumentException if there is no such channel, or no listener.
     * @throws TakenChannelException if the channel is in use.
     * @throws IllegalStateException if another thread polls this endpoint, or it is closed.
     */
    public abstract Channel channel(int id, MessageListener listener, FragmentListener fragments);

    /**
     * Hands on messages of several runs as they come, run by run, instead of putting them together: those that have no channel.
     * From the next message on. With such a listener nothing is allocated for a long message, and none is copied.
     *
     * <p>The thread that polls, also within a listener; or any thread while nobody polls.
     *
     * @param listener for the fragments; null if messages are to be put together again.
     * @throws IllegalStateException if another thread polls this endpoint, or it is closed.
     */
    public abstract void onFragments(FragmentListener listener);

    /**
     * Hands the endpoint over: the next thread that polls becomes the polling thread.
     *
     * @throws IllegalStateException if another thread than the polling one calls this.
     */
    public abstract void releasePoller();

    /**
     * Takes the endpoint over: the calling thread becomes the polling thread, also if the last one lives. For threads that take
     * turns under a lock: the last poll and the last send of the former thread happen before this call, and it does neither
     * again before it has taken the endpoint over itself.
     *
     * @throws IllegalStateException if another thread is in the midst of a poll.
     */
    public abstract void takePoller();

    /**
     * How a thread that has nothing to do passes the time: it spins, then yields, then parks until it is woken.
     * {@link NodeContext#idle} sets the limits.
     *
     * <pre>
     *   while (endpoint.offer(dest, tag, buffer, 0, length) == Endpoint.NO_CREDIT)
     *   {
     *       idle.idle(endpoint.poll(handler, 10), NO_DEADLINE);
     *   }
     * </pre>
     *
     * A parked thread wakes for messages for the endpoints, for credits that an offer or a Send of this thread was refused for,
     * when a rank comes or goes, for {@link #wakeup()}, and for {@link #close()}. If the loop also has timers, pass the deadline
     * of the next one ({@link DeadlineIdleStrategy#idle(int, long)}). A call without a deadline parks for
     * {@link IdleSettings#plainParkNs} at most, 1 ms by default: so an AgentRunner with timers behaves as with Agrona's
     * strategies. Between two calls of {@code idle} without work the caller has to poll or try again <b>everything</b> that it
     * waits for: the look after the last one counts. For one thread at a time.
     *
     * @param others that the same thread polls or sends from, of the same node; decorated ones too ({@link ForwardingEndpoint}).
     * @return a strategy.
     * @throws IllegalArgumentException if one of the others is of another node.
     */
    public abstract DeadlineIdleStrategy newIdleStrategy(Endpoint... others);

    /**
     * As {@link #newIdleStrategy(Endpoint...)}, with a longest park of its own for calls without a deadline. For an AgentRunner,
     * which passes none: a second if its agents have neither timers nor other sources, less than a millisecond if their timers
     * need it.
     *
     * @param maxParkNs longest park of {@code idle(int)} and {@code idle()}, in nanoseconds, at least 1,000. The system's own
     *                  delay comes on top, some 50 us on Linux.
     * @param others    that the same thread polls or sends from, of the same node.
     * @return a strategy.
     * @throws IllegalArgumentException if one of the others is of another node, or the time is too short.
     */
    public abstract DeadlineIdleStrategy newIdleStrategy(long maxParkNs, Endpoint... others);

    /**
     * Wakes the threads of this process that idle on this endpoint ({@link #newIdleStrategy}): for a source of which the endpoint
     * does not know, such as a queue. The source makes its work visible first, then calls this. It is not lost if a thread is
     * about to park: that thread has another turn of its loop first. Any thread; does not throw.
     */
    public abstract void wakeup();

    /**
     * Rank of this endpoint.
     *
     * @return from 0 to the rank count, exclusive.
     */
    public abstract int rank();

    /**
     * How many times this rank was opened in its group.
     *
     * @return at least 1.
     */
    public abstract int epoch();

    /**
     * What is known of a rank now, its own or another one's, also one of another node. Any thread; one load, allocates nothing.
     * A rank stays open after its process has died, until other processes have found that out.
     *
     * @param rank from 0 to the rank count, exclusive.
     * @return the state together with the incarnation: {@link RankState#of} and {@link RankState#incarnation} take them apart.
     * @throws IllegalArgumentException if there is no such rank.
     */
    public abstract long rankState(int rank);

    /**
     * Whether a rank is on the same node as this endpoint. That does not change. Any thread.
     *
     * @param rank from 0 to the rank count, exclusive.
     * @return true if so, whether it is open or not.
     * @throws IllegalArgumentException if there is no such rank.
     */
    public abstract boolean isSameNode(int rank);

    /**
     * Whether a rank is open in the process of this endpoint now, by the same {@link org.tallypost.node.Node}. Any thread.
     *
     * @param rank from 0 to the rank count, exclusive.
     * @return true if so.
     * @throws IllegalArgumentException if there is no such rank.
     */
    public abstract boolean isSameProcess(int rank);

    /**
     * The process in which a rank is open now, as the node's registry names it. Any thread; allocates.
     *
     * @param rank from 0 to the rank count, exclusive.
     * @return its identity; null if the rank is not open, its process is not in the registry, or it is on another node.
     * @throws IllegalArgumentException if there is no such rank.
     */
    public abstract ProcessIdentity processOf(int rank);

    /**
     * Makes a listener hear which other ranks come and go. The next poll tells it of those that are open, and each later one of
     * what has changed. Costs nothing as long as nobody comes or goes. Any thread.
     *
     * @param listener called by {@link #poll} only. One that is added twice hears everything twice.
     */
    public abstract void addMembershipListener(MembershipListener listener);

    /**
     * Takes a listener out. Any thread; it is not called any more if the polling thread does so, also within a call of it.
     *
     * @param listener that was added.
     * @return false if there is no such listener.
     */
    public abstract boolean removeMembershipListener(MembershipListener listener);

    /**
     * The counters, in the node's group file.
     *
     * @return the counters.
     */
    public abstract EndpointCounters counters();

    /**
     * What is unread in the ring and in the express lanes now.
     *
     * @return in slots, claimed ones of the ring included; what is open in a lane for further short messages is not.
     */
    public abstract long backlogSlots();

    /**
     * Whether {@link #close()} was called, or the node was declared gone.
     *
     * @return true if so.
     */
    public abstract boolean isClosed();

    /**
     * Closes the rank. Senders are told PEER_GONE; what is unread is lost. Idempotent; any thread, also in a message handler,
     * which gets no further message then.
     */
    @Override
    public abstract void close();

    /**
     * By which lengths messengers choose the way of a message. Any thread.
     *
     * @return what {@link NodeContext#messageProfile()} of the node says.
     */
    public abstract MessageProfile messageProfile();

    /**
     * The endpoint itself, without what decorates it.
     *
     * @return this, if it is not decorated.
     */
    public Endpoint undecorated()
    {
        return this;
    }

    /**
     * Says in words what a negative result means, and what to do.
     *
     * @param result of a send, or of a poll.
     * @return the words; for a result &gt;= 0 that it was sent.
     */
    public static String errorString(final long result)
    {
        return ResultCodes.text(result);
    }

    /**
     * As {@link #errorString(long)}, with the reason why a message is too long.
     *
     * @param result of a send.
     * @param length of its message in bytes.
     * @return the words.
     */
    public static String errorString(final long result, final int length)
    {
        return result == TOO_LONG ? ResultCodes.tooLong(length) : ResultCodes.text(result);
    }

    /**
     * Slots of the mailbox that a message of {@link #offer} takes.
     *
     * @param length of the message in bytes.
     * @return number of slots of {@link MailboxDescriptor#SLOT_LENGTH} bytes.
     */
    public static int slots(final int length)
    {
        return PacketDescriptor.slots(length);
    }
}

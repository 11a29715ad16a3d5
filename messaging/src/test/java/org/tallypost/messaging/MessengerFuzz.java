// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.io.File;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.FuzzCorpus;
import org.tallypost.mailbox.FuzzInput;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.MessageKind;
import org.tallypost.node.Node;

/**
 * Rank 2 is no messenger: it writes to the channels of the two others whatever the input says, with ids and sessions that there
 * are, or nearly. Nothing is thrown, no byte is written outside of a receive's room, memory stays within its bound, and an
 * exchange of the two others gets through at the end.
 */
public final class MessengerFuzz
{
    private static final int RANKS = 3;
    private static final int FORGER = 2;
    private static final int FIRST_CHANNEL = 0xF0;
    private static final int EDGE = 64;
    private static final int ROOM = 3_000;
    private static final int MOST_STEPS = 300;
    private static final int MOST_ROUNDS = 100_000;
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) ->
    {
    };
    private static File scratch;

    private final FuzzInput input;
    private final Node node;
    private final Endpoint[] endpoints = new Endpoint[RANKS];
    private final Messenger[] messengers = new Messenger[FORGER];
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[40_000]);
    private final UnsafeBuffer[] rooms = new UnsafeBuffer[4];
    private final ReceiveRequest[] receives = new ReceiveRequest[rooms.length];
    private final SendRequest[] sends = {new SendRequest(), new SendRequest()};
    private final LongSend[] handles = new LongSend[3];

    private MessengerFuzz(final File directory, final FuzzInput input)
    {
        this.input = input;
        node = Node.launch(new NodeContext().directory(directory).groupName("fuzz").rankCount(RANKS).slotsPerSender(32)
            .livenessThread(false).maxProcesses(2).maxSendingThreads(4).deleteOnClose(true).errorHandler((t) ->
            {
                throw new AssertionError("error handler called", t);
            }));
        for (int rank = 0; rank < RANKS; rank++)
        {
            endpoints[rank] = node.open(rank);
        }
        for (int rank = 0; rank < FORGER; rank++)
        {
            launch(rank);
        }
        for (int i = 0; i < rooms.length; i++)
        {
            rooms[i] = new UnsafeBuffer(new byte[EDGE + ROOM + EDGE]);
            receives[i] = new ReceiveRequest();
        }
        for (int i = 0; i < handles.length; i++)
        {
            handles[i] = endpoints[FORGER].newSend((send, result) ->
            {
            });
        }
    }

    private void launch(final int rank)
    {
        messengers[rank] = Messenger.launch(new MessengerContext().endpoint(endpoints[rank]).rankCount(RANKS)
            .firstChannel(FIRST_CHANNEL).eagerWindow(4_096).announcements(16).maxRequests(16)
            .otherMessages(NOTHING));
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
        run(new File(scratch, "node"), bytes);
    }

    static void run(final File directory, final byte[] bytes)
    {
        final MessengerFuzz fuzz = new MessengerFuzz(directory, new FuzzInput(bytes));
        try
        {
            for (int step = 0; step < MOST_STEPS && fuzz.input.hasMore(); step++)
            {
                fuzz.step();
            }
            fuzz.checkAll();
            fuzz.exchange();
        }
        finally
        {
            fuzz.node.close();
            org.agrona.IoUtil.delete(directory, true);
        }
    }

    private void step()
    {
        final int rank = input.next(FORGER);
        switch (input.nextByte() % 8)
        {
            case 0:
            case 1:
                forge(rank, input.nextByte() % MessageKind.COUNT, HeadDescriptor.MAX_LENGTH + input.nextByte() % 32);
                break;
            case 2:
                forge(rank, input.nextByte() % MessageKind.COUNT, input.next(2_048));
                break;
            case 3:
                forgeLong(rank);
                break;
            case 4:
                receive(input.next(receives.length));
                break;
            case 5:
                send(rank);
                break;
            case 6:
                if (input.nextByte() % 16 == 0)
                {
                    messengers[rank].close();
                    launch(rank);
                }
                break;
            default:
                break;
        }
        work();
    }

    private int work()
    {
        int work = endpoints[FORGER].poll(NOTHING, 100);
        for (final Messenger messenger : messengers)
        {
            work += messenger.doWork();
        }
        return work;
    }

    private void forge(final int rank, final int kind, final int length)
    {
        fill(rank);
        final int compact = input.next(1 << 16) & input.nextByte();
        endpoints[FORGER].offer(rank, Channel.tag(FIRST_CHANNEL + kind, compact), bytes, 0, length);
    }

    private void forgeLong(final int rank)
    {
        final LongSend handle = handles[input.next(handles.length)];
        if (handle.isActive())
        {
            handle.abort();
            return;
        }
        fill(rank);
        handle.start(rank, Channel.tag(FIRST_CHANNEL + (input.nextByte() % 4 == 0 ? input.nextByte() % MessageKind.COUNT :
            MessageKind.DATA), 0), bytes, 0, input.next(bytes.capacity()));
    }

    /** Heads are three numbers at most. */
    private void fill(final int rank)
    {
        for (int at = 0; at < HeadDescriptor.MAX_LENGTH; at += Long.BYTES)
        {
            bytes.putLong(at, number(rank));
        }
    }

    private long number(final int rank)
    {
        final Pair pair = messengers[rank].state().pair(FORGER);
        switch (input.nextByte() % 10)
        {
            case 0:
                return receives[input.next(receives.length)].id;
            case 1:
                return sends[rank].id;
            case 2:
                return receives[input.next(receives.length)].received;
            case 3:
                return HeadDescriptor.VERSION;
            case 4:
                return pair.in.window.session();
            case 5:
                return pair.out.window.session();
            case 6:
                return input.next(1 << 14);
            case 7:
                return input.nextHarm(receives[input.next(receives.length)].id);
            case 8:
                return input.nextHarm(input.nextByte());
            default:
                return input.nextByte();
        }
    }

    private void receive(final int index)
    {
        final ReceiveRequest receive = receives[index];
        if (!receive.isActive())
        {
            final int rank = input.next(FORGER);
            messengers[rank].receive(receive, messengers[rank].world(), input.next(4) == 0 ? Communicator.ANY_SOURCE : FORGER,
                input.next(2) == 0 ? Communicator.ANY_TAG : input.next(4), rooms[index], EDGE, input.next(ROOM));
        }
        else
        {
            cancel(receive);
        }
    }

    private void cancel(final ReceiveRequest receive)
    {
        for (final Messenger messenger : messengers)
        {
            if (receive.communicator == messenger.world())
            {
                messenger.cancel(receive);
            }
        }
    }

    private void send(final int rank)
    {
        if (sends[rank].isActive())
        {
            messengers[rank].cancel(sends[rank]);
            return;
        }
        messengers[rank].start(sends[rank].prepare(input.next(2) == 0 ? SendMode.STANDARD : SendMode.SYNCHRONOUS,
            messengers[rank].world(), FORGER, input.next(4), bytes, 0, input.next(bytes.capacity())));
    }

    private void checkAll()
    {
        for (final UnsafeBuffer room : rooms)
        {
            for (int i = 0; i < EDGE; i++)
            {
                check(room.getByte(i) == 0 && room.getByte(EDGE + ROOM + i) == 0, "a byte beside a room was written");
            }
        }
        for (final Messenger messenger : messengers)
        {
            check(messenger.counters().unexpectedBytes() <= messenger.context().maxUnexpectedBytes(), "memory is bounded");
        }
    }

    /** The two others are not in the way of one another. */
    private void exchange()
    {
        final SendRequest send = new SendRequest();
        final ReceiveRequest receive = new ReceiveRequest();
        final UnsafeBuffer message = new UnsafeBuffer(new byte[5_000]);
        message.setMemory(0, 5_000, (byte)7);
        final UnsafeBuffer room = new UnsafeBuffer(new byte[5_000]);
        for (final int length : new int[]{8, 5_000})
        {
            for (final ReceiveRequest other : receives)
            {
                cancel(other);
            }
            messengers[1].receive(receive, messengers[1].world(), 0, 77, room, 0, length);
            messengers[0].send(send, messengers[0].world(), 1, 77, message, 0, length);
            for (int i = 0; i < MOST_ROUNDS && !Requests.allDone(send, receive); i++)
            {
                work();
            }
            check(receive.result() == RequestResult.SUCCESS && send.result() == RequestResult.SUCCESS,
                "an exchange of others: " + send + ", " + receive);
            check(room.equals(length < 5_000 ? room : message) && room.getByte(length - 1) == 7, "bytes of others");
        }
    }

    private static void check(final boolean holds, final String what)
    {
        if (!holds)
        {
            throw new AssertionError(what);
        }
    }
}

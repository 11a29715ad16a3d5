// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.io.IOException;
import java.nio.file.Path;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.node.Node;

/**
 * A child process, rank 1: it exchanges a long message of private memory with rank 0 up to a step, says so, and stands still
 * until its input ends.
 */
public final class StagedProcess
{
    static final int RANKS = 3;
    static final int SLOTS = 64;
    static final int AREAS = 4;
    static final int AREA_LENGTH = 1 << 18;

    /** How far the child goes. */
    enum Step
    {
        /** A send is announced, and no answer was read. */
        ANNOUNCED,
        /** A part of it is in the area. */
        PUT,
        /** It is in the midst of a put. */
        PUTTING,
        /** The same, and another thread has closed its endpoint. */
        CLOSED,
        /** All of it is. */
        SENT,
        /** A receive has an area, and has told its sender so. */
        GRANTED,
        /** A part was copied. */
        COPIED,
        /** All of it was. */
        RECEIVED,
        /** Messages come and go until the end. */
        TRAFFIC,
        /** The same, for so many rounds as the salt says; then it closes. */
        CLOSING
    }

    private StagedProcess()
    {
    }

    static ForkedJvm start(final Path directory, final Step step, final int length, final int salt)
    {
        return ForkedJvm.start(StagedProcess.class, directory, step, length, salt);
    }

    /** Opens what a rank of these tests has. */
    static Messenger launch(final Node node, final Endpoint endpoint, final RegionMemory memory)
    {
        return Messenger.launch(new MessengerContext().endpoint(endpoint).rankCount(RANKS).regionMemory(memory).copyRoom(1)
            .stagingLength(AREAS * AREA_LENGTH));
    }

    /**
     * Goes up to a step.
     *
     * @param arguments directory, step, length, salt.
     * @throws IOException if there is no input.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final Step step = Step.valueOf(arguments[1]);
        final int length = Integer.parseInt(arguments[2]);
        final int salt = Integer.parseInt(arguments[3]);
        try (Node node = Node.launch(MessengerFixture.context(Path.of(arguments[0]), Flow.DYNAMIC, RANKS, SLOTS));
            Endpoint endpoint = node.open(1);
            RegionMemory memory = RegionMemory.open(node, endpoint, 1 << 24, 256, 1);
            Messenger messenger = launch(node, endpoint, memory))
        {
            if (step == Step.TRAFFIC || step == Step.CLOSING)
            {
                exchange(messenger, length, salt, step == Step.TRAFFIC ? Integer.MAX_VALUE : salt);
                return;
            }
            final SendRequest send = new SendRequest();
            final ReceiveRequest receive = new ReceiveRequest();
            if (step.compareTo(Step.SENT) <= 0)
            {
                final StagedBytes bytes = new StagedBytes(length, salt);
                if (step == Step.PUTTING || step == Step.CLOSED)
                {
                    bytes.within(() -> stand(step, endpoint));
                }
                messenger.send(send, messenger.world(), 0, 0, bytes, 0, length);
            }
            else
            {
                messenger.receive(receive, messenger.world(), 0, 0, MessengerFixture.room(length), 0, length);
            }
            while (!isAt(step, send, receive))
            {
                messenger.doWork();
                Thread.yield();
            }
            System.out.println(step);
            System.in.read();
        }
    }

    private static void stand(final Step step, final Endpoint endpoint)
    {
        try
        {
            if (step == Step.CLOSED)
            {
                final Thread thread = new Thread(endpoint::close);
                thread.start();
                thread.join();
            }
            System.out.println(step);
            System.in.read();
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static boolean isAt(final Step step, final SendRequest send, final ReceiveRequest receive)
    {
        switch (step)
        {
            case ANNOUNCED:
                return send.state == RequestState.ANNOUNCED;
            case PUT:
                return send.moved > 0;
            case PUTTING:
            case CLOSED:
                return false;
            case SENT:
                return send.isDone();
            case GRANTED:
                return receive.area != null && receive.state == RequestState.MOVING;
            case COPIED:
                return receive.received > 0;
            default:
                return receive.isDone();
        }
    }

    private static void exchange(final Messenger messenger, final int length, final int salt, final int rounds)
    {
        final ProcessHandle parent = ProcessHandle.current().parent().orElseThrow();
        final SendRequest[] sends = {new SendRequest(), new SendRequest()};
        final ReceiveRequest[] receives = {new ReceiveRequest(), new ReceiveRequest()};
        for (int round = 0; round < rounds && (round % 100_000 != 0 || parent.isAlive()); round++)
        {
            final int i = round & 1;
            if (!sends[i].isActive())
            {
                messenger.send(sends[i], messenger.world(), 0, i, MessengerFixture.bytes(length, salt + i), 0, length);
            }
            if (!receives[i].isActive())
            {
                messenger.receive(receives[i], messenger.world(), 0, i, MessengerFixture.room(length), 0, length);
            }
            messenger.doWork();
        }
    }
}

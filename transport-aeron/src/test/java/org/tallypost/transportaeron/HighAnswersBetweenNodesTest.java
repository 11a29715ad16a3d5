// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.activemessages.ActiveMessages;
import org.tallypost.activemessages.ActiveMessagesContext;
import org.tallypost.activemessages.ActiveMessagesCounters;
import org.tallypost.endpoint.EndpointCounters;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.Priority;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.RequestResult;
import org.tallypost.messaging.RequestState;
import org.tallypost.messaging.Requests;
import org.tallypost.messaging.SendMode;
import org.tallypost.messaging.SendRequest;
import org.tallypost.node.NodeStat;
import org.tallypost.transportaeron.faults.NetworkFaults;

/**
 * Answers to ranks of other nodes: with priorities they pass what backs up at the one that asked, and none is lost or overtaken
 * by the goodbye of the one that answers. Every poll takes one message of each priority.
 */
@Timeout(1800)
@Tag("once")
class HighAnswersBetweenNodesTest
{
    private static final int LONG = 10_000;
    private static final int FLOOD = 7;
    /** Of 14 credits up to 7 stay where they were read: with as many messages under way none is on its way back. */
    private static final int LEAST_FLOOD = 7;
    private static final int TAG = 5;
    private static final int READ = 3;
    private static final int VALUE = 4;
    private static final long SEED = Long.getLong("tallypost.seed", System.nanoTime());

    @TempDir
    private File directory;

    private final UnsafeBuffer message = MessengersRig.filled(LONG, 3);
    /** Of all receives: what is sent begins with the same bytes. */
    private final UnsafeBuffer room = MessengersRig.room(LONG, true);
    private final Messenger[] messengers = new Messenger[2];
    private NodesRig rig;
    /** Of rank 0. */
    private NodeStat stat;
    private int flooded;

    private void launch(final int slots, final double rate)
    {
        rig = new NodesRig(directory, 2, 1).tuned((context, transport) ->
        {
            context.highSlots(slots).flow(Flow.STATIC);
            if (rate > 0)
            {
                transport.faults(new NetworkFaults(SEED + transport.node()).loss(rate).duplicates(rate).reordering(rate));
            }
        }).launchAll();
        stat = NodeStat.attach(new File(directory, "node-0"));
    }

    private void launchMessengers(final int slots, final double rate)
    {
        launch(slots, rate);
        open(0);
        open(1);
    }

    private void open(final int rank)
    {
        messengers[rank] = Messenger.launch(new MessengerContext().endpoint(rig.endpoint(rank)).rankCount(2).pollLimit(1)
            .otherMessages(this::onOther));
    }

    private void onOther(
        final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        flooded += tag == FLOOD ? 1 : 0;
    }

    @AfterEach
    void close()
    {
        CloseHelper.close(rig);
    }

    private void drive(final String what, final BooleanSupplier condition, final Messenger... those)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ", seed=" + SEED + ", events=" + rig.events +
            ", errors=" + rig.errors);
        while (!condition.getAsBoolean())
        {
            int work = 0;
            for (final Messenger each : those)
            {
                work += each.doWork();
            }
            if (work == 0)
            {
                watchdog.idle();
            }
            else
            {
                watchdog.check();
            }
        }
    }

    private SendRequest send(final int from, final SendMode mode, final int length)
    {
        final SendRequest send = new SendRequest();
        messengers[from].start(send.prepare(mode, messengers[from].world(), 1 - from, TAG, message, 0, length));
        return send;
    }

    private ReceiveRequest receive(final int at)
    {
        final ReceiveRequest receive = new ReceiveRequest();
        messengers[at].receive(receive, messengers[at].world(), 1 - at, TAG, room, 0, LONG);
        return receive;
    }

    private void meet(final int from)
    {
        final SendRequest send = send(from, SendMode.SYNCHRONOUS, 8);
        final ReceiveRequest receive = receive(1 - from);
        drive("the two to meet", () -> send.isDone() && receive.isDone(), messengers);
        assertEquals(RequestResult.SUCCESS, send.result());
    }

    /** Whether all that rank 1 has sent is in the rings of rank 0: what asks for credits takes slots too, and is not counted. */
    private boolean isAllThere()
    {
        final EndpointCounters counters = rig.endpoint(1).counters();
        return stat.links().get(0).value(LinkCounter.MESSAGES_RECEIVED) == counters.sent() + counters.highSent();
    }

    /** Sends to rank 0, which does not read, until there is no credit left, none is on its way, and all is in its mailbox. */
    private int flood()
    {
        int sent = 0;
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a flood that backs up");
        while (sent < LEAST_FLOOD || rig.endpoint(1).sendTokens(0, Priority.LOW) > 0 || !isAllThere())
        {
            sent += rig.endpoint(1).offer(0, FLOOD, message, 0, 8) >= 0 ? 1 : 0;
            watchdog.idle();
        }
        return sent;
    }

    @ParameterizedTest
    @CsvSource({"0,0", "8,0", "8,0.02"})
    void shouldBeAnsweredBeforeWhatBacksUp(final int slots, final double rate)
    {
        launchMessengers(slots, rate);
        for (int i = 0; i < 3; i++)
        {
            meet(0);
            meet(1);
        }
        final Messenger sender = messengers[0];
        final Messenger receiver = messengers[1];
        final long before = receiver.counters().answeredHigh();
        final SendRequest announced = send(0, SendMode.STANDARD, LONG);
        final SendRequest synchronous = send(0, SendMode.SYNCHRONOUS, 8);
        final ReceiveRequest[] receives = {receive(1), receive(1)};
        final int sent = flood();
        if (slots > 0)
        {
            drive("answers", () -> receiver.counters().answeredHigh() >= before + 2, receiver);
            Watchdog.await("the answers at the other node", this::isAllThere);
        }
        else
        {
            drive("answers", () -> receives[0].state() == RequestState.ANSWERING &&
                receives[1].state() == RequestState.ANSWERING, receiver);
        }
        sender.doWork();
        sender.doWork();
        sender.doWork();
        final String found = announced + ", " + synchronous;
        assertEquals(slots > 0, announced.state() != RequestState.ANNOUNCED && synchronous.isDone(), found);
        assertTrue(flooded <= 3, () -> "flooded=" + flooded);
        drive("all", () -> announced.isDone() && synchronous.isDone() && Requests.allDone(receives) && flooded == sent,
            messengers);
        MessengersRig.check(room, LONG, 3);
        assertEquals(RequestResult.SUCCESS, synchronous.result());
        assertEquals(0, sender.counters().refused() + receiver.counters().refused());
        assertEquals(slots > 0, receiver.counters().answeredHigh() > 0);
    }

    /**
     * There is a goodbye of each priority, and each may come before what goes the other way. Answers for which there is no credit
     * of high priority go with low priority.
     */
    @ParameterizedTest
    @CsvSource({"0,0,5,5", "16,0,5,0", "16,0,0,5", "16,0,5,5", "4,0,8,2", "16,0.02,5,5"})
    void shouldHearAllAnswersAndMessagesBeforeTheGoodbyes(
        final int slots, final double rate, final int answers, final int messages)
    {
        launchMessengers(slots, rate);
        meet(0);
        final List<SendRequest> sends = new ArrayList<>();
        final List<ReceiveRequest> answering = new ArrayList<>();
        final List<ReceiveRequest> receives = new ArrayList<>();
        for (int i = 0; i < answers; i++)
        {
            sends.add(send(0, SendMode.SYNCHRONOUS, 8));
            answering.add(receive(1));
        }
        for (int i = 0; i < messages; i++)
        {
            receives.add(receive(0));
        }
        final SendRequest unmatched = send(0, SendMode.SYNCHRONOUS, 8);
        final ReceiveRequest unsent = receive(0);
        drive("answers that are out", () -> answering.stream().allMatch(ReceiveRequest::isDone), messengers[1]);
        for (int i = 0; i < messages; i++)
        {
            final SendRequest send = send(1, SendMode.STANDARD, 8);
            drive("a message that is out", send::isDone, messengers[1]);
        }
        messengers[1].close();
        // rank 0 reads nothing before all is there, a greeting before the messages too
        final int all = answers + messages + (messages > 0 ? 1 : 0) + (slots > answers ? 2 : 1);
        final MessageListener nothing = (source, tag, buffer, offset, length) -> {};
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "goodbyes");
        while (rig.endpoint(0).backlogSlots() < all)
        {
            rig.endpoint(1).poll(nothing, 1);
            watchdog.idle();
        }
        drive("goodbyes", () ->
        {
            rig.endpoint(1).poll(nothing, 1);
            return unmatched.isDone() && unsent.isDone();
        }, messengers[0]);
        sends.forEach((send) -> assertEquals(RequestResult.SUCCESS, send.result()));
        receives.forEach((receive) -> assertEquals(RequestResult.SUCCESS, receive.result()));
        assertEquals(RequestResult.PEER_GONE, unmatched.result());
        assertEquals(RequestResult.PEER_GONE, unsent.result());
        assertEquals(0, messengers[0].counters().refused());
    }

    /** Messengers, ranks and nodes that come and go: the next ones exchange as the ones before. */
    @ParameterizedTest
    @ValueSource(ints = {0, 8})
    void shouldGoOnWithTheNextIncarnation(final int slots)
    {
        launchMessengers(slots, 0);
        for (int epoch = 0; epoch < 6; epoch++)
        {
            exchange(0);
            exchange(1);
            final int rank = epoch % 2;
            if (epoch % 3 == 0)
            {
                messengers[rank].close();
            }
            if (epoch % 3 == 1)
            {
                rig.endpoint(rank).close();
                rig.endpoints[rank] = rig.nodes.get(rank).open(rank);
            }
            if (epoch % 3 == 2)
            {
                rig.close(rank);
                rig.launch(rank);
            }
            open(rank);
        }
        exchange(0);
        exchange(1);
        assertEquals(0, messengers[0].counters().refused() + messengers[1].counters().refused());
        assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
    }

    /** What was begun with the incarnation before ends with it, and is begun once more. */
    private void exchange(final int from)
    {
        final SendRequest[] send = {send(from, SendMode.SYNCHRONOUS, 8)};
        final ReceiveRequest[] receive = {receive(1 - from)};
        drive("an exchange", () ->
        {
            if (receive[0].isDone() && receive[0].result() == RequestResult.PEER_GONE)
            {
                receive[0] = receive(1 - from);
            }
            if (send[0].isDone() && send[0].result() == RequestResult.PEER_GONE)
            {
                send[0] = send(from, SendMode.SYNCHRONOUS, 8);
            }
            return receive[0].isDone() && send[0].isDone();
        }, messengers);
        assertEquals(RequestResult.SUCCESS, receive[0].result());
        assertEquals(RequestResult.SUCCESS, send[0].result());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8})
    void shouldAnswerRequestsOfActiveMessagesBeforeWhatBacksUp(final int slots)
    {
        launch(slots, 0);
        final ActiveMessages[] ranks = new ActiveMessages[2];
        final int[] answered = new int[1];
        for (int rank = 0; rank < 2; rank++)
        {
            ranks[rank] = ActiveMessages.launch(new ActiveMessagesContext().endpoint(rig.endpoint(rank)).rankCount(2)
                .window(2).pollLimit(1).otherMessages(this::onOther));
            ranks[rank].onRequest(READ, (token, a, b, c, d, e) -> token.reply(VALUE, a, b, 0, 0, 0));
            ranks[rank].onReply(VALUE, (source, a, b, c, d, e) -> answered[0] += a);
        }
        int sent = 0;
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "requests: answered=" + answered[0]);
        while (answered[0] < 10)
        {
            sent += sent < 10 && ranks[sent % 2].tryRequest(1 - sent % 2, READ, 1, 0, 0, 0, 0) == 0 ? 1 : 0;
            ranks[0].doWork();
            ranks[1].doWork();
            watchdog.idle();
        }
        final long[] read = {rig.endpoint(1).counters().received()};
        assertEquals(0, ranks[0].tryRequest(1, READ, 100, 0, 0, 0, 0));
        final int flood = flood();
        drive("the request", () ->
        {
            ranks[1].doWork();
            return rig.endpoint(1).counters().received() > read[0];
        });
        if (slots > 0)
        {
            Watchdog.await("the answer at the other node", this::isAllThere);
        }
        ranks[0].doWork();
        assertEquals(slots > 0 ? 110 : 10, answered[0]);
        assertTrue(flooded <= 1, () -> "flooded=" + flooded);
        drive("all", () ->
        {
            ranks[0].doWork();
            ranks[1].doWork();
            return answered[0] == 110 && flooded == flood;
        });
        final ActiveMessagesCounters counters = ranks[1].counters();
        assertEquals(slots > 0 ? counters.get(ActiveMessagesCounters.Counter.SENT_REPLIES) : 0,
            counters.get(ActiveMessagesCounters.Counter.HIGH_REPLIES));
    }
}

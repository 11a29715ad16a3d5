// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.endpoint.Flow;

/** A message that has lacked credits many times, while all announcements are of messages that are received behind it. */
class ManyRefusalsTest extends MessengerFixture
{
    private static final int ANNOUNCEMENTS = 16;
    private static final int LONG_LENGTH = 4_000;
    private static final int SHORT_LENGTH = 300;
    /** More than a message is refused for before it is announced. */
    private static final int TRIES = 200;

    @ParameterizedTest
    @EnumSource(value = Flow.class, names = {"STATIC", "DYNAMIC"})
    void shouldSendWithinTheWindowWhatCannotBeAnnounced(final Flow flow)
    {
        launch(flow, 2, 16, (context) -> context.announcements(ANNOUNCEMENTS).eagerWindow(1 << 20));
        final Messenger sender = messengers[0];
        final List<SendRequest> announced = new ArrayList<>();
        for (int i = 0; i < ANNOUNCEMENTS; i++)
        {
            final SendRequest request = new SendRequest();
            sender.send(request, sender.world(), 1, 1, bytes(LONG_LENGTH, i), 0, LONG_LENGTH);
            announced.add(request);
        }
        drive("announcements", () -> messengers[1].counters().unexpected() == ANNOUNCEMENTS);

        // from now on the receiver does nothing, until one message lacks credits
        final List<SendRequest> eager = new ArrayList<>();
        SendRequest last;
        do
        {
            last = new SendRequest();
            sender.send(last, sender.world(), 1, 2, bytes(SHORT_LENGTH, eager.size()), 0, SHORT_LENGTH);
            eager.add(last);
        }
        while (!last.isActive());
        assertTrue(eager.size() < 1_000, "there is flow control");
        for (int i = 0; i < TRIES; i++)
        {
            sender.doWork();
        }
        assertEquals(RequestState.QUEUED, last.state());

        for (int i = 0; i < eager.size(); i++)
        {
            receive(2, SHORT_LENGTH, i, eager.get(i));
        }
        for (int i = 0; i < ANNOUNCEMENTS; i++)
        {
            receive(1, LONG_LENGTH, i, announced.get(i));
        }
    }

    private void receive(final int tag, final int length, final int salt, final SendRequest send)
    {
        final ReceiveRequest receive = new ReceiveRequest();
        final UnsafeBuffer room = room(length);
        messengers[1].receive(receive, messengers[1].world(), 0, tag, room, 0, length);
        await(receive, send);
        assertEquals(RequestResult.SUCCESS, receive.result());
        assertEquals(RequestResult.SUCCESS, send.result());
        check(room, 0, length, salt);
    }
}

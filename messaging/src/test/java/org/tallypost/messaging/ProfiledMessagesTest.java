// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MessageProfile;
import org.tallypost.messaging.rma.CrossMemory;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.node.Node;

/** By which way messages go with a profile, and that limits which the program sets win. */
class ProfiledMessagesTest extends MessengerFixture
{
    private static final int TAG = 2;

    private RegionMemory memory;

    private void launch(final MessageProfile profile, final Consumer<MessengerContext> settings)
    {
        node = Node.launch(context(directory, Flow.DYNAMIC, 3, 64).messageProfile(profile));
        endpoints = new Endpoint[3];
        messengers = new Messenger[3];
        for (int i = 0; i < 3; i++)
        {
            open(i, (context) ->
            {
                if (context.endpoint().rank() == 0)
                {
                    memory = RegionMemory.open(node, context.endpoint());
                    context.regionMemory(memory);
                    settings.accept(context);
                }
                else
                {
                    context.regionMemory(RegionMemory.open(node, context.endpoint()));
                }
            });
        }
    }

    /** Sends a message, and says which way it went: 'e' eager, 'a' announced, 'r' region, 'm' memory. */
    private char way(final int dest, final UnsafeBuffer buffer, final int length)
    {
        final MessengerCounters counters = messengers[0].counters();
        final long eager = counters.sentEager();
        final long region = counters.sentFromRegion();
        final long cross = counters.sentFromMemory();
        final SendRequest send = new SendRequest();
        final ReceiveRequest receive = new ReceiveRequest();
        final UnsafeBuffer room = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        fill(buffer, 0, length, length);
        messengers[dest].receive(receive, messengers[dest].world(), 0, TAG, room, 0, length);
        messengers[0].send(send, messengers[0].world(), dest, TAG, buffer, 0, length);
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, receive.result());
        check(room, 0, length, length);
        return counters.sentEager() > eager ? 'e' : counters.sentFromRegion() > region ? 'r' :
            counters.sentFromMemory() > cross ? 'm' : 'a';
    }

    private String ways(final int dest, final UnsafeBuffer buffer, final int... lengths)
    {
        final StringBuilder ways = new StringBuilder();
        for (final int length : lengths)
        {
            ways.append(way(dest, buffer, length));
        }
        return ways.toString();
    }

    private UnsafeBuffer region()
    {
        return memory.register(100_000, Region.READ).buffer();
    }

    @Test
    void shouldChooseByTheProfile()
    {
        launch(MessageProfile.of(1_000, 3_000, MessageProfile.NEVER), DEFAULTS);
        assertEquals(1_000, messengers[0].context().eagerLimit());
        assertEquals("eeaaa", ways(1, room(100_000), 8, 1_000, 1_001, 3_000, 100_000));
        assertEquals("eeaarr", ways(1, region(), 8, 1_000, 1_001, 2_999, 3_000, 100_000));
    }

    @Test
    void shouldReadShortMessagesInARegionIfThatIsFaster()
    {
        launch(MessageProfile.of(2_048, 500, MessageProfile.NEVER), DEFAULTS);
        assertEquals("eea", ways(1, room(100_000), 8, 2_048, 2_049));
        assertEquals("eerrrr", ways(1, region(), 8, 499, 500, 2_048, 2_049, 100_000));
    }

    @Test
    void shouldNotReadInRegionsIfThatIsNeverFaster()
    {
        launch(MessageProfile.of(2_048, MessageProfile.NEVER, MessageProfile.NEVER), DEFAULTS);
        assertEquals("eeaa", ways(1, region(), 8, 2_048, 2_049, 100_000));
    }

    @Test
    void shouldTakeTheLimitThatTheProgramSets()
    {
        launch(MessageProfile.of(1_000, 500, MessageProfile.NEVER), (context) -> context.eagerLimit(200).eagerLimit(2, 700));
        assertEquals(200, messengers[0].context().eagerLimit());
        assertEquals("eaa", ways(1, room(2_000), 200, 201, 1_000));
        assertEquals("err", ways(1, region(), 200, 201, 600));
        assertEquals("eea", ways(2, room(2_000), 201, 700, 701));
        assertEquals("eer", ways(2, region(), 600, 700, 701));
    }

    @Test
    void shouldTakeTheLimitOfOneRankAndTheProfileForOthers()
    {
        launch(MessageProfile.of(1_000, MessageProfile.NEVER, MessageProfile.NEVER), (context) -> context.eagerLimit(2, 100));
        assertEquals("eea", ways(1, region(), 101, 1_000, 1_001));
        assertEquals("err", ways(2, region(), 100, 101, 1_001));
    }

    @Test
    void shouldReadPrivateMemoryFromTheLengthOfTheProfile()
    {
        assumeTrue(CrossMemory.whyNot() == null, CrossMemory.whyNot());
        launch(MessageProfile.of(2_048, 2_049, 10_000), (context) -> context.crossMemory(true));
        // the others have not said that their memory may be read, nor that they read: the bytes are asked for
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(100_000));
        assertEquals("eamm", ways(1, buffer, 2_048, 9_999, 10_000, 100_000));
    }

    @Test
    void shouldBeAsEverWithoutAProfile()
    {
        launch((MessageProfile)null, DEFAULTS);
        assertEquals(Endpoint.MAX_RUN_LENGTH, messengers[0].context().eagerLimit());
        assertEquals("eea", ways(1, room(2_049), 8, 2_048, 2_049));
        assertEquals("eer", ways(1, region(), 8, 2_048, 2_049));
    }
}

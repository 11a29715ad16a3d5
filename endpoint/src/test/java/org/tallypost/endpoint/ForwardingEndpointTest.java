// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.node.Node;

/** A decorated endpoint does what the endpoint does, but for what its decorator changes. */
class ForwardingEndpointTest
{
    /** Refuses every other message. */
    private static final class Refusing extends ForwardingEndpoint
    {
        private boolean isRefusing;

        Refusing(final Endpoint delegate)
        {
            super(delegate);
        }

        @Override
        public long offer(final int dest, final int tag, final DirectBuffer buffer, final int offset, final int length)
        {
            isRefusing = !isRefusing;
            return isRefusing ? NO_CREDIT : super.offer(dest, tag, buffer, offset, length);
        }
    }

    private static final class Plain extends ForwardingEndpoint
    {
        Plain(final Endpoint delegate)
        {
            super(delegate);
        }

        Endpoint inner()
        {
            return delegate();
        }
    }

    @TempDir
    private Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[3_000]);

    private NodeContext context(final String name)
    {
        return Fixtures.context(directory.resolve(name), Flow.DYNAMIC, CreditReturn.DIRECT, 3, 64);
    }

    /**
     * A method that is added to Endpoint and not here would be that of Endpoint, if it is not abstract. A final one cannot be
     * handed on: it calls others, which are.
     */
    @Test
    void shouldForwardEveryMethod()
    {
        final TreeSet<String> missing = new TreeSet<>();
        int count = 0;
        for (final Method method : Endpoint.class.getDeclaredMethods())
        {
            final int kind = method.getModifiers();
            if (!Modifier.isStatic(kind) && !Modifier.isPrivate(kind) && !Modifier.isFinal(kind) && !method.isSynthetic())
            {
                count++;
                if (!isDeclared(method))
                {
                    missing.add(method.toString());
                }
            }
        }
        assertEquals(new TreeSet<>(), missing, "methods of Endpoint that ForwardingEndpoint does not hand on");
        assertTrue(count > 20, "methods found: " + count);
    }

    private static boolean isDeclared(final Method method)
    {
        return Arrays.stream(ForwardingEndpoint.class.getDeclaredMethods()).anyMatch((own) ->
            own.getName().equals(method.getName()) && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()) &&
            !Modifier.isAbstract(own.getModifiers()));
    }

    @Test
    void shouldSendAndReceiveAsTheEndpointDoes()
    {
        try (Node node = Node.launch(context("a")); Endpoint from = new Refusing(new Plain(node.open(0))))
        {
            final Endpoint to = new Plain(node.open(1));
            final int[] lengths = new int[1];
            final MessageListener handler = (source, tag, buffer, offset, length) -> lengths[0] += length;
            final LongSend send = from.newSend();
            assertEquals(Endpoint.NO_CREDIT, from.offer(1, 1, message, 0, 1));
            assertTrue(from.offer(1, 1, message, 0, 1) >= 0);
            final MessageBatch batch = new MessageBatch(2);
            assertTrue(batch.add(1, message, 0, 10));
            Fixtures.pollUntil("batch", handler, () -> from.offer(1, batch) >= 0, from, to);
            final MessageClaim claim = new MessageClaim();
            Fixtures.pollUntil("claim", handler, () -> from.tryClaim(1, 1, 100, claim) >= 0, from, to);
            claim.commit();
            Fixtures.pollUntil("sent", handler,
                () -> (send.isActive() ? send.progress() : send.start(1, 1, message, 0, 1_000)) >= 0, from, to);
            Fixtures.pollUntil("received", handler, () -> lengths[0] == 1_111, from, to);
            assertEquals(0, to.backlogSlots());
            to.releasePoller();
            assertEquals(4, to.counters().received());
            assertEquals(4, from.counters().sent());
            assertEquals(List.of(0, 1, 1, 1), List.of(from.rank(), from.epoch(), to.rank(), to.epoch()));
            assertSame(RankState.OPEN, RankState.of(from.rankState(1)));
            assertTrue(from.isSameNode(1) && from.isSameProcess(1) && !from.isSameProcess(2));
            from.wakeup();
            to.close();
            assertTrue(to.isClosed() && to.undecorated().isClosed());
            assertFalse(from.isClosed());
        }
    }

    @Test
    void shouldTellListenersOfTheMembership()
    {
        try (Node node = Node.launch(context("a")); Endpoint decorated = new Plain(node.open(0)))
        {
            final int[] opened = new int[1];
            final MembershipListener listener = new MembershipListener()
            {
                @Override
                public void onOpen(final int rank, final int incarnation)
                {
                    opened[0] = rank;
                }

                @Override
                public void onGone(final int rank, final int incarnation)
                {
                    throw new AssertionError("nobody goes");
                }
            };
            decorated.addMembershipListener(listener);
            node.open(2);
            Fixtures.pollUntil("told", Fixtures.NOTHING, () -> opened[0] == 2, decorated);
            assertTrue(decorated.removeMembershipListener(listener));
        }
    }

    @Test
    void shouldIdleOnDecoratedEndpointsOfTheSameNode()
    {
        try (Node node = Node.launch(context("a")); Node far = Node.launch(context("b")); Endpoint bare = node.open(0);
            Plain decorated = new Plain(new Plain(node.open(1))); Endpoint other = new Plain(far.open(0)))
        {
            assertSame(bare, bare.undecorated());
            assertSame(((Plain)decorated.inner()).inner(), decorated.undecorated());
            bare.newIdleStrategy(decorated).idle(1);
            decorated.newIdleStrategy(bare).idle(1);
            decorated.newIdleStrategy(1_000_000, bare).idle(1);
            assertThrows(IllegalArgumentException.class, () -> bare.newIdleStrategy(other));
            assertTrue(decorated.toString().startsWith("Plain{Plain{Endpoint{rank=1"), decorated::toString);
            assertThrows(IllegalArgumentException.class, () -> new Plain(null));
        }
    }
}

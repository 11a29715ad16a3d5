// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.internal.wake.Alarm;
import org.tallypost.endpoint.internal.wake.Sleeper;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/**
 * Loops with timers and with sources of which the endpoint knows nothing. Parks that nothing ends last an hour, so that a
 * deadline or a wake-up that is missed is a test that fails.
 */
class DeadlineIdleTest
{
    private static final int FIRINGS = 100;
    private static final int ROUNDS = 2_000;
    private static final long TIMER_NS = 1_000_000;

    @TempDir
    private Path directory;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicInteger count = new AtomicInteger();
    private Node node;
    private Endpoint endpoint;
    private Thread thread;

    @AfterEach
    void close()
    {
        try
        {
            node.close();
        }
        finally
        {
            // what the thread has failed with may be why the close fails
            Watchdog.awaitEnds(thread == null ? List.of() : List.of(thread), failure);
        }
    }

    private void launch(final IdleSettings settings)
    {
        node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 8).idle(settings));
        endpoint = node.open(0);
    }

    private void start(final DeadlineIdleStrategy idle, final Consumer<DeadlineIdleStrategy> turn)
    {
        thread = new Thread(() ->
        {
            try
            {
                while (!endpoint.isClosed())
                {
                    turn.accept(idle);
                }
            }
            catch (final Throwable t)
            {
                failure.compareAndSet(null, t);
            }
        });
        thread.start();
    }

    private void awaitCount(final String what, final int expected)
    {
        Watchdog.await(what, () -> count.get() >= expected || failure.get() != null);
    }

    @ParameterizedTest
    @ValueSource(longs = {20_000, 900_000, 2_500_000})
    void shouldEndAParkAtTheDeadline(final long timerNs)
    {
        launch(IdleProcess.settings());
        final long[] nextNs = {System.nanoTime() + timerNs};
        start(endpoint.newIdleStrategy(), (idle) ->
        {
            int work = endpoint.poll(Fixtures.NOTHING, 10);
            if (System.nanoTime() - nextNs[0] >= 0)
            {
                nextNs[0] += timerNs;
                count.incrementAndGet();
                work++;
            }
            idle.idle(work, nextNs[0]);
        });
        awaitCount("firings of a timer", FIRINGS);
    }

    @Test
    void shouldReturnAtOnceIfTheDeadlineHasPassed()
    {
        launch(IdleProcess.settings());
        final DeadlineIdleStrategy idle = endpoint.newIdleStrategy();
        for (int i = 0; i < ROUNDS; i++)
        {
            idle.idle(0, System.nanoTime());
        }
        assertEquals(0, local(node).wakeups().doorbell().parkedCount());
    }

    @Test
    void shouldFireTimersOfAnAgentRunner()
    {
        // an hour with a deadline, and the default without one
        launch(new IdleSettings().maxSpins(0).maxYieldNs(0).longestParkNs(IdleProcess.HOUR_NS));
        assertEquals(TIMER_NS, new IdleSettings().plainParkNs(), "as Agrona's BackoffIdleStrategy");
        final AgentRunner runner = new AgentRunner(endpoint.newIdleStrategy(), failure::set, null, timer());
        AgentRunner.startOnThread(runner);
        awaitCount("firings of a timer", FIRINGS);
        runner.close();
    }

    @Test
    void shouldParkForAsLongAsTheStrategyIsTold()
    {
        launch(IdleProcess.settings());
        final AgentRunner runner = new AgentRunner(endpoint.newIdleStrategy(5_000, new Endpoint[0]), failure::set, null, timer());
        AgentRunner.startOnThread(runner);
        awaitCount("firings of a timer", FIRINGS);
        runner.close();
        assertThrows(IllegalArgumentException.class, () -> endpoint.newIdleStrategy(999));
    }

    private Agent timer()
    {
        final long[] nextNs = {System.nanoTime() + TIMER_NS};
        return new Agent()
        {
            @Override
            public int doWork()
            {
                if (System.nanoTime() - nextNs[0] >= 0)
                {
                    nextNs[0] += TIMER_NS;
                    count.incrementAndGet();
                }
                // a firing is not told as work
                return endpoint.poll(Fixtures.NOTHING, 10);
            }

            @Override
            public String roleName()
            {
                return "timer";
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotLoseAWakeUp(final boolean isByEndpoint)
    {
        launch(IdleProcess.settings());
        final ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        final DeadlineIdleStrategy own = endpoint.newIdleStrategy();
        start(own, (idle) ->
        {
            int work = endpoint.poll(Fixtures.NOTHING, 10);
            while (queue.poll() != null)
            {
                count.incrementAndGet();
                work++;
            }
            idle.idle(work, DeadlineIdleStrategy.NO_DEADLINE);
        });
        for (int i = 1; i <= ROUNDS; i++)
        {
            if (i % 4 == 0)
            {
                Watchdog.await("parked thread", () -> local(node).wakeups().doorbell().parkedCount() == 1 ||
                    failure.get() != null);
            }
            queue.add(i);
            if (isByEndpoint)
            {
                endpoint.wakeup();
            }
            else
            {
                own.wakeup();
            }
            awaitCount("item " + i, i);
        }
    }

    @Test
    void shouldLetAWakeUpBeforeTheParkCount()
    {
        launch(IdleProcess.settings());
        final DeadlineIdleStrategy idle = endpoint.newIdleStrategy();
        for (int i = 0; i < ROUNDS; i++)
        {
            // whatever the strategy was about to do: it does not park over it
            idle.idle(0, DeadlineIdleStrategy.NO_DEADLINE);
            idle.wakeup();
        }
        assertEquals(0, local(node).wakeups().doorbell().parkedCount());
    }

    @Test
    void shouldStayAwakeableWhileItSleepsOverAHole()
    {
        launch(IdleProcess.settings());
        final Alarm alarm = local(endpoint).alarm();
        final Sleeper sleeper = new Sleeper(local(node).wakeups().doorbell());
        sleeper.begin();
        assertTrue(alarm.arm(sleeper, MailboxDescriptor.ARMED));
        assertTrue(local(endpoint).mailbox().isArmed());
        alarm.withdraw(sleeper);
        assertFalse(local(endpoint).mailbox().isArmed());
        assertFalse(sleeper.isWoken());
        endpoint.wakeup();
        assertTrue(sleeper.isWoken());
        final Sleeper other = new Sleeper(local(node).wakeups().doorbell());
        other.begin();
        alarm.arm(other, MailboxDescriptor.ARMED);
        alarm.withdraw(sleeper);
        assertTrue(local(endpoint).mailbox().isArmed(), "it counts for the other one");
        alarm.disarm(other);
        alarm.disarm(sleeper);
    }

    @Test
    void shouldBeAnIdleStrategyOfAgrona()
    {
        launch(IdleProcess.settings());
        final IdleStrategy idle = endpoint.newIdleStrategy();
        idle.idle(1);
        idle.idle();
        idle.reset();
        assertEquals("tallypost", idle.alias());
    }
}

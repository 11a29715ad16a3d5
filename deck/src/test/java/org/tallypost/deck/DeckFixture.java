// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Decks of one node. The thread of the test works for that of rank 0, the others have threads of their own. */
class DeckFixture
{
    static final Consumer<DeckContext> DEFAULTS = DeckContext::toString;
    /** Longer than any test may take. */
    static final long LONG_NS = 150_000_000_000L;
    static final long SHORT_NS = 20_000_000L;

    @TempDir
    Path directory;

    final List<Throwable> errors = new CopyOnWriteArrayList<>();
    Node node;
    Endpoint[] endpoints;
    Deck[] decks;

    static NodeContext context(final Path directory, final int ranks)
    {
        return new NodeContext().directory(new File(directory.toFile(), "node")).groupName("test").rankCount(ranks)
            .slotsPerSender(64).livenessIntervalNs(100_000_000L).maxSendingThreads(64).maxProcesses(8).errorHandler((t) ->
            {
                throw new AssertionError("error handler of the node called", t);
            });
    }

    void launch(final int ranks, final Consumer<DeckContext> settings)
    {
        node = Node.launch(context(directory, ranks));
        endpoints = new Endpoint[ranks];
        decks = new Deck[ranks];
        for (int rank = 0; rank < ranks; rank++)
        {
            open(rank, settings);
        }
    }

    void open(final int rank, final Consumer<DeckContext> settings)
    {
        endpoints[rank] = node.open(rank);
        final DeckContext context = new DeckContext().endpoint(endpoints[rank]).rankCount(endpoints.length)
            .ownThread(rank > 0).timeoutNs(LONG_NS).errorHandler(errors::add);
        settings.accept(context);
        decks[rank] = Deck.launch(context);
    }

    void shut(final int rank)
    {
        decks[rank].close();
        endpoints[rank].close();
        decks[rank] = null;
    }

    @AfterEach
    void close()
    {
        if (node != null)
        {
            for (int rank = 0; rank < decks.length; rank++)
            {
                if (decks[rank] != null)
                {
                    shut(rank);
                }
            }
            node.close();
        }
        assertEquals(List.of(), errors);
    }

    /** A name that a rank keeps. */
    String nameOf(final int home, final String prefix)
    {
        int i = 0;
        while (Names.home(prefix + i, decks.length) != home)
        {
            i++;
        }
        return prefix + i;
    }

    void drive(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what);
        while (!condition.getAsBoolean())
        {
            decks[0].doWork();
            watchdog.idle();
        }
    }

    /** What a call at another rank returns or throws; that of rank 0 works meanwhile. */
    <T> T at(final int rank, final Supplier<T> call)
    {
        final CompletableFuture<T> result = new CompletableFuture<>();
        decks[rank].start("call-" + rank, () ->
        {
            try
            {
                result.complete(call.get());
            }
            catch (final RuntimeException ex)
            {
                result.completeExceptionally(ex);
            }
        });
        drive("a call at rank " + rank, result::isDone);
        try
        {
            return result.join();
        }
        catch (final CompletionException ex)
        {
            throw (RuntimeException)ex.getCause();
        }
    }

    static void failsAs(final DeckFailure expected, final String part, final Executable call)
    {
        final DeckException ex = assertThrows(DeckException.class, call);
        assertEquals(expected, ex.failure(), ex.getMessage());
        assertTrue(ex.getMessage().contains(part), ex.getMessage());
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ErrorHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.internal.node.GuardedErrorHandler;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.Notice;
import org.tallypost.node.Node;
import org.tallypost.node.NodeStat;

/** What people read in a log or on a terminal is short, and tells which object is meant. */
class ToldInShortTest
{
    @TempDir
    private File directory;

    private static String printed(final Throwable error)
    {
        final StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    private NodeContext context()
    {
        return new NodeContext().directory(directory).groupName("short").rankCount(2);
    }

    @Test
    void shouldPrintOneLineForAnotherLivenessInterval()
    {
        final List<Throwable> told = new ArrayList<>();
        try (Node founder = Node.launch(context().livenessIntervalNs(2_000_000_000L));
            Node joining = Node.launch(context().livenessIntervalNs(3_000_000_000L).errorHandler(told::add)))
        {
            assertEquals(founder.context().livenessIntervalNs(), joining.context().livenessIntervalNs());
            assertEquals(1, told.size(), told::toString);
            final String line = printed(told.get(0));
            assertEquals(1, line.lines().count(), line);
            assertTrue(line.contains("livenessIntervalNs is that of the process which founded the node: file=" +
                new File(directory, "group") + ", found=3000000000, in use=2000000000"), line);
        }
    }

    @Test
    void shouldTellNoticesApartByWhatTheySay()
    {
        final List<Throwable> told = new ArrayList<>();
        final GuardedErrorHandler guard = new GuardedErrorHandler(told::add);
        for (int i = 0; i < 100; i++)
        {
            guard.onError(new Notice("first", "number " + i), i);
        }
        guard.onError(new Notice("second", "of another kind"), 100);
        assertEquals(GuardedErrorHandler.BURST + 1, told.size());
        assertEquals("second: of another kind", told.get(GuardedErrorHandler.BURST).getMessage());
    }

    @Test
    void shouldTellWhichObjectItIs()
    {
        final Node node = Node.launch(context());
        final Endpoint endpoint = node.open(1);
        assertEquals("Node{directory=" + directory + ", group=short, open}", node.toString());
        assertEquals("Endpoint{rank=1, epoch=" + endpoint.epoch() + ", directory=" + directory + ", open}", endpoint.toString());
        node.close();
        assertEquals("Node{directory=" + directory + ", group=short, closed}", node.toString());
        assertEquals(
            "Endpoint{rank=1, epoch=" + endpoint.epoch() + ", directory=" + directory + ", closed}", endpoint.toString());
    }

    @Test
    void shouldRefuseADirectoryWithoutAName()
    {
        final NodeContext context = context().directory(new File(""));
        final String text = assertThrows(IllegalArgumentException.class, () -> Node.launch(context)).getMessage();
        assertTrue(text.startsWith("directory has no name: found=\"\""), text);
    }

    @Test
    void shouldSayWhatADirectoryWithoutANodeLacks()
    {
        final String text = assertThrows(MailboxException.class, () -> NodeStat.attach(directory)).getMessage();
        assertTrue(text.startsWith("no node here: directory=" + directory + ", found no file group in it"), text);
        assertTrue(text.contains("tallypost ls"), text);
    }

    /** What is printed to standard error if an error handler throws. */
    private static String printed(final ErrorHandler handler, final Throwable error)
    {
        final PrintStream before = System.err;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try
        {
            new GuardedErrorHandler(handler).onError(error);
        }
        finally
        {
            System.setErr(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldPrintAnErrorOnceThatAHandlerThrowsAgain()
    {
        final IllegalStateException cause = new IllegalStateException("the cause");
        final IllegalStateException error = new IllegalStateException("the error", cause);
        final IllegalStateException other = new IllegalStateException("another");
        final List<RuntimeException> thrown = List.of(
            error, new IllegalStateException("around", error), new IllegalStateException(new RuntimeException(error)), cause,
            other);
        for (final RuntimeException each : thrown)
        {
            final String text = printed((told) ->
            {
                throw each;
            }, error);
            assertTrue(text.contains("the error handler has thrown: found=" + each + ", told=" + error), text);
            assertTrue(text.contains("Caused by: java.lang.IllegalStateException: the cause"), text);
            assertEquals(each == other, text.contains("Suppressed: " + other), text);
            assertTrue(!text.contains("CIRCULAR"), text);
        }
    }
}

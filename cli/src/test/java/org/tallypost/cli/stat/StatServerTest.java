// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.cli.CommandRun;
import org.tallypost.cli.Tallypost;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Contrast;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

@Tag("once")
class StatServerTest
{
    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    private NodeContext context()
    {
        return new NodeContext().directory(directory.toFile()).groupName("<b>web</b>").rankCount(3);
    }

    private StatServer start() throws IOException
    {
        return StatServer.start(new NodeWatch(directory.toFile()), 0, Duration.ofMillis(250));
    }

    private HttpResponse<String> get(final StatServer server, final String path) throws IOException, InterruptedException
    {
        return client.send(request(server, path).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(final StatServer server, final String path)
    {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    @Test
    void shouldServeThePageWithAllThatItNeeds() throws IOException, InterruptedException
    {
        Node.launch(context()).close();
        try (StatServer server = start())
        {
            final HttpResponse<String> page = get(server, "/");
            assertEquals(200, page.statusCode());
            assertTrue(page.body().contains("<title>Tallypost stat</title>"), page::body);
            assertTrue(page.body().contains("data-interval-ms=\"250\""), page::body);
            final Matcher parts = Pattern.compile("(?:src|href)=\"([^\"]+)\"").matcher(page.body());
            int count = 0;
            while (parts.find())
            {
                final String part = parts.group(1);
                if (!part.startsWith("data:"))
                {
                    count++;
                    assertFalse(part.contains(":"), () -> "not of this jar: " + part);
                    final HttpResponse<String> found = get(server, "/" + part);
                    assertEquals(200, found.statusCode(), part);
                    assertFalse(found.body().isEmpty(), part);
                }
            }
            assertEquals(7, count);
            final String policy = page.headers().firstValue("Content-Security-Policy").orElse("");
            assertTrue(policy.startsWith("default-src 'none'; script-src 'self';"), policy);
        }
    }

    @Test
    void shouldServeSamplesAndMetrics() throws IOException, InterruptedException
    {
        try (Node node = Node.launch(context()); Endpoint sender = node.open(0); Endpoint receiver = node.open(1);
            StatServer server = start())
        {
            assertTrue(sender.offer(receiver.rank(), 1, new UnsafeBuffer(new byte[8]), 0, 8) >= 0);
            final HttpResponse<String> sample = get(server, "/sample");
            final JsonNode root = new ObjectMapper().readTree(sample.body());
            assertEquals("<b>web</b>", root.path("group").asText(), sample::body);
            assertEquals(1, root.path("endpoints").path(1).path("backlogSlots").asLong(), sample::body);
            assertEquals(1, root.path("laggard").path("rank").asInt(), sample::body);
            final HttpResponse<String> metrics = get(server, "/metrics");
            assertTrue(metrics.headers().firstValue("Content-Type").orElse("").startsWith("text/plain; version=0.0.4"));
            assertTrue(metrics.body().contains("rank=\"0\"} 1\n"), metrics::body);
        }
    }

    @Test
    void shouldSayThatTheNodeHasEndedAndFindTheNextOne() throws IOException, InterruptedException
    {
        Node.launch(context()).close();
        try (StatServer server = start())
        {
            assertEquals(200, get(server, "/sample").statusCode());
            IoUtil.delete(directory.toFile(), false);
            final HttpResponse<String> ended = get(server, "/sample");
            assertEquals(503, ended.statusCode());
            assertTrue(new ObjectMapper().readTree(ended.body()).path("error").asText().contains("found=nothing"), ended::body);
            assertEquals(503, get(server, "/metrics").statusCode());
            Node.launch(context().groupName("next")).close();
            assertTrue(get(server, "/sample").body().contains("\"group\":\"next\""));
        }
    }

    @Test
    void shouldRefuseWhatIsNotForIt() throws IOException, InterruptedException
    {
        Node.launch(context()).close();
        try (StatServer server = start())
        {
            for (final String path :
                List.of("/none", "/../stat.html", "/%2e%2e/stat.html", "/versions.properties", "/samples"))
            {
                assertEquals(404, get(server, path).statusCode(), path);
            }
            for (final String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "TRACE"))
            {
                final HttpResponse<String> found = client.send(request(server, "/sample")
                    .method(method, HttpRequest.BodyPublishers.ofString("x")).build(), BodyHandlers.ofString());
                assertEquals(405, found.statusCode(), method);
            }
            final HttpResponse<String> head = client.send(
                request(server, "/").method("HEAD", HttpRequest.BodyPublishers.noBody()).build(), BodyHandlers.ofString());
            assertEquals(200, head.statusCode());
            assertEquals("", head.body());
            final String port = ":" + server.port();
            for (final String host :
                List.of("tallypost.example" + port, "127.0.0.1", "127.0.0.1:1", "localhost.example" + port, ""))
            {
                assertEquals("HTTP/1.1 421", statusOf(server, host), host);
            }
            for (final String host : List.of("127.0.0.1", "localhost", "[::1]"))
            {
                assertEquals("HTTP/1.1 200", statusOf(server, host + port), host);
            }
        }
    }

    /** As a page of another site would reach it: java.net.http sets the header itself. */
    private static String statusOf(final StatServer server, final String host) throws IOException
    {
        try (Socket socket = new Socket(InetAddress.getByAddress(new byte[]{127, 0, 0, 1}), server.port()))
        {
            socket.getOutputStream().write(
                ("GET /sample HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void shouldAnswerWhileOtherConnectionsSayNothing() throws IOException, InterruptedException
    {
        Node.launch(context()).close();
        try (StatServer server = start();
            Socket silent = new Socket(InetAddress.getByAddress(new byte[]{127, 0, 0, 1}), server.port());
            Socket half = new Socket(InetAddress.getByAddress(new byte[]{127, 0, 0, 1}), server.port()))
        {
            half.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
            assertEquals(200, get(server, "/sample").statusCode());
            assertTrue(silent.isConnected());
        }
    }

    @Test
    void shouldHaveTextAndLinesThatCanBeRead() throws IOException
    {
        final String css;
        try (InputStream in = StatServer.class.getResourceAsStream("stat.css"))
        {
            css = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        final int dark = css.indexOf("prefers-color-scheme: dark");
        for (final Map<String, String> colours : List.of(
            Contrast.colours(css.substring(0, dark)), Contrast.colours(css.substring(dark))))
        {
            assertEquals(16, colours.size(), colours::toString);
            colours.forEach((name, colour) ->
            {
                if (!List.of("page", "panel", "line").contains(name))
                {
                    final double wanted = name.matches("rank-.|others") ? Contrast.OF_LINES : Contrast.OF_TEXT;
                    for (final String behind : List.of("page", "panel"))
                    {
                        final double found = Contrast.between(colour, colours.get(behind));
                        assertTrue(found >= wanted, () -> name + " on " + behind + ": found " + found + ", expected " + wanted);
                    }
                }
            });
        }
    }

    @Test
    void shouldServeAsACommandUntilItIsStopped() throws IOException, InterruptedException
    {
        Node.launch(context()).close();
        try (ForkedJvm run = ForkedJvm.start(Tallypost.class, "stat", directory, "--web", "0"))
        {
            final String[] line = {null};
            Watchdog.await("the address", () ->
            {
                line[0] = run.pollLine();
                return line[0] != null && line[0].startsWith("http://127.0.0.1:");
            });
            final HttpResponse<String> page = client.send(
                HttpRequest.newBuilder(URI.create(line[0])).build(), BodyHandlers.ofString());
            assertEquals(200, page.statusCode());
            final String taken = Integer.toString(URI.create(line[0]).getPort());
            final CommandRun second = CommandRun.of("stat", directory.toString(), "--web", taken);
            assertEquals(2, second.exitCode(), second::toString);
            assertTrue(second.errors().startsWith("--web: port " + taken + " cannot be had"), second::toString);
        }
    }

    @Test
    void shouldRefuseOptionsThatDoNotGoTogether()
    {
        Node.launch(context()).close();
        final String node = directory.toString();
        assertEquals(2, CommandRun.of("stat", node, "--web", "0", "--json").exitCode());
        assertEquals(2, CommandRun.of("stat", node, "--web", "0", "--prometheus").exitCode());
        assertEquals(2, CommandRun.of("stat", node, "--web", "0", "--count", "1").exitCode());
        assertEquals(2, CommandRun.of("stat", node, "--web", "0", "--top", "1").exitCode());
        assertEquals(2, CommandRun.of("stat", node, "--web", "65536").exitCode());
        assertEquals(2, CommandRun.of("stat", node, "--web", "-1").exitCode());
        assertEquals(1, CommandRun.of("stat", directory.resolve("none").toString(), "--web", "0").exitCode());
    }
}

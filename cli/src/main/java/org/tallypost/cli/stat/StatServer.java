// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.tallypost.cli.console.JsonText;
import org.tallypost.mailbox.files.MailboxException;

/**
 * Serves a page with live plots of a node to browsers on this machine, and its counters to Prometheus.
 * <p>
 * It listens on the loopback only, and answers only requests that name the loopback as their host: a page of another site, which
 * the browser has also loaded, must not read the counters by a name that leads here. Nothing that it serves comes from elsewhere,
 * and a request can change nothing.
 */
final class StatServer implements AutoCloseable
{
    private static final String LIBRARY = "/META-INF/resources/webjars/chart.js/%s/dist/chart.umd.js";
    private static final Set<String> HOSTS = Set.of("127.0.0.1", "localhost", "[::1]");
    private static final Set<String> METHODS = Set.of("GET", "HEAD");
    private static final String JSON = "application/json; charset=utf-8";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String INTERVAL = "INTERVAL_MS";
    /** A browser holds several connections, and one that is slow must not keep the others waiting. */
    private static final int THREADS = 4;
    /** So long a request or an answer may take, in seconds: of a connection that says nothing the thread is taken away. */
    private static final String MOST_SECONDS = "10";

    private static final int USUAL_PORT = 80;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int MISDIRECTED = 421;
    private static final int UNAVAILABLE = 503;

    private final NodeWatch watch;
    private final HttpServer server;
    private final ExecutorService threads;
    private final Map<String, Content> pages;

    private record Content(String type, byte[] bytes)
    {
        private Content(final String type, final String text)
        {
            this(type, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private StatServer(final NodeWatch watch, final HttpServer server, final Duration interval) throws IOException
    {
        this.watch = watch;
        this.server = server;
        final Properties versions = new Properties();
        versions.load(new ByteArrayInputStream(resource("versions.properties")));
        final String page = new String(resource("stat.html"), StandardCharsets.UTF_8);
        pages = Map.of(
            "/", new Content("text/html; charset=utf-8",
                page.replace(INTERVAL, Long.toString(Math.max(interval.toMillis(), 1)))),
            "/stat.js", new Content("text/javascript; charset=utf-8", resource("stat.js")),
            "/stat.css", new Content("text/css; charset=utf-8", resource("stat.css")),
            "/chart.js", new Content(
                "text/javascript; charset=utf-8", resource(String.format(LIBRARY, versions.getProperty("chartjs")))));
        threads = Executors.newFixedThreadPool(THREADS, (work) ->
        {
            final Thread thread = new Thread(work, "stat-web");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * Begins to serve.
     *
     * @param watch    of the node.
     * @param port     on the loopback, or 0 for any that is free.
     * @param interval between two looks of a page.
     * @return the server, to be closed.
     * @throws IOException if the port cannot be had.
     */
    static StatServer start(final NodeWatch watch, final int port, final Duration interval) throws IOException
    {
        // the server reads them when its class is loaded
        System.getProperties().putIfAbsent("sun.net.httpserver.maxReqTime", MOST_SECONDS);
        System.getProperties().putIfAbsent("sun.net.httpserver.maxRspTime", MOST_SECONDS);
        final InetAddress loopback = InetAddress.getByAddress(new byte[]{127, 0, 0, 1});
        return new StatServer(watch, HttpServer.create(new InetSocketAddress(loopback, port), 0), interval);
    }

    /**
     * Where it listens.
     *
     * @return the port.
     */
    int port()
    {
        return server.getAddress().getPort();
    }

    private void answer(final HttpExchange exchange) throws IOException
    {
        try (exchange)
        {
            if (!isForThisHost(exchange.getRequestHeaders()))
            {
                send(exchange, MISDIRECTED, new Content(TEXT, "Host: expected 127.0.0.1 or localhost, and the port\n"));
            }
            else if (!METHODS.contains(exchange.getRequestMethod()))
            {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                send(exchange, METHOD_NOT_ALLOWED, new Content(TEXT, "expected GET or HEAD\n"));
            }
            else
            {
                answer(exchange, exchange.getRequestURI().getPath());
            }
        }
    }

    private void answer(final HttpExchange exchange, final String path) throws IOException
    {
        try
        {
            if ("/sample".equals(path))
            {
                final NodeWatch.Look look = watch.look();
                send(exchange, OK, new Content(JSON, StatFormat.json(look.sample(), look.laggard(), look.late())));
            }
            else if ("/metrics".equals(path))
            {
                final NodeWatch.Look look = watch.look();
                send(exchange, OK, new Content(
                    "text/plain; version=0.0.4; charset=utf-8", PrometheusText.of(look.sample(), look.counters())));
            }
            else if (pages.containsKey(path))
            {
                send(exchange, OK, pages.get(path));
            }
            else
            {
                send(exchange, NOT_FOUND, new Content(TEXT, "expected /, /sample or /metrics\n"));
            }
        }
        catch (final MailboxException ex)
        {
            send(exchange, UNAVAILABLE, new Content(JSON, JsonText.of(Map.of("error", ex.getMessage()))));
        }
    }

    private boolean isForThisHost(final Headers headers)
    {
        final String host = headers.getFirst("Host");
        if (host == null)
        {
            return false;
        }
        final String end = ":" + port();
        // a browser leaves the usual port out
        final boolean isUsual = port() == USUAL_PORT && HOSTS.contains(host);
        return isUsual || host.endsWith(end) && HOSTS.contains(host.substring(0, host.length() - end.length()));
    }

    private static void send(final HttpExchange exchange, final int status, final Content content) throws IOException
    {
        final Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", content.type());
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Content-Security-Policy", "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; " +
            "style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        final boolean isHead = "HEAD".equals(exchange.getRequestMethod());
        if (isHead)
        {
            headers.set("Content-Length", Integer.toString(content.bytes().length));
        }
        exchange.sendResponseHeaders(status, isHead ? -1 : content.bytes().length);
        if (!isHead)
        {
            exchange.getResponseBody().write(content.bytes());
        }
    }

    private static byte[] resource(final String name) throws IOException
    {
        try (InputStream in = StatServer.class.getResourceAsStream(name))
        {
            if (in == null)
            {
                throw new IOException("the jar is incomplete: found no resource " + name);
            }
            return in.readAllBytes();
        }
    }

    /** Ends at once: requests under way get no answer. */
    @Override
    public void close()
    {
        server.stop(0);
        threads.shutdownNow();
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replays traces of the protocol's executable model line by line: what an endpoint emits, in order, and all of its state
 * afterwards are those of the model.
 *
 * <p>The committed traces are in {@code src/test/resources/traces}, one JSON object a line, with all that made them in
 * their names; more are taken from the directory that the property {@value #DIRECTORY_PROPERTY} names.
 */
@Tag("once")
class TraceReplayTest
{
    private static final String DIRECTORY_PROPERTY = "tallypost.traces";
    private static final Path COMMITTED = Path.of("src", "test", "resources", "traces");
    private static final String[] LISTS = {"LOW", "MEDIUM", "HIGH", "NULL"};
    private static final ObjectMapper JSON = new ObjectMapper();

    private int lineCount;

    @Test
    void shouldReplayCommittedTraces()
    {
        replayAll(COMMITTED);
    }

    @Test
    void shouldReplayTracesOfGivenDirectory()
    {
        final String given = System.getProperty(DIRECTORY_PROPERTY);
        if (given != null)
        {
            replayAll(resolve(given));
        }
    }

    @Test
    void shouldFailWithoutTraces(@TempDir final Path empty)
    {
        final AssertionError none = assertThrows(AssertionError.class, () -> replayAll(empty));
        assertTrue(none.getMessage().contains("no *.jsonl in " + empty), none.getMessage());
        final Path missing = empty.resolve("missing");
        final AssertionError absent = assertThrows(AssertionError.class, () -> replayAll(missing));
        assertTrue(absent.getMessage().contains(missing + " is no directory"), absent.getMessage());
    }

    @Test
    void shouldNoticeAnyOtherState(@TempDir final Path directory) throws IOException
    {
        final Path source = traces(COMMITTED).get(0);
        final List<String> lines = Files.readAllLines(source);
        final int half = lines.size() / 2;
        final String altered = lines.get(half).replaceFirst("\"monitorAt\": (\\d+)", "\"monitorAt\": 9$1");
        assertFalse(altered.equals(lines.get(half)), lines.get(half));
        lines.set(half, altered);
        Files.write(directory.resolve("altered.jsonl"), lines);
        final AssertionError error = assertThrows(AssertionError.class, () -> replayAll(directory));
        assertTrue(error.getMessage().startsWith("altered.jsonl:" + (half + 1) + " state"), error.getMessage());
    }

    /** A relative name is looked for from the module, where the tests run, and from the top, where the build was started. */
    private static Path resolve(final String given)
    {
        final Path fromModule = Path.of(given).toAbsolutePath();
        final Path fromTop = Path.of("..").resolve(given).toAbsolutePath().normalize();
        return Files.isDirectory(fromModule) || !Files.isDirectory(fromTop) ? fromModule : fromTop;
    }

    private static List<Path> traces(final Path directory)
    {
        assertTrue(Files.isDirectory(directory), () -> "no traces: " + directory + " is no directory");
        try (Stream<Path> files = Files.list(directory))
        {
            return files.filter((file) -> file.toString().endsWith(".jsonl")).sorted().toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void replayAll(final Path directory)
    {
        final List<Path> files = traces(directory);
        assertFalse(files.isEmpty(), () -> "no traces: no *.jsonl in " + directory);
        lineCount = 0;
        for (final Path file : files)
        {
            replay(file);
        }
        assertTrue(lineCount > 0, () -> "the traces have no lines: " + directory);
    }

    private void replay(final Path file)
    {
        try
        {
            final List<String> lines = Files.readAllLines(file);
            assertTrue(lines.size() >= 2, () -> file + " is cut off");
            final JsonNode head = JSON.readTree(lines.get(0));
            final Replica[] replicas = new Replica[head.required("ranks").intValue()];
            for (int rank = 0; rank < replicas.length; rank++)
            {
                replicas[rank] = new Replica(rank, replicas.length, head.required("creditSlots").intValue(),
                    head.required("slots").intValue());
            }
            final int last = lines.size() - 1;
            for (int i = 1; i < last; i++)
            {
                final JsonNode line = JSON.readTree(lines.get(i));
                final String where = file.getFileName() + ":" + (i + 1);
                final Replica replica = replicas[line.required("rank").intValue()];
                assertEquals(line.required("emits"), replica.step(line), () -> where + " packets emitted");
                assertEquals(line.required("state"), replica.state(), () -> where + " state");
            }
            assertEquals("ok", JSON.readTree(lines.get(last)).required("result").textValue(), () -> file + " is cut off");
            lineCount += lines.size();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(file.toString(), ex);
        }
    }

    /** One endpoint of a trace: its peers are the other ranks, in order. */
    private static final class Replica implements LedgerActions, ControlPackets, CreditStore
    {
        private final int rank;
        private final int[] store;
        private final DynamicLedger ledger;
        private final Account account;
        private ArrayNode emitted = JSON.createArrayNode();

        Replica(final int rank, final int ranks, final int creditSlots, final int slots)
        {
            this.rank = rank;
            store = new int[ranks - 1];
            Arrays.fill(store, creditSlots);
            ledger = new DynamicLedger(ranks - 1, creditSlots, slots, this);
            ledger.checkInvariants(true);
            account = new Account(ranks - 1, creditSlots, this, this);
        }

        private int peerOf(final int other)
        {
            return other < rank ? other : other - 1;
        }

        private int rankOf(final int peer)
        {
            return peer < rank ? peer : peer + 1;
        }

        ArrayNode step(final JsonNode line)
        {
            emitted = JSON.createArrayNode();
            final int slots = line.required("slots").intValue();
            if ("send".equals(line.required("op").textValue()))
            {
                final int to = peerOf(line.required("to").intValue());
                assertTrue(slots >= 1 && slots <= store[to], "sent without credit");
                store[to] -= slots;
                final boolean piggyback = line.required("piggyback").booleanValue();
                emit(to, "data", slots, 0, piggyback ? ledger.piggyback(to, Integer.MAX_VALUE) : 0);
            }
            else
            {
                final int from = peerOf(line.required("from").intValue());
                retrieve(from, line.required("kind").textValue(), slots, line.required("value").intValue(),
                    line.required("piggyback").intValue());
            }
            return emitted;
        }

        private void retrieve(final int from, final String kind, final int slots, final int value, final int piggyback)
        {
            final boolean accepted = switch (kind)
            {
                case "data" -> ledger.onRetrieved(from, slots);
                case "request" -> ledger.onRequestRetrieved(from);
                case "response" -> ledger.onResponseRetrieved(from, value);
                case "credit" -> true;
                default -> throw new AssertionError("kind of packet: " + kind);
            };
            assertTrue(accepted, "refused");
            if (piggyback > 0)
            {
                account.onCredits(from, piggyback);
            }
            if ("credit".equals(kind))
            {
                account.onCredits(from, value);
            }
            else if ("request".equals(kind))
            {
                account.onRequest(from);
            }
        }

        private void emit(final int to, final String kind, final int slots, final int value, final int piggyback)
        {
            emitted.addObject().put("to", rankOf(to)).put("kind", kind).put("slots", slots).put("value", value)
                .put("piggyback", piggyback);
        }

        ObjectNode state()
        {
            final ObjectNode state = JSON.createObjectNode().put("available", ledger.availableSlots());
            final ArrayNode lists = state.putArray("lists");
            final int[] members = new int[store.length];
            for (int list = 0; list < LISTS.length; list++)
            {
                final ArrayNode ranks = lists.addArray();
                final int count = ledger.copyList(list, members);
                for (int i = 0; i < count; i++)
                {
                    assertEquals(list, ledger.list(members[i]), LISTS[list]);
                    ranks.add(rankOf(members[i]));
                }
            }
            final ArrayNode credits = state.putArray("credits");
            final ArrayNode requests = state.putArray("requestPending");
            final ArrayNode responses = state.putArray("responsePending");
            final ArrayNode pairs = state.putArray("pairs");
            for (int peer = 0; peer < store.length; peer++)
            {
                credits.add(store[peer]);
                requests.add(account.requestPending(peer));
                responses.add(account.responsePending(peer));
                pairs.add(pair(peer));
            }
            return state;
        }

        private ObjectNode pair(final int peer)
        {
            final ObjectNode pair = JSON.createObjectNode().put("sender", rankOf(peer));
            final ArrayNode thresholds = pair.putArray("thresholds");
            for (int i = 0; i < ledger.thresholdCount(); i++)
            {
                thresholds.add(ledger.thresholdAt(peer, i));
            }
            return pair.put("retrieved", ledger.retrieved(peer)).put("current", ledger.currentCredits(peer))
                .put("intended", ledger.intendedQuota(peer)).put("sinceMonitor", ledger.sinceMonitor(peer))
                .put("monitorAt", ledger.monitorAt(peer)).put("blocked", ledger.isBlocked(peer));
        }

        @Override
        public void grant(final int sender, final int credits)
        {
            emit(sender, "credit", 1, credits, 0);
        }

        @Override
        public int revoke(final int victim, final int keep)
        {
            account.request(victim);
            return REQUESTED;
        }

        @Override
        public void sendRequest(final int receiver)
        {
            emit(receiver, "request", 1, 0, 0);
        }

        @Override
        public void sendResponse(final int receiver, final int credits)
        {
            emit(receiver, "response", 1, credits, 0);
        }

        @Override
        public int credits(final int receiver)
        {
            return store[receiver];
        }

        @Override
        public int takeAll(final int receiver)
        {
            final int all = store[receiver];
            store[receiver] = 0;
            return all;
        }

        @Override
        public void add(final int receiver, final int credits)
        {
            store[receiver] += credits;
        }
    }
}

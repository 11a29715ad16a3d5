// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.benchmarks.report.Environment;

/**
 * The comparison as JSON: <code>{"rows": [...], "settings": {...}, "environment": {...}, "notes": [...]}</code>. What does not
 * apply is null: percentiles of a rate, the rate of round trips, the reason why a valid row is invalid.
 */
final class CompareReport
{
    private static final ObjectMapper MAPPER = JsonMapper.builder()
        .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
        .build();

    private CompareReport()
    {
    }

    static ObjectNode tree(
        final List<Row> rows, final Settings settings, final Environment environment, final List<String> notes)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        root.putArray("rows").addAll(rows.stream().map((row) -> row(row, settings)).toList());
        root.set("settings", MAPPER.valueToTree(settings));
        root.set("environment", MAPPER.valueToTree(environment));
        root.set("notes", MAPPER.valueToTree(notes));
        return root;
    }

    private static ObjectNode row(final Row row, final Settings settings)
    {
        final boolean isRate = row.group().mode() == Mode.RATE;
        final ObjectNode node = MAPPER.createObjectNode();
        node.put("transport", row.transport());
        node.put("mode", row.group().mode().label());
        node.put("scope", settings.scope().label());
        node.put("length", row.group().length());
        node.put("producers", row.group().producers());
        node.put("slots", settings.slots());
        node.put("p50Ns", rounded(row.p50Ns(), 1));
        node.put("p99Ns", rounded(row.p99Ns(), 1));
        node.put("p999Ns", rounded(row.p999Ns(), 1));
        node.put("ratePerSecond", isRate && row.figure() != null ? rounded(row.figure().median(), 0) : null);
        node.put("ratioToRaw", rounded(row.ratioToRaw(), 4));
        node.put("rounds", row.rounds());
        node.put("invalid", row.invalid());
        node.put("batch", isRate && row.transport().equals(TransportKind.TALLYPOST_ENDPOINT.label()) ? settings.batch() : 1);
        node.put("mtuLength", settings.scope() == Scope.NETWORK ? settings.mtuLength() : null);
        node.put("ratioToBestPeer", rounded(row.ratioToBestPeer(), 4));
        node.set(switch (row.group().mode())
        {
            case RTT -> "meanNs";
            case RATE -> "ratesPerSecond";
            case ALLTOALL -> "operationNs";
        }, spread(row.figure(), isRate ? 0 : 1));
        node.put("roundsRun", row.roundsRun());
        node.put("state", row.state() == null ? null : row.state().label());
        node.put("oversubscribed", row.oversubscribed());
        node.put("idle", row.oversubscribed() ? "yield" : "spin");
        node.put("bufferBytes", row.bufferBytes());
        node.put("wrong", row.wrong());
        final ArrayNode samples = node.putArray("samples");
        row.samples().forEach((sample) -> samples.add(sample(sample, isRate ? 0 : 1)));
        return node;
    }

    private static BigDecimal work(final Probe probe)
    {
        return probe.workNs() == 0 ? null : rounded(probe.workNs(), 0);
    }

    private static ObjectNode sample(final Row.Sample sample, final int digits)
    {
        final ObjectNode node = MAPPER.createObjectNode();
        node.put("figure", sample.run() == null ? null : rounded(sample.run().figure(), digits));
        node.put("probeBefore", sample.run() == null ? null : rounded(sample.run().before().value(), digits));
        node.put("probeAfter", sample.run() == null ? null : rounded(sample.run().after().value(), digits));
        node.put("rawBeforeNs", sample.run() == null ? null : rounded(sample.run().before().roundTripNs(), 1));
        node.put("rawAfterNs", sample.run() == null ? null : rounded(sample.run().after().roundTripNs(), 1));
        node.put("workBeforeNs", sample.run() == null ? null : work(sample.run().before()));
        node.put("workAfterNs", sample.run() == null ? null : work(sample.run().after()));
        node.put("busy", sample.run() == null ? null : rounded(sample.run().busy(), 3));
        node.put("messages", sample.run() == null ? 0 : sample.run().messages());
        node.put("runs", sample.runs());
        node.put("state", sample.state() == null ? null : sample.state().label());
        node.put("notKept", sample.why());
        return node;
    }

    private static ObjectNode spread(final Spread spread, final int digits)
    {
        if (spread == null)
        {
            return null;
        }
        return MAPPER.createObjectNode()
            .put("min", rounded(spread.min(), digits))
            .put("median", rounded(spread.median(), digits))
            .put("max", rounded(spread.max(), digits));
    }

    private static BigDecimal rounded(final Double value, final int digits)
    {
        return value == null || !Double.isFinite(value) ? null :
            BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.benchmarks.compare.Spread;
import org.tallypost.report.Environment;

/**
 * A study as JSON: <code>{"study": "...", "rows": [...], "method": [...], "settings": {...}, "environment": {...}}</code>.
 * What does not apply is null.
 */
final class StudyReport
{
    private static final ObjectMapper MAPPER = JsonMapper.builder()
        .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
        .build();
    private static final int RATIO_DIGITS = 4;

    private StudyReport()
    {
    }

    static ObjectNode tree(
        final Study study,
        final List<StudyRow> rows,
        final List<String> method,
        final Map<String, Object> settings,
        final Environment environment)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        root.put("study", study.label());
        root.putArray("rows").addAll(rows.stream().map(StudyReport::row).toList());
        root.set("method", MAPPER.valueToTree(method));
        root.set("settings", MAPPER.valueToTree(settings));
        root.set("environment", MAPPER.valueToTree(environment));
        return root;
    }

    private static ObjectNode row(final StudyRow row)
    {
        final Series.Entry entry = row.series().entry;
        final ObjectNode node = MAPPER.createObjectNode();
        node.put("group", entry.group());
        node.put("transport", entry.transport());
        node.put("phase", entry.phase() == Phase.RATE ? "rate" : entry.phase().label());
        node.put("senders", entry.senders());
        node.put("length", entry.length());
        node.put("work", entry.work());
        node.put("bytes", entry.bytes());
        node.put("bufferBytes", row.series().bufferBytes());
        node.put("fileBytes", row.series().fileBytes());
        node.put("slotsPerSender", row.series().slotsPerSender());
        node.set("ratePerSecond", spread(row.figure(), 0));
        node.set("p50Ns", spread(row.p50Ns(), 0));
        node.set("p99Ns", spread(row.p99Ns(), 0));
        node.set("p999Ns", spread(row.p999Ns(), 0));
        node.put("ratioTo", ratioTo(row.series()));
        node.set("ratio", spread(row.ratio(), RATIO_DIGITS));
        node.set("ratio999", spread(row.ratio999(), RATIO_DIGITS));
        node.put("rounds", row.rounds());
        node.put("roundsRun", row.samples().size());
        node.put("wrong", row.series().wrong());
        node.put("notPossible", row.series().notPossible());
        node.put("invalid", row.invalid());
        final ArrayNode samples = node.putArray("samples");
        row.samples().forEach((sample) -> samples.add(sample(sample)));
        return node;
    }

    static String ratioTo(final Series series)
    {
        final Series reference = series.reference();
        return reference == null ? null :
            reference.entry.phase() == Phase.RATE ? reference.entry.transport() : reference.entry.phase().label();
    }

    private static ObjectNode sample(final Series.Sample sample)
    {
        final ObjectNode node = MAPPER.createObjectNode();
        if (sample.run() != null)
        {
            node.put("figure", rounded(sample.run().figure(), 1));
            node.put("p50Ns", rounded(sample.run().p50Ns(), 0));
            node.put("p99Ns", rounded(sample.run().p99Ns(), 0));
            node.put("p999Ns", rounded(sample.run().p999Ns(), 0));
            node.put("messages", sample.run().messages());
        }
        node.put("failure", sample.why());
        return node;
    }

    private static ObjectNode spread(final Spread spread, final int digits)
    {
        return spread == null ? null : MAPPER.createObjectNode()
            .put("min", rounded(spread.min(), digits))
            .put("median", rounded(spread.median(), digits))
            .put("max", rounded(spread.max(), digits));
    }

    private static BigDecimal rounded(final double value, final int digits)
    {
        return Double.isFinite(value) ? BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP) : null;
    }
}

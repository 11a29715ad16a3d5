// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.benchmarks.harness.Quartiles;
import org.tallypost.benchmarks.harness.Ratio;
import org.tallypost.report.Environment;

/**
 * The comparison as JSON: <code>{"rows": [...], "settings": {...}, "environment": {...}, "notes": [...]}</code>. A row is a
 * transport by itself ({@code isReference}), or the subject {@code against} such a row: then {@code ratio} is the subject's
 * figure divided by the reference's. Figures are nanoseconds, for rate messages and for
 * bandwidth bytes a second. What does not apply is null.
 */
final class CompareReport
{
    private static final ObjectMapper MAPPER = JsonMapper.builder()
        .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
        .build();
    private static final int RATIO_DIGITS = 4;

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
        final int digits = row.group().isMoreBetter() ? 0 : 1;
        final Quartiles figure = row.figure();
        final Ratio ratio = row.ratio();
        final String subject = settings.contestants().get(settings.subject()).label();
        final ObjectNode node = MAPPER.createObjectNode();
        node.put("transport", row.transport());
        node.put("mode", row.group().mode().label());
        node.put("scope", settings.scope().label());
        node.put("length", row.group().length());
        node.put("producers", row.group().producers());
        node.put("against", row.against());
        node.put("isReference", row.against() == null && !row.transport().equals(subject));
        node.put("median", figure == null ? null : rounded(figure.median(), digits));
        node.put("q1", figure == null ? null : rounded(figure.q1(), digits));
        node.put("q3", figure == null ? null : rounded(figure.q3(), digits));
        node.set("ratio", ratio == null ? null : MAPPER.createObjectNode()
            .put("median", rounded(ratio.median(), RATIO_DIGITS))
            .put("low", rounded(ratio.low(), RATIO_DIGITS))
            .put("high", rounded(ratio.high(), RATIO_DIGITS)));
        node.put("verdict", row.verdict() == null ? null : row.verdict().label());
        node.put("pairs", row.pairs());
        node.put("turns", row.turns());
        node.put("disturbedShare", rounded(row.disturbedShare(), RATIO_DIGITS));
        node.put("jvmSpread", rounded(row.jvmSpread(), RATIO_DIGITS));
        final Times times = row.times();
        node.put("offered", row.group().offered());
        node.set("timesNs", times == null ? null : MAPPER.createObjectNode()
            .put("p50", times.p50())
            .put("p90", times.p90())
            .put("p99", times.p99())
            .put("p999", times.p999())
            .put("max", times.max())
            .put("count", times.count()));
        node.put("wrong", row.wrong());
        node.put("invalid", row.invalid());
        return node;
    }

    private static BigDecimal rounded(final double value, final int digits)
    {
        return Double.isFinite(value) ? BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP) : null;
    }
}

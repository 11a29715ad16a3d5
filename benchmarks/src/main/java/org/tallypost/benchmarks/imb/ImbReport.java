// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.benchmarks.compare.CompareTable;
import org.tallypost.benchmarks.harness.Ratio;
import org.tallypost.cli.console.TextTable;
import org.tallypost.report.Environment;

/**
 * The rows as text, and as JSON: <code>{"rows": [...], "means": [...], "settings": {...}, "environment": {...}, "notes":
 * [...]}</code>. Times are microseconds of a repetition. What does not apply is null.
 *
 * @param rows        in their order.
 * @param spec        that was measured.
 * @param notes       in sentences.
 * @param environment that was measured in.
 */
record ImbReport(List<ImbRow> rows, ImbSpec spec, List<String> notes, Environment environment)
{
    private static final ObjectMapper MAPPER = JsonMapper.builder()
        .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
        .build();
    private static final int DIGITS = 4;
    private static final double NS_OF_A_MICROSECOND = 1e3;

    ObjectNode tree(final Map<String, Object> settings)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        root.putArray("rows").addAll(rows.stream().map(this::row).toList());
        ImbRow.means(rows).forEach((mean) -> root.withArray("means").addObject().put("length", mean.length())
            .put("ratio", rounded(mean.ratio())).put("operations", mean.operations()));
        root.set("settings", MAPPER.valueToTree(settings));
        root.set("environment", MAPPER.valueToTree(environment));
        root.set("notes", MAPPER.valueToTree(notes));
        return root;
    }

    private ObjectNode row(final ImbRow row)
    {
        final ObjectNode node = MAPPER.createObjectNode();
        node.put("operation", row.cell().call().label());
        node.put("length", row.cell().length());
        node.put("repetitions", row.cell().repetitions());
        node.set("tallypost", figure(row, row.tallypost()));
        node.set("openMpi", figure(row, row.openMpi()));
        node.set("ratio", ratio(row.ratio()));
        node.set("raw", ratio(row.raw()));
        node.put("verdict", row.verdict() == null ? null : row.verdict().label());
        node.put("pairs", row.pairs());
        node.put("invalid", row.invalid());
        return node;
    }

    private static ObjectNode ratio(final Ratio ratio)
    {
        return ratio == null ? null : MAPPER.createObjectNode().put("median", rounded(ratio.median()))
            .put("low", rounded(ratio.low())).put("high", rounded(ratio.high()));
    }

    private ObjectNode figure(final ImbRow row, final ImbFigure figure)
    {
        if (figure == null || figure.average() == null)
        {
            return null;
        }
        final ObjectNode node = MAPPER.createObjectNode();
        node.put("minUs", micros(figure.leastNs()));
        node.put("avgUs", micros(figure.average().median()));
        node.put("maxUs", micros(figure.longestNs()));
        node.put("avgP99Us", micros(figure.tailNs()));
        node.put("avgQ1Us", micros(figure.average().q1()));
        node.put("avgQ3Us", micros(figure.average().q3()));
        final double throughput = throughput(row, figure);
        node.put("megabytesPerSecond", throughput > 0 ? rounded(throughput) : null);
        node.put("turns", figure.turns());
        node.put("disturbedShare", rounded(figure.disturbedShare()));
        node.put("wrong", figure.wrong());
        return node;
    }

    private double throughput(final ImbRow row, final ImbFigure figure)
    {
        return row.cell().call().megabytesPerSecond(
            row.cell().length(), spec.ranks(), figure.average().median(), figure.longestNs());
    }

    private static BigDecimal micros(final double nanos)
    {
        return rounded(nanos / NS_OF_A_MICROSECOND);
    }

    private static BigDecimal rounded(final double value)
    {
        return Double.isFinite(value) ? BigDecimal.valueOf(value).setScale(DIGITS, RoundingMode.HALF_UP) : null;
    }

    String text()
    {
        final StringBuilder text = new StringBuilder();
        text.append(spec.ranks()).append(" ranks in processes, us of a repetition (less is better), method ")
            .append(spec.method().label()).append(", memory ").append(spec.memory().label())
            .append(System.lineSeparator()).append(table());
        remarks(text);
        for (final ImbRow.Mean mean : ImbRow.means(rows))
        {
            text.append(String.format(Locale.ROOT, "%,d bytes: geometric mean of the ratios %.3f, of %d operations%n",
                mean.length(), mean.ratio(), mean.operations()));
        }
        rows.stream().filter((row) -> row.raw() != null).forEach((row) -> text.append(String.format(Locale.ROOT,
            "%s, %,d bytes: %.3f times %s [%.3f, %.3f]%n", row.cell().call().label(), row.cell().length(), row.raw().median(),
            row.cell().call().raw(row.cell().length()).label(), row.raw().low(), row.raw().high())));
        notes.forEach((note) -> text.append(note).append(System.lineSeparator()));
        return text.append(CompareTable.environment(environment)).toString();
    }

    private TextTable table()
    {
        final TextTable table = new TextTable(2, "operation", "bytes", "repetitions", "t_min", "t_avg", "t_max", "99 %", "MB/s",
            "Open MPI: t_min", "t_avg", "t_max", "99 %", "MB/s", "ratio", "low", "high", "verdict", "pairs", "disturbed",
            "and Open MPI");
        for (final ImbRow row : rows)
        {
            final Ratio ratio = row.ratio();
            final ImbFigure own = row.tallypost();
            final ImbFigure other = row.openMpi();
            table.add(row.cell().call().label(), String.format(Locale.ROOT, "%,d", row.cell().length()),
                Integer.toString(row.cell().repetitions()), time(own, own.leastNs()), average(own),
                time(own, own.longestNs()), time(own, own.tailNs()), throughputText(row, own),
                time(other, other == null ? 0 : other.leastNs()), average(other),
                time(other, other == null ? 0 : other.longestNs()), time(other, other == null ? 0 : other.tailNs()),
                throughputText(row, other),
                ratio == null ? "-" : number(ratio.median()), ratio == null ? "-" : number(ratio.low()),
                ratio == null ? "-" : number(ratio.high()),
                row.verdict() == null ? "-" : row.verdict().label(), Integer.toString(row.pairs()), disturbed(own),
                disturbed(other));
        }
        return table;
    }

    /** A line for each reason, with all rows that have it. */
    private void remarks(final StringBuilder text)
    {
        rows.stream().filter((row) -> row.invalid() != null)
            .collect(Collectors.groupingBy(ImbRow::invalid, LinkedHashMap::new, Collectors.mapping(
            (row) -> row.cell().call().label() + " " + row.cell().length(), Collectors.joining(", "))))
            .forEach((why, cells) -> text.append("INVALID: ").append(why).append(": ").append(cells)
            .append(System.lineSeparator()));
    }

    private static String disturbed(final ImbFigure figure)
    {
        return figure == null ? "-" : String.format(Locale.ROOT, "%.0f %%", 100 * figure.disturbedShare());
    }

    private static String average(final ImbFigure figure)
    {
        return time(figure, figure == null || figure.average() == null ? Double.NaN : figure.average().median());
    }

    private static String time(final ImbFigure figure, final double nanos)
    {
        return figure == null || !Double.isFinite(nanos) ? "-" :
            String.format(Locale.ROOT, "%,.2f", nanos / NS_OF_A_MICROSECOND);
    }

    private String throughputText(final ImbRow row, final ImbFigure figure)
    {
        final double throughput = figure == null || figure.average() == null ? 0 : throughput(row, figure);
        return throughput > 0 ? String.format(Locale.ROOT, "%,.2f", throughput) : "-";
    }

    private static String number(final double value)
    {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}

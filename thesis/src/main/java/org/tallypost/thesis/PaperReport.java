// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.report.Environment;
import org.tallypost.report.JsonFile;
import org.tallypost.report.ReportPage;

/**
 * What was found, written down three times: {@code paper.json}, which has the same bytes whenever the same is simulated with
 * the same seed; {@code facts.csv} and {@code series.csv}; and {@code paper.html}, which also says where and when it was run.
 */
public final class PaperReport
{
    private static final ObjectMapper MAPPER = JsonMapper.builder()
        .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
        .build();
    private static final int DIGITS = 4;

    private final Source source;
    private final Scale scale;
    private final long seed;
    private final boolean isComplete;
    private final List<Sheet> sheets;
    private final Findings findings;
    private final FactTable table;
    private final Reasons reasons;
    private final Map<String, Object> fabric;
    private final Map<String, String> real;

    PaperReport(
        final Source source,
        final Scale scale,
        final long seed,
        final boolean isComplete,
        final List<Sheet> sheets,
        final Findings findings,
        final FactTable table,
        final Map<String, Object> fabric,
        final Map<String, String> real)
    {
        this.source = source;
        this.scale = scale;
        this.seed = seed;
        this.isComplete = isComplete;
        this.sheets = sheets;
        this.findings = findings;
        this.table = table;
        this.reasons = Reasons.load(source);
        this.fabric = fabric;
        this.real = real;
    }

    /**
     * Whether all experiments were done.
     *
     * @return false if they were interrupted.
     */
    public boolean isComplete()
    {
        return isComplete;
    }

    /**
     * All facts of the figures that were made.
     *
     * @return what was found about each.
     */
    public List<Finding> found()
    {
        return sheets.stream().flatMap((sheet) -> findings.of(sheet.figure()).stream()).toList();
    }

    /**
     * Why a fact is not seen.
     *
     * @param finding that was made.
     * @return null if it agrees, or could not be judged.
     */
    public String reason(final Finding finding)
    {
        return Boolean.FALSE.equals(finding.agrees()) ? reasons.of(finding.fact().id()) : null;
    }

    void write(final Path directory, final Environment environment, final Map<String, Object> settings) throws IOException
    {
        final ObjectNode paper = tree(environment.versions());
        JsonFile.write(directory.resolve("paper.json"), paper);
        Files.writeString(directory.resolve("facts.csv"), factsCsv());
        Files.writeString(directory.resolve("series.csv"), seriesCsv());
        final ObjectNode page = MAPPER.createObjectNode();
        page.set("paper", paper);
        page.put("title", source.title());
        page.put("hasReal", !real.isEmpty());
        page.set("environment", MAPPER.valueToTree(environment));
        page.set("settings", MAPPER.valueToTree(settings));
        Files.writeString(directory.resolve("paper.html"), ReportPage.html(PaperReport.class, "page.html", page));
    }

    ObjectNode tree(final Map<String, String> versions)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        root.put("publication", source.publication());
        root.put("subject", source.subject());
        root.put("conditions", source.conditions(scale));
        root.put("scale", source.scale(scale));
        root.put("seed", seed);
        root.put("complete", isComplete);
        final ArrayNode facts = root.putArray("facts");
        found().forEach((finding) -> facts.add(fact(finding)));
        final ArrayNode figures = root.putArray("figures");
        final Marks marks = new Marks(table);
        sheets.forEach((sheet) -> figures.add(figure(sheet, marks)));
        root.set("fabric", MAPPER.valueToTree(fabric));
        root.set("words", MAPPER.valueToTree(table.words()));
        root.set("versions", MAPPER.valueToTree(versions));
        return root;
    }

    private ObjectNode fact(final Finding finding)
    {
        final Fact fact = finding.fact();
        final ObjectNode node = MAPPER.createObjectNode();
        node.put("id", fact.id());
        node.put("figure", fact.figure());
        node.put("claim", fact.claim());
        node.put("source", fact.source());
        node.put("expected", fact.expected());
        node.put("conditions", fact.conditions());
        node.put("simulated", finding.simulated());
        node.put("real", real.get(fact.id()));
        node.put("agrees", finding.agrees());
        node.put("reason", reason(finding));
        return node;
    }

    private static ObjectNode figure(final Sheet sheet, final Marks marks)
    {
        final ObjectNode node = MAPPER.createObjectNode();
        node.put("figure", sheet.figure());
        node.put("title", sheet.title());
        node.set("notes", MAPPER.valueToTree(sheet.notes()));
        node.set("parameters", MAPPER.valueToTree(sheet.parameters()));
        final ArrayNode plots = node.putArray("plots");
        for (final Plot plot : sheet.plots())
        {
            final ObjectNode drawn = plots.addObject();
            drawn.put("title", plot.title());
            drawn.put("kind", plot.kind().name().toLowerCase(Locale.ROOT));
            drawn.put("xTitle", plot.xTitle());
            drawn.put("yTitle", plot.yTitle());
            drawn.set("positions", MAPPER.valueToTree(plot.positions()));
            final ArrayNode series = drawn.putArray("series");
            for (final Series one : plot.series())
            {
                final ArrayNode values = series.addObject().put("label", one.label()).putArray("values");
                one.values().forEach((value) -> values.add(rounded(value)));
            }
            drawn.set("marks", marks(marks.of(sheet.figure(), plot)));
        }
        return node;
    }

    private static ArrayNode marks(final List<Mark> marks)
    {
        final ArrayNode all = MAPPER.createArrayNode();
        for (final Mark mark : marks)
        {
            final ArrayNode places = all.addObject().put("label", mark.label()).putArray("places");
            mark.places().forEach((place) ->
                places.addObject().put("position", place.position()).put("value", rounded(place.value())));
        }
        return all;
    }

    private static BigDecimal rounded(final Double value)
    {
        return value == null || !Double.isFinite(value) ? null :
            BigDecimal.valueOf(value).setScale(DIGITS, RoundingMode.HALF_UP);
    }

    private String factsCsv()
    {
        final StringBuilder text = new StringBuilder("id,figure,claim,source,expected,simulated,real,agrees\n");
        for (final Finding finding : found())
        {
            final Fact fact = finding.fact();
            text.append(String.join(",", quoted(fact.id()), quoted(fact.figure()), quoted(fact.claim()), quoted(fact.source()),
                quoted(fact.expected()), quoted(finding.simulated()), quoted(real.get(fact.id())),
                finding.agrees() == null ? "" : finding.agrees().toString())).append('\n');
        }
        return text.toString();
    }

    private String seriesCsv()
    {
        final StringBuilder text = new StringBuilder("figure,plot,series,position,value\n");
        for (final Sheet sheet : sheets)
        {
            for (final Plot plot : sheet.plots())
            {
                for (final Series one : plot.series())
                {
                    for (int i = 0; i < plot.positions().size(); i++)
                    {
                        final BigDecimal value = rounded(one.values().get(i));
                        text.append(String.join(",", quoted(sheet.figure()), quoted(plot.title()), quoted(one.label()),
                            quoted(plot.positions().get(i)), value == null ? "" : value.toPlainString())).append('\n');
                    }
                }
            }
        }
        return text.toString();
    }

    private static String quoted(final String text)
    {
        return text == null ? "" : '"' + text.replace("\"", "\"\"") + '"';
    }
}

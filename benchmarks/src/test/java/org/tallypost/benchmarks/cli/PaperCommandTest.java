// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.creditprotocol.StealPolicy;

@Tag("once")
class PaperCommandTest
{
    @TempDir
    private Path directory;
    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    private int execute(final String options)
    {
        return Tallypost.commandLine()
            .setOut(new PrintWriter(output)).setErr(new PrintWriter(errors)).execute(options.split(" "));
    }

    private byte[] paper(final String figure, final String name) throws IOException
    {
        final Path out = directory.resolve(name);
        assertEquals(0, execute("paper " + figure + " --quick --out " + out), errors::toString);
        return Files.readAllBytes(out.resolve("paper.json"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "paper 9.9|FIGURE: found '9.9', expected all, table-5.1, 6.4,",
        "paper|FIGURE",
        "paper ecclib --quick|--quick: found for 'ecclib', expected for other figures only",
        "paper deck --quick|--quick: found for 'deck', expected for other figures only",
        "paper deck --real|--real: found for 'deck', expected for other figures only; 'bench deck' measures on this machine",
        "paper loggp --quick|--quick: found for 'loggp', expected for other figures only",
        "paper loggp --real|--real: found for 'loggp', expected for other figures only; 'calibrate loggp' measures",
        "plan --ranks 1|--ranks: found 1, expected 2 to 2048",
        "plan --ranks 8 --active 9|--active: found 9, expected 2 to 8",
        "plan --ranks 8 --length 2049|--length: found 2049, expected 0 to 2048",
        "plan --ranks 8 --overhead little|--overhead: found little, expected a percentage, like 3%",
        "plan --ranks 8 --overhead 0%|--overhead: found 0%, expected more than 0 to 1000%",
        "plan --ranks 8 --credit-slots 0|--credit-slots: found 0, expected 1 to 256",
    })
    void shouldRefuseWithWhatWasFoundAndExpected(final String options, final String message)
    {
        assertEquals(2, execute(options), errors::toString);
        assertTrue(errors.toString().contains(message), errors::toString);
    }

    @Test
    void shouldReplayTheTraceAndTheTables() throws IOException
    {
        for (final String figure : new String[]{ "6.4", "table-5.1" })
        {
            final JsonNode facts = new ObjectMapper().readTree(paper(figure, figure)).get("facts");
            assertTrue(facts.size() >= 5);
            facts.forEach((fact) -> assertTrue(fact.get("agrees").asBoolean(), fact::toString));
        }
        assertTrue(output.toString().contains("8 of 8 published facts agree, 0 do not, 0 were not seen"), output::toString);
    }

    @Test
    void shouldSimulateTheSameBytesAgain() throws IOException
    {
        final byte[] first = paper("reference", "one");
        assertArrayEquals(first, paper("reference", "two"));
        final JsonNode facts = new ObjectMapper().readTree(first).get("facts");
        assertEquals("reference-pingpong-1", facts.get(0).get("id").asText());
        assertTrue(facts.get(0).get("agrees").asBoolean(), "the fabric is fitted to it: " + facts.get(0));
    }

    @Test
    void shouldJudgeWhatIsPublishedAboutEcclib() throws IOException
    {
        final Path out = directory.resolve("ecclib");
        assertEquals(0, execute("paper ecclib --seed 7 --out " + out), errors::toString);
        final JsonNode paper = new ObjectMapper().readTree(out.resolve("paper.json").toFile());
        int differing = 0;
        for (final JsonNode fact : paper.get("facts"))
        {
            final boolean differs = !fact.get("agrees").isNull() && !fact.get("agrees").asBoolean();
            assertEquals(differs, !fact.get("reason").isNull(), "a reason for what differs: " + fact);
            differing += differs ? 1 : 0;
        }
        assertEquals(32, paper.get("facts").size());
        assertTrue(output.toString().contains(31 - differing + " of 32 published facts agree, " + differing + " do not, 1 were " +
            "not seen"),
            output::toString);
        final String page = Files.readString(out.resolve("paper.html"));
        assertTrue(page.contains("\"title\":\"ECCLib, reproduced\""), "the page names its source");
        assertEquals("up to 8 hosts", paper.get("scale").asText());
    }

    @Test
    void shouldNameTheWrongRowsOfTable2() throws IOException
    {
        final Path out = directory.resolve("deck");
        assertEquals(0, execute("paper deck --out " + out), errors::toString);
        final byte[] first = Files.readAllBytes(out.resolve("paper.json"));
        assertEquals(5, output.toString().lines().filter((line) -> line.contains("reason:   Paper: the row is twice")).count(),
            output::toString);
        assertTrue(output.toString().contains(" published facts agree, 7 do not, 0 were not seen"), output::toString);
        assertEquals(0, execute("paper deck --seed 9 --out " + out), errors::toString);
        final byte[] second = Files.readAllBytes(out.resolve("paper.json"));
        assertEquals(new String(first).replace("\"seed\" : 1", ""), new String(second).replace("\"seed\" : 9", ""));
    }

    @Test
    void shouldPlanTheSlotsThatSomeTrafficNeeds()
    {
        assertEquals(0, execute("plan --ranks 32 --active 8 --length 500 --overhead 10%"), errors::toString);
        assertTrue(output.toString().matches("(?s).*\\n  new NodeContext\\(\\)\\.slotsPerSender\\(\\d+\\)\\R.*"),
            output::toString);
        for (final StealPolicy policy : StealPolicy.values())
        {
            final boolean isDefault = policy == StealPolicy.IDLE_FIRST;
            assertTrue(output.toString().contains(policy + (isDefault ? " (default)" : " ")), output::toString);
            assertEquals(!isDefault, output.toString().contains(".stealPolicy(StealPolicy." + policy + ")"), output::toString);
        }
        assertTrue(output.toString().contains(".flow(Flow.STATIC)"), output::toString);
        final String text = output.toString();
        assertTrue(text.contains("32 ranks, 8 of them active, messages of 500 bytes, 2 credit slots, overhead at most 10%"),
            text);
        assertTrue(text.matches("(?s).*static +\\d+ +[\\d,]+ .*MONITORED +\\d+ +[\\d,]+ .*"), text);
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.tallypost.benchmarks.Tallypost;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What an option is called, and what its value is, is alike in all commands. */
class OptionNamesTest
{
    private static final int MOST_COLUMNS = 100;
    /** Names that have values of several kinds, with what they are: a flag or a file, a number or a list, and so on. */
    private static final Map<String, Set<String>> TWOFOLD = Map.of(
        "--json", Set.of("", "FILE"),
        "--nodes", Set.of("N", "LIST"),
        "--out", Set.of("DIR", "FILE"),
        "--profile", Set.of("PROFILE", "FILE"),
        "--turn", Set.of("MS", "N"),
        "--work", Set.of("N", "NS"));
    /** Former names of options, which stay, and the ones that are shown first. */
    private static final Map<String, String> FORMER = Map.of("--message-length", "--length", "--np", "--ranks", "-n", "--ranks",
        "--warmups", "--warmup", "--warm-up", "--warmup-time");

    @Test
    void shouldHaveOneKindOfValueForEachName()
    {
        final Map<String, Set<String>> kinds = new TreeMap<>();
        final Map<String, Collection<String>> places = new TreeMap<>();
        forEachOption((command, option) ->
        {
            kinds.computeIfAbsent(option.longestName(), (name) -> new TreeSet<>()).add(kind(option));
            places.computeIfAbsent(option.longestName(), (name) -> new ArrayList<>()).add(command + " " + kind(option));
        });
        assertTrue(kinds.size() > 80, kinds::toString);
        kinds.forEach((name, found) -> assertTrue(found.size() == 1 || found.equals(TWOFOLD.get(name)),
            () -> name + " has values of different kinds: " + places.get(name)));
    }

    @Test
    void shouldShowOneNameForOneMeaning()
    {
        final List<String> found = new ArrayList<>();
        forEachOption((command, option) ->
        {
            for (final String name : option.names())
            {
                final String better = FORMER.get(name);
                if (better != null && !List.of(option.names()).contains(better))
                {
                    found.add(command + " " + name + ", expected " + better);
                }
            }
        });
        assertEquals(List.of(), found);
    }

    /** 60 is 60 s, and 500ms is half a second, whatever the command. */
    @Test
    void shouldTakeLimitsOfTimeWithAUnit()
    {
        final List<String> units = new ArrayList<>();
        forEachOption((command, option) ->
        {
            if (Set.of("--timeout", "--interval", "--grace", "--warmup-time").contains(option.longestName()))
            {
                units.add(kind(option));
            }
        });
        assertTrue(units.size() >= 8, units::toString);
        assertEquals(Set.of("TIME"), Set.copyOf(units));
    }

    @Test
    void shouldFitHelpOnNarrowTerminals()
    {
        forEachCommand(Tallypost.commandLine(), (command, line) -> line.getUsageMessage().lines().forEach((text) ->
            assertTrue(text.length() <= MOST_COLUMNS, () -> command + ": " + text.length() + " columns: " + text)));
    }

    private static String kind(final OptionSpec option)
    {
        return option.arity().max() == 0 ? "" : option.paramLabel();
    }

    private static void forEachOption(final BiConsumer<String, OptionSpec> action)
    {
        forEachCommand(Tallypost.commandLine(), (command, line) ->
        {
            final CommandSpec spec = line.getCommandSpec();
            spec.options().stream().filter((option) -> !option.hidden()).forEach((option) -> action.accept(command, option));
        });
    }

    private static void forEachCommand(final CommandLine line, final BiConsumer<String, CommandLine> action)
    {
        action.accept(line.getCommandSpec().qualifiedName(), line);
        line.getSubcommands().values().forEach((each) -> forEachCommand(each, action));
    }
}

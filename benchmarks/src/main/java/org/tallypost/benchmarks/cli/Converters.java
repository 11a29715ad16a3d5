// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.tallypost.benchmarks.plan.FlowSelection;
import org.tallypost.benchmarks.plan.MessagePath;
import org.tallypost.endpoint.CreditReturn;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Option values that are more than a number or a name of a file. A wrong one is told what was found and what is expected.
 */
final class Converters
{
    private Converters()
    {
    }

    private static <E extends Enum<E>> E parse(final Class<E> type, final String value)
    {
        return Arrays.stream(type.getEnumConstants())
            .filter(constant -> lower(constant).equals(value.toLowerCase(Locale.ROOT)))
            .findFirst()
            .orElseThrow(() -> new TypeConversionException("found '" + value + "', expected " +
                Arrays.stream(type.getEnumConstants()).map(Converters::lower).collect(Collectors.joining(", "))));
    }

    private static String lower(final Enum<?> constant)
    {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static final class FlowConverter implements ITypeConverter<FlowSelection>
    {
        @Override
        public FlowSelection convert(final String value)
        {
            return parse(FlowSelection.class, value);
        }
    }

    /**
     * An option's paths. A list alone would be taken for an option that can be given several times.
     *
     * @param list of one or several.
     */
    record Paths(List<MessagePath> list)
    {
    }

    /** One or several, with commas between them, or all. */
    static final class PathsConverter implements ITypeConverter<Paths>
    {
        @Override
        public Paths convert(final String value)
        {
            return new Paths(value.toLowerCase(Locale.ROOT).equals("all") ? List.of(MessagePath.values()) :
                Arrays.stream(value.split(",", -1)).map((each) -> parse(MessagePath.class, each)).distinct().toList());
        }
    }

    static final class CreditReturnConverter implements ITypeConverter<CreditReturn>
    {
        @Override
        public CreditReturn convert(final String value)
        {
            return parse(CreditReturn.class, value);
        }
    }
}

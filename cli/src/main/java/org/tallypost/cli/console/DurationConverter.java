// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.console;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A time as the value of an option: milliseconds, seconds or minutes, and seconds if no unit is given.
 */
public final class DurationConverter implements ITypeConverter<Duration>
{
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m)?");
    private static final int MS_PER_S = 1_000;
    private static final int MS_PER_MINUTE = 60_000;

    /**
     * A time as a user writes it, for messages about a value that cannot be.
     *
     * @param time of whole milliseconds.
     * @return the number with the greatest unit that leaves no rest.
     */
    public static String text(final Duration time)
    {
        final long ms = time.toMillis();
        return ms % MS_PER_MINUTE == 0 ? ms / MS_PER_MINUTE + "m" : ms % MS_PER_S == 0 ? ms / MS_PER_S + "s" : ms + "ms";
    }

    @Override
    public Duration convert(final String value)
    {
        final Matcher matcher = FORM.matcher(value);
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0)
        {
            throw new TypeConversionException("found '" + value + "', expected a time such as 500ms, 1s or 2m");
        }
        final long number = Long.parseLong(matcher.group(1));
        final String unit = matcher.group(2) == null ? "s" : matcher.group(2);
        return switch (unit)
        {
            case "ms" -> Duration.ofMillis(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofSeconds(number);
        };
    }
}

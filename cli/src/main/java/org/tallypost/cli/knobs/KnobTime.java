// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.knobs;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Times of knobs as values of options: such as 2us for o, g and L, and 11us/100B for G. */
final class KnobTime
{
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(ns|us|ms|s)?(?:/(\\d{0,6})B)?");
    private static final int PS_IN_NS = 1_000;

    private KnobTime()
    {
    }

    /** Nanoseconds. */
    static final class OfMessage implements ITypeConverter<Long>
    {
        @Override
        public Long convert(final String value)
        {
            final Matcher matcher = FORM.matcher(value);
            if (!matcher.matches() || matcher.group(3) != null || matcher.group(2) == null && !"0".equals(value))
            {
                throw new TypeConversionException("found '" + value + "', expected a time such as 500ns, 2us, 1.5ms, or 0");
            }
            return nanoseconds(matcher).setScale(0, RoundingMode.HALF_UP).longValueExact();
        }
    }

    /** Picoseconds for each byte. */
    static final class OfByte implements ITypeConverter<Long>
    {
        @Override
        public Long convert(final String value)
        {
            final Matcher matcher = FORM.matcher(value);
            final boolean isForm = matcher.matches();
            final String bytes = isForm ? matcher.group(3) : null;
            final long length = bytes == null || bytes.isEmpty() ? 1 : Long.parseLong(bytes);
            if (!isForm || length == 0 || (matcher.group(2) == null || bytes == null) && !"0".equals(value))
            {
                throw new TypeConversionException(
                    "found '" + value + "', expected a time for bytes such as 11us/100B, 5ns/B, or 0");
            }
            return nanoseconds(matcher).multiply(BigDecimal.valueOf(PS_IN_NS))
                .divide(BigDecimal.valueOf(length), 0, RoundingMode.HALF_UP).longValueExact();
        }
    }

    private static BigDecimal nanoseconds(final Matcher matcher)
    {
        final String unit = matcher.group(2) == null ? "ns" : matcher.group(2);
        final long factor = switch (unit)
        {
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            default -> 1L;
        };
        return new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(factor));
    }

    /** Microseconds with three digits, for tables. */
    static String text(final long nanoseconds)
    {
        return String.format(Locale.ROOT, "%.3f", nanoseconds / 1_000.0);
    }
}

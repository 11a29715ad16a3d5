// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.mailbox;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How well the colours of a page are told apart, as WCAG 2.1 defines it. */
public final class Contrast
{
    /** Least for text. */
    public static final double OF_TEXT = 4.5;
    /** Least for lines of a plot. */
    public static final double OF_LINES = 3;

    private Contrast()
    {
    }

    /** The colours that a part of a style sheet gives names to, without the two hyphens and the sign of a number. */
    public static Map<String, String> colours(final String css)
    {
        final Map<String, String> colours = new HashMap<>();
        final Matcher each = Pattern.compile("--([a-z0-9-]+): #([0-9a-f]{6});").matcher(css);
        while (each.find())
        {
            colours.put(each.group(1), each.group(2));
        }
        return colours;
    }

    /** From 1 to 21, whichever is the brighter one. */
    public static double between(final String one, final String other)
    {
        final double first = luminance(one);
        final double second = luminance(other);
        return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
    }

    private static double luminance(final String colour)
    {
        final double[] weights = {0.2126, 0.7152, 0.0722};
        double sum = 0;
        for (int i = 0; i < weights.length; i++)
        {
            final double part = Integer.parseInt(colour.substring(2 * i, 2 * i + 2), 16) / 255.0;
            sum += weights[i] * (part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
        }
        return sum;
    }
}

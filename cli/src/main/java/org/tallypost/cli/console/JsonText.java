// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.console;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * JSON in one line: of records, maps, collections, texts, numbers, truth values and null. A library that reads JSON as well would
 * be several times as large as the command.
 */
public final class JsonText
{
    private static final String ESCAPED = "\"\\\b\t\n\f\r";
    private static final String LETTERS = "\"\\btnfr";

    private JsonText()
    {
    }

    /**
     * Writes a value.
     *
     * @param value to write.
     * @return one line, without its end.
     * @throws IllegalArgumentException for what is no such value.
     */
    public static String of(final Object value)
    {
        if (value instanceof String text)
        {
            return quoted(text);
        }
        if (value instanceof Map<?, ?> map)
        {
            return object(map.entrySet().stream().map((entry) -> member(entry.getKey().toString(), entry.getValue())));
        }
        if (value instanceof Collection<?> values)
        {
            return values.stream().map(JsonText::of).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Record)
        {
            return object(
                Stream.of(value.getClass().getRecordComponents()).map((part) -> member(part.getName(), get(value, part))));
        }
        if (value == null || value instanceof Number || value instanceof Boolean)
        {
            return String.valueOf(value);
        }
        throw new IllegalArgumentException("no JSON: found " + value.getClass());
    }

    private static String object(final Stream<String> members)
    {
        return members.collect(Collectors.joining(",", "{", "}"));
    }

    private static String member(final String name, final Object value)
    {
        return quoted(name) + ":" + of(value);
    }

    private static Object get(final Object record, final RecordComponent part)
    {
        try
        {
            return part.getAccessor().invoke(record);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalArgumentException("no JSON: " + part, ex);
        }
    }

    private static String quoted(final String text)
    {
        final StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++)
        {
            final char letter = text.charAt(i);
            final int index = ESCAPED.indexOf(letter);
            if (index >= 0)
            {
                quoted.append('\\').append(LETTERS.charAt(index));
            }
            else if (PrintableText.isObeyed(letter))
            {
                quoted.append(String.format("\\u%04X", (int)letter));
            }
            else
            {
                quoted.append(letter);
            }
        }
        return quoted.append('"').toString();
    }
}

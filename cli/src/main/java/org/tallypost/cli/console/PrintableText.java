// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.console;

/**
 * Text that another user may have written, such as the name of a directory or of a group, for a terminal. A terminal obeys
 * control characters, and characters that turn the direction of writing make a line look like another one.
 */
public final class PrintableText
{
    private static final char INSTEAD = '?';

    private PrintableText()
    {
    }

    /**
     * A text in one line, without what a terminal obeys.
     *
     * @param text to print; null is printed as such.
     * @return the same text with a question mark for each control character, format character, and separator of lines.
     */
    public static String of(final Object text)
    {
        final StringBuilder printable = new StringBuilder(String.valueOf(text));
        for (int i = 0; i < printable.length(); i++)
        {
            if (isObeyed(printable.charAt(i)))
            {
                printable.setCharAt(i, INSTEAD);
            }
        }
        return printable.toString();
    }

    /**
     * Whether a terminal may do something else with a character than show it.
     *
     * @param character in question.
     * @return true for controls, formats, and separators of lines and paragraphs.
     */
    static boolean isObeyed(final char character)
    {
        return switch (Character.getType(character))
        {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import org.tallypost.transportaeron.internal.Texts;

/**
 * Where a node receives: a host and a UDP port.
 *
 * @param host name or address; an IPv6 address without brackets.
 * @param port from 1 to 65,535.
 */
public record NodeAddress(String host, int port)
{
    private static final int MAX_PORT = 65_535;

    /**
     * An address.
     *
     * @param host not empty.
     * @param port from 1 to 65,535.
     * @throws IllegalArgumentException if the host is empty or has characters that no host has, or the port is out of range.
     */
    public NodeAddress
    {
        if (host.isEmpty() || !host.chars().allMatch(NodeAddress::isHostCharacter))
        {
            throw new IllegalArgumentException("no host name or address: found=\"" + host + "\"");
        }
        if (port < 1 || port > MAX_PORT)
        {
            throw new IllegalArgumentException("port out of range: found=" + port + ", expected=1 to " + MAX_PORT +
                ", host=" + host);
        }
    }

    // the address becomes part of a channel's description, in which other characters have a meaning
    private static boolean isHostCharacter(final int c)
    {
        return c < 128 && (Character.isLetterOrDigit(c) || c == '.' || c == '-' || c == '_' || c == ':');
    }

    /**
     * Reads "host", "host:port" or "[IPv6 address]:port".
     *
     * @param text        to read.
     * @param defaultPort if the text has none.
     * @return the address.
     * @throws IllegalArgumentException if it is none.
     */
    public static NodeAddress parse(final String text, final int defaultPort)
    {
        final boolean isBracketed = text.startsWith("[");
        final int close = isBracketed ? text.indexOf(']') : -1;
        if (isBracketed && close < 0)
        {
            throw new IllegalArgumentException("no end of an address in brackets: found=\"" + text + "\"");
        }
        final String rest = isBracketed ? text.substring(close + 1) : text;
        final int colon = rest.indexOf(':');
        if (colon != rest.lastIndexOf(':'))
        {
            throw new IllegalArgumentException("an IPv6 address goes into brackets: found=\"" + text + "\"");
        }
        final String name = colon < 0 ? rest : rest.substring(0, colon);
        if (isBracketed && !name.isEmpty())
        {
            throw new IllegalArgumentException("nothing but a port follows an address in brackets: found=\"" + text + "\"");
        }
        final String host = isBracketed ? text.substring(1, close) : name;
        return new NodeAddress(host, colon < 0 ? defaultPort : Texts.number("port", rest.substring(colon + 1)));
    }

    @Override
    public String toString()
    {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}

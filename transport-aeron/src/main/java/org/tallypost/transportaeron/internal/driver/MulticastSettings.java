// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Where nodes send to all others at once.
 *
 * @param address          a multicast address and a port.
 * @param networkInterface by which a node does it, as Aeron wants it.
 */
public record MulticastSettings(String address, String networkInterface)
{
    /** Of the streams, in bytes: the window of a receiver is half of it. */
    static final int TERM_LENGTH = 1 << 18;

    /** Refuses what Aeron would refuse later. */
    public void check()
    {
        if (!isMulticast())
        {
            throw new IllegalArgumentException("no multicast address: found=" + address +
                ", expected one with an odd last byte, such as 239.255.0.1:40200");
        }
        if (networkInterface == null || !networkInterface.matches("[0-9A-Za-z.:%\\[\\]/_-]+"))
        {
            throw new IllegalArgumentException("no network interface: found=" + networkInterface +
                ", expected its address on this node, such as 10.0.0.5");
        }
    }

    private boolean isMulticast()
    {
        final String host = address.substring(0, address.lastIndexOf(':'));
        // a name is not looked up
        if (!Character.isDigit(host.charAt(0)) && host.charAt(0) != '[')
        {
            return false;
        }
        try
        {
            final InetAddress found = InetAddress.getByName(host);
            final byte[] bytes = found.getAddress();
            return found.isMulticastAddress() && (bytes[bytes.length - 1] & 1) == 1;
        }
        catch (final UnknownHostException ex)
        {
            return false;
        }
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.blocking;

/**
 * A message that was received.
 *
 * @param source rank of its sender.
 * @param tag    given by its sender.
 * @param bytes  of the message, for the program to keep.
 */
public record ReceivedMessage(int source, int tag, byte[] bytes)
{
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Named mail boxes for packed messages. A message's way: {@link org.tallypost.deck.Message}, Posting, the messenger; at the owner
 * IncomingMessages, BufferPool, {@link org.tallypost.deck.MailBox}, and Message again. Names: NameRequest, Controls, Names.
 */
package org.tallypost.deck;

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Named mail boxes for packed messages. A message's way: {@link org.tallypost.deck.Message} with PackedItems, Posting, the
 * messenger; at the owner IncomingMessages, BufferPool, {@link org.tallypost.deck.MailBox}, and Message again with
 * RetrievedItems. Names: NameRequest, Controls, Names. Operations has what is asked for, and all waits.
 */
package org.tallypost.deck;

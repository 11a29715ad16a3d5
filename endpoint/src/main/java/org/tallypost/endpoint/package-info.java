// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What people embed: a node, its endpoints, and the messages between them. Here the mailbox meets the credit protocol.
 */
package org.tallypost.endpoint;

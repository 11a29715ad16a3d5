// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The sending side of an endpoint: by the ring of a mailbox and by express lanes. Begin with Outbox. Not for programs.
 */
package org.tallypost.endpoint.internal.send;

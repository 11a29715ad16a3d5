// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The receiving side of an endpoint: polls, delivers, and gives credits back. Begin with Inbox. Not for programs.
 */
package org.tallypost.endpoint.internal.receive;

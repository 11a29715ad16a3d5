// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The part of a node that all endpoints of a process share: its files and mappings, and the processes that live. Not for
 * programs.
 */
package org.tallypost.endpoint.internal.node;

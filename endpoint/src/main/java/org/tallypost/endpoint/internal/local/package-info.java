// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Puts the parts together: a node as this process takes part in it, and its endpoints. Not for programs.
 */
package org.tallypost.endpoint.internal.local;

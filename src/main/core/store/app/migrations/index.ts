import type { Migration } from '../../sqlite/index.ts';
import { settingsSecretsLedger } from './0001-settings-secrets-ledger.ts';
import { proposals } from './0002-proposals.ts';
import { profiles } from './0003-profiles.ts';
import { agents } from './0004-agents.ts';
import { ledgerFilters } from './0005-ledger-filters.ts';
import { toolChanges } from './0006-tool-changes.ts';
import { profilesAndPruning } from './0007-profiles-and-pruning.ts';
import { reportNotes } from './0008-report-notes.ts';

/** The schema of countersign.sqlite, step by step. New steps are added at the end. */
export const appMigrations: readonly Migration[] = [
  settingsSecretsLedger,
  proposals,
  profiles,
  agents,
  ledgerFilters,
  toolChanges,
  profilesAndPruning,
  reportNotes,
];

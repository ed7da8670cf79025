import { join } from 'node:path';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { createSqlRows, type OAuthRows } from '../oauth-rows.ts';
import {
  copyOnline,
  createWriteGuard,
  type FolderLock,
  guardParts,
  hasOwnSchema,
  openDatabase,
  refuseForeignSchema,
  returnPages,
  withStorageErrors,
} from '../sqlite/index.ts';
import { createAgentCallRows, type AgentCallReader, type AgentCallWriter } from './agents/agent-call-rows.ts';
import { createAgentRows, type AgentReader, type AgentWriter } from './agents/agent-rows.ts';
import { createRefusedAttemptRows, type RefusedAttemptRows } from './agents/refused-attempt-rows.ts';
import { createToolPinRows, type ToolPinRows } from './agents/tool-pin-rows.ts';
import {
  createDecisionReader,
  createLedgerReader,
  createLedgerWriter,
  type DecisionReader,
  type LedgerReader,
  type LedgerWriter,
} from './ledger/index.ts';
import { type CampaignCopyRows, createCampaignCopyRows } from './campaigns/campaign-copy-rows.ts';
import {
  type CampaignNoteRows,
  type CampaignViewRows,
  createCampaignNoteRows,
  createCampaignViewRows,
} from './campaigns/campaign-note-rows.ts';
import { createStatusChangeRows, type StatusChangeRows } from './campaigns/status-change-rows.ts';
import {
  createCachedRows,
  type CampaignCacheReader,
  type CampaignCacheWriter,
} from './campaigns/campaign-cache-rows.ts';
import { createDraftTables, type DraftTables } from './drafts/index.ts';
import { refuseContradictions } from './contradictions.ts';
import { appMigrations } from './migrations/index.ts';
import {
  createProfileRows,
  createSecretRows,
  createSettingRows,
  type ProfileReader,
  type ProfileWriter,
  type SecretReader,
  type SecretWriter,
  type SettingReader,
  type SettingWriter,
} from './settings-and-profiles.ts';
import {
  createProposalRows,
  type ProposalPruner,
  type ProposalReader,
  type ProposalWriter,
} from './proposals/index.ts';
import { createAlertRows, type AlertReader, type AlertWriter } from './reports/alert-rows.ts';
import { createMarkRows, type MarkReader, type MarkWriter } from './reports/mark-rows.ts';
import { createViewRows, type ViewReader, type ViewWriter } from './reports/view-rows.ts';
import { createUploadRows, type UploadRows } from './upload-rows.ts';
import { createTransactions, type Transactions } from './transactions.ts';

/** The app's own database, countersign.sqlite in the data folder. */
export const appDatabaseName = 'countersign.sqlite';

/** One repository per aggregate over one file, so that a state and its ledger row share a transaction. */
export interface AppStore extends AsyncDisposable, Transactions {
  /** The data folder. */
  folder: string;
  /** New path of a damaged database that was moved at this start, or null. */
  setAside: string | null;
  settings: SettingReader & SettingWriter;
  secrets: SecretReader & SecretWriter;
  ledger: LedgerReader & LedgerWriter;
  decisions: DecisionReader;
  proposals: ProposalReader & ProposalWriter & ProposalPruner;
  profiles: ProfileReader & ProfileWriter;
  campaignCache: CampaignCacheReader & CampaignCacheWriter;
  statusChanges: StatusChangeRows;
  drafts: DraftTables;
  campaignCopies: CampaignCopyRows;
  uploads: UploadRows;
  agents: AgentReader & AgentWriter;
  agentCalls: AgentCallReader & AgentCallWriter;
  toolPins: ToolPinRows;
  refusedAttempts: RefusedAttemptRows;
  campaignNotes: CampaignNoteRows;
  campaignViews: CampaignViewRows;
  reportMarks: MarkReader & MarkWriter;
  reportViews: ViewReader & ViewWriter;
  reportAlerts: AlertReader & AlertWriter;
  /** Rows of the gateway's authorization server. */
  oauth: OAuthRows;
  /** Gives a part of the pages that nothing uses back to the disk; true while more are left. Outside transactions. */
  returnPages(): boolean;
  /** Copies everything, secrets included, into a file, while it is read and written. Fails as the disk does. */
  copyTo(file: string): Promise<void>;
}

/** Refuses a newer or unknown schema before anything is opened: `schema_newer` or `schema_unknown`. */
export function refuseForeignAppSchema(folder: string): void {
  refuseForeignSchema(join(folder, appDatabaseName), appMigrations);
}

/** True if an app's database has exactly the tables, triggers and so on of its schema number. Fails as {@link hasOwnSchema}. */
export function hasOwnAppSchema(file: string): boolean {
  return hasOwnSchema(file, appMigrations);
}

/**
 * Opens or makes the app's database. Fails as {@link openDatabase}, and with `rows_contradict`. The caller disposes. Writes fail with
 * `lock_lost` once the lock of the folder is lost, and with `storage_failed` once the file is no longer in its place.
 */
export function openAppStore(options: {
  folder: string;
  clock: Clock;
  logger: Logger;
  /** Of the folder; only a folder that nothing else can open needs none. */
  lock?: FolderLock;
}): AppStore {
  const { folder, clock, logger, lock } = options;
  const file = join(folder, appDatabaseName);
  const { db, setAside, dispose } = openDatabase({ file, migrations: appMigrations, clock, logger, lock });
  try {
    withStorageErrors(() => refuseContradictions(db));
  } catch (failure) {
    db.close();
    throw failure;
  }
  const guard = createWriteGuard(db, { file, clock, lock });
  const parts = {
    settings: createSettingRows(db),
    secrets: createSecretRows(db),
    ledger: { ...createLedgerReader(db), ...createLedgerWriter(db) },
    decisions: createDecisionReader(db),
    proposals: createProposalRows(db),
    profiles: createProfileRows(db),
    campaignCache: createCachedRows(db),
    statusChanges: createStatusChangeRows(db),
    drafts: createDraftTables(db),
    campaignCopies: createCampaignCopyRows(db),
    uploads: createUploadRows(db),
    agents: createAgentRows(db),
    agentCalls: createAgentCallRows(db),
    toolPins: createToolPinRows(db),
    refusedAttempts: createRefusedAttemptRows(db),
    campaignNotes: createCampaignNoteRows(db),
    campaignViews: createCampaignViewRows(db),
    reportMarks: createMarkRows(db),
    reportViews: createViewRows(db),
    reportAlerts: createAlertRows(db),
    oauth: createSqlRows(db),
  };
  return {
    ...createTransactions(db, logger, guard.check),
    // A statement of its own, outside of every transaction, meets the same disk.
    ...guardParts(parts, guard.call),
    returnPages: () => withStorageErrors(() => returnPages(db)),
    copyTo: (copy) => copyOnline(db, copy),
    folder,
    setAside,
    dispose,
  };
}

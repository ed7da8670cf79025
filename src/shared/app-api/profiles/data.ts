import { z } from 'zod';
import { deletionWord } from '../constants.ts';
import { nothing, reasonSchema, request } from '../define.ts';

/** One part of a file in Base64. The limit must be well below the message limit of every host. */
const partSchema = z.base64().max(700_000);

const runId = z.object({ id: z.string().min(1).max(100) });

const ledgerEndSchema = z.object({ rows: z.int(), head: z.string() });

const restoreViewSchema = z.object({
  madeAtMs: z.number(),
  version: z.string(),
  ledger: ledgerEndSchema,
  current: ledgerEndSchema,
  /** Number of live profiles in the backup. Each needs a new sign-in after a restore. */
  profiles: z.int(),
  /** Number of undecided or approved proposals in the backup. A restore withdraws them; they are never sent. */
  open: z.int(),
  agents: z.int(),
});

export type RestoreView = z.infer<typeof restoreViewSchema>;

const lastRestoreSchema = z.object({
  atMs: z.number(),
  failure: reasonSchema.nullable(),
});

/**
 * Backup, restore and deletion of the data folder. None of these requests reaches a service, except that a deletion
 * signs out.
 */
export const dataApi = {
  'data.get': request(
    nothing,
    z.object({
      lastBackupAtMs: z.number().nullable(),
      lastRestore: lastRestoreSchema.nullable(),
      replaced: z.array(z.string()),
    }),
  ),
  /**
   * Makes a backup of the current state. Replaces a backup that was made but not fetched. Fails with `data_busy`, or as
   * the disk does.
   */
  'data.backupStart': request(
    nothing,
    runId.extend({ /** A file name to suggest. */ name: z.string(), bytes: z.int() }),
  ),
  /** The bytes from an offset; `next` is the next offset, null at the end. Fails with `data_run_ended`. */
  'data.backupPart': request(
    runId.extend({ offset: z.int().min(0) }),
    z.object({ bytes: partSchema, next: z.int().nullable() }),
  ),
  /**
   * Removes the core's own copy of the backup. `isSaved` means that the file is complete at the place that the person
   * chose.
   */
  'data.backupEnd': request(runId.extend({ isSaved: z.boolean() }), nothing),
  'data.restoreStart': request(nothing, runId),
  'data.restorePart': request(runId.extend({ bytes: partSchema }), nothing),
  /**
   * Checks hashes, databases and ledger. Replaces nothing. Fails with `backup_unreadable`, `backup_newer`,
   * `backup_damaged` or `data_run_ended`.
   */
  'data.restoreCheck': request(runId, restoreViewSchema),
  'data.restoreDrop': request(nothing, nothing),
  /**
   * Replaces the data with the checked backup. The core stops all work and starts again with the restored data. Fails
   * with `data_run_ended`.
   */
  'data.restore': request(runId, nothing),
  'data.diagnostics': request(nothing, z.object({ text: z.string() })),
  /** Signs out of every service, deletes the contents of the data folder, and starts again. Fails with `training_running`. */
  'data.delete': request(z.object({ word: z.literal(deletionWord) }), nothing),
};

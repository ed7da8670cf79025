import { z } from 'zod';
import { deletionWord } from '../constants.ts';
import { nothing, reasonSchema, request } from '../define.ts';

/** Bytes of one message as base64, well below what the hosts take at once. */
const partSchema = z.base64().max(700_000);

const runId = z.object({ id: z.string().min(1).max(100) });

const ledgerEndSchema = z.object({ rows: z.int(), head: z.string() });

const restoreViewSchema = z.object({
  madeAtMs: z.number(),
  version: z.string(),
  ledger: ledgerEndSchema,
  current: ledgerEndSchema,
  /** Live profiles in the backup: each needs a sign-in afterwards. */
  profiles: z.int(),
  /** Proposals that wait or are approved in it: they are withdrawn, and never sent. */
  open: z.int(),
  /** Agents that are admitted in it: their access ends. */
  agents: z.int(),
});

export type RestoreView = z.infer<typeof restoreViewSchema>;

const lastRestoreSchema = z.object({
  atMs: z.number(),
  failure: reasonSchema.nullable(),
});

/** Backup, restore and deletion of the data folder. Nothing here reaches a service, except the sign-outs of a deletion. */
export const dataApi = {
  'data.get': request(
    nothing,
    z.object({
      lastBackupAtMs: z.number().nullable(),
      lastRestore: lastRestoreSchema.nullable(),
      replaced: z.array(z.string()),
    }),
  ),
  /** Makes a backup of this moment, in place of one that was made and not fetched. Fails with `data_busy`, or as the disk does. */
  'data.backupStart': request(
    nothing,
    runId.extend({ /** A file name to suggest. */ name: z.string(), bytes: z.int() }),
  ),
  /** The bytes from an offset; `next` is the next offset, null at the end. Fails with `data_run_ended`. */
  'data.backupPart': request(
    runId.extend({ offset: z.int().min(0) }),
    z.object({ bytes: partSchema, next: z.int().nullable() }),
  ),
  /** Removes the core's own copy; `isSaved` says that the file has arrived where a person wanted it. */
  'data.backupEnd': request(runId.extend({ isSaved: z.boolean() }), nothing),
  'data.restoreStart': request(nothing, runId),
  'data.restorePart': request(runId.extend({ bytes: partSchema }), nothing),
  /** Checks hashes, databases and ledger; replaces nothing. Fails with `backup_unreadable`, `backup_newer`, `backup_damaged`, `data_run_ended`. */
  'data.restoreCheck': request(runId, restoreViewSchema),
  'data.restoreDrop': request(nothing, nothing),
  /** Puts the checked backup in the place of the data: the core ends what is under way and begins again with it. Fails with `data_run_ended`. */
  'data.restore': request(runId, nothing),
  'data.diagnostics': request(nothing, z.object({ text: z.string() })),
  /** Signs out everywhere, deletes the data folder's contents and begins again. Fails with `training_running`. */
  'data.delete': request(z.object({ word: z.literal(deletionWord) }), nothing),
};

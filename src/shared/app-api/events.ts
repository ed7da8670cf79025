import { z } from 'zod';

/** Events that the core sends to the pages. They carry ids, never state: the page reads again. */
export const appEventSchema = z.discriminatedUnion('kind', [
  /** These campaigns may have moved; any may have where none is named. */
  z.object({ kind: z.literal('campaigns.changed'), cids: z.array(z.int()) }),
  z.object({ kind: z.literal('campaigns.loading') }),
  z.object({ kind: z.literal('campaigns.searching') }),
  z.object({ kind: z.literal('proposals.changed'), id: z.string() }),
  /** Drafts of these campaigns of the active profile, the latest check of them, or any of both if none is named. */
  z.object({ kind: z.literal('drafts.changed'), cids: z.array(z.int()) }),
  z.object({ kind: z.literal('uploads.changed') }),
  z.object({ kind: z.literal('notes.changed') }),
  z.object({ kind: z.literal('ledger.changed') }),
  z.object({ kind: z.literal('status.changed') }),
  z.object({ kind: z.literal('profiles.changed') }),
  z.object({ kind: z.literal('formats.changed') }),
  z.object({ kind: z.literal('policy.changed') }),
  z.object({ kind: z.literal('signIn.changed') }),
  z.object({ kind: z.literal('doctor.changed') }),
  z.object({ kind: z.literal('agents.changed') }),
  z.object({ kind: z.literal('reports.changed') }),
  z.object({ kind: z.literal('alerts.crossed'), alertId: z.string() }),
  z.object({ kind: z.literal('schedules.changed') }),
  /** A backup was restored, or the data deleted: nothing that was read is true any more, and a page is loaded anew. */
  z.object({ kind: z.literal('data.replaced') }),
  /** The open workspace of training, its phase or its counts; a page of a workspace that was opened or closed is loaded anew. */
  z.object({ kind: z.literal('training.changed') }),
]);

export type AppEvent = z.infer<typeof appEventSchema>;

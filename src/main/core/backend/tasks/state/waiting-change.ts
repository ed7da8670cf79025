import { z } from 'zod';
import type { TaskRow } from '#core/store/backend/index.ts';

/** What the prepare of a due change answered, as `svc_list_tasks` shows it. */
export const waitingChangeSchema = z.strictObject({
  id: z.string(),
  fingerprint: z.string(),
  expiresAt: z.string(),
  kind: z.string().describe('The kind of write, for example campaign_status.'),
  payload: z.json(),
  diff: z.array(z.strictObject({ field: z.string(), from: z.json(), to: z.json() })),
  warnings: z.array(z.string()),
});

export type WaitingChange = z.infer<typeof waitingChangeSchema>;

/** The change that waits for its approval; null when none does. */
export function waitingChangeOf({ approval }: Pick<TaskRow, 'approval'>): WaitingChange | null {
  return approval === null ? null : waitingChangeSchema.parse(JSON.parse(approval));
}

import { z } from 'zod';
import { request } from '../define.ts';

const cid = z.int().positive();
/** A day of the profile's service zone. */
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u);

/** A campaign as it was before its first change of a day. */
export const campaignCopySchema = z.object({
  day,
  atMs: z.number(),
  /** Labels of the fields that are different in the latest read; those of unknown fields are foreign text. */
  differs: z.array(z.string()),
});

export type CampaignCopyView = z.infer<typeof campaignCopySchema>;

/** The time for which copies are kept. */
export const copyDaysSchema = z.int().min(1).max(365);

const copyDays = z.object({ days: copyDaysSchema });

/** Copies of the campaigns of the active profile's account. They are on this computer only. */
export const copiesApi = {
  /** Newest first. Fails as the read does where the campaign was never read. */
  'copies.list': request(z.object({ cid }), z.object({ items: z.array(campaignCopySchema) })),
  /**
   * Reads the campaign and drafts, as one step, the values of the copy for every field that is different now. Fields that the campaign
   * no longer has are left out and named. Fails with `copy_unknown`, `nothing_to_change`, `draft_proposed`, or as the read does.
   */
  'copies.restore': request(
    z.object({ cid, day }),
    z.object({ title: z.string(), drafted: z.int(), skipped: z.array(z.string()) }),
  ),
  'copies.days': request(z.object({}), copyDays),
  /** Copies that are older go at once. Fails as the ledger does. */
  'copies.setDays': request(copyDays, copyDays),
};

import type { CampaignContext } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** What a write that was read back did to one campaign: the fields that it changed, and no others, as raw JSON values. */
export interface Effect {
  cid: number;
  /** Foreign text, as the service gave it. */
  name: string;
  /** As the person saw them; a field that was absent is absent. */
  before: JsonObject;
  /** As the service keeps them. */
  after: JsonObject;
  /** For the words; null where the write knew none. */
  context: CampaignContext | null;
}

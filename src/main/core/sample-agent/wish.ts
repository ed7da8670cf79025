import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** One change that the sample agent wants. */
export interface Wish {
  /** Completes “Asked to …”. */
  what: string;
  /** Why, in the agent's own words; a person reads them as a quotation. */
  why: string;
  /** The tool that prepares it, and its arguments. */
  tool: 'svc_prepare_campaign_update' | 'svc_prepare_campaign_status';
  args: JsonObject;
}

/** How much the sample agent proposes: everything, or what fits a short demonstration. */
export type Script = 'whole' | 'short';

import type { CampaignContext } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { toMicros } from '#shared/lib/decimal.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface OutsideEdit {
  cid: number;
  fields: JsonObject;
  /** One sentence; foreign text is quoted. */
  words: string;
}

const active = 1;

/** The part by which the bid is raised, or lowered where it would leave the type's range. */
const step = 0.05;

/**
 * Another bid for a campaign: the one that is named, or else the running one at `turn` of all of them. Fails with
 * `campaign_not_found`.
 */
export function outsideEdit(
  { campaigns, context }: { campaigns: readonly JsonObject[]; context: CampaignContext },
  wanted: { cid: number | null; turn: number },
  formats: Formats,
): OutsideEdit {
  const running = campaigns.filter(({ status }) => status === active);
  const campaign =
    wanted.cid === null
      ? running[wanted.turn % Math.max(1, running.length)]
      : campaigns.find(({ cid }) => cid === wanted.cid);
  if (campaign === undefined) throw new AppError('campaign_not_found');
  const { cid, name, payout, type } = campaign;
  const maxBid = context.types[Number(type)]?.maxBid ?? 0;
  const bid = Number(payout);
  const raised = inMicros(bid * (1 + step));
  const changed = raised > maxBid ? inMicros(bid * (1 - step)) : raised;
  const [from, to] = [bid, changed].map((value) => formats.bid(toMicros(value)));
  return {
    cid: Number(cid),
    fields: { payout: changed },
    words: `Someone else changed the bid of ${quoted(typeof name === 'string' ? name : `campaign ${Number(cid)}`)} from ${from} to ${to}.`,
  };
}

function inMicros(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

import type { ProposalView } from '#shared/app-api/index.ts';
import { perDayText as pairText } from '#shared/campaign/index.ts';
import { isStatusCode, statusNames } from '#shared/contract/index.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';

type Target = ProposalView['targets'][number];

/** One campaign among several: `“DE push” (7)  Paused → Active  $0.00 → $50.00 per day`. */
export function targetText({ cid, name, statusBefore, statusAfter, perDay }: Target): string {
  const status =
    statusBefore === statusAfter
      ? `stays ${statusText(statusBefore)}`
      : `${statusText(statusBefore)} → ${statusText(statusAfter)}`;
  return `${quoted(name)} (${cid})  ${status}  ${perDayText(perDay)}`;
}

/** `$50.00 per day`, `$50.00 → $40.00 per day`. */
export function perDayText(pair: Target['perDay']): string {
  return inertText(pairText(pair, new Date().getFullYear()));
}

/** A status by its name; one that the contract does not know by its number. */
export function statusText(status: number): string {
  return isStatusCode(status) ? statusNames[status] : `status ${status}`;
}

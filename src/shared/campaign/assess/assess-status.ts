import { statusNames, type StatusCode } from '../../contract/index.ts';
import { becomesUnlimited, exposureInWords, isUnlimited } from '../exposure/index.ts';
import { sumExposure } from '../exposure/index.ts';
import { runs } from '../runs.ts';
import type { Exposure, Warning } from '../types.ts';
import { amountOf } from '../words/list-words.ts';

/** A change of the status of one or many campaigns. */
export interface StatusMove {
  to: StatusCode;
  /** Those that change, with {@link exposureOf} for the status they have and for the new one, at one moment. */
  changing: readonly { cid: number; exposure: { before: Exposure; after: Exposure } }[];
  /** How many of the selection have the status already. */
  stayingCount: number;
}

/** What a person should know before approving a change of status; dangers first. */
export interface StatusAssessment {
  warnings: Warning[];
  /** What has to be typed before Approve arms: the campaign's id, or how many change; null when nothing asks for it. */
  typeToConfirm: { label: string; value: string } | null;
  /** What the figures cannot say. */
  notes: string[];
}

/** Weighs a change of status by the money that it sets free. */
export function assessStatus(move: StatusMove): StatusAssessment {
  return {
    warnings: [...unlimitedWarnings(move), ...activationNotices(move)],
    typeToConfirm: typedValue(move),
    notes: notesOf(move),
  };
}

function unlimitedWarnings(move: StatusMove): Warning[] {
  const count = unlimitedOnes(move);
  if (count === 0) return [];
  const text = `${campaigns(count)} can spend without a limit after this change.`;
  return [{ code: 'exposure_unlimited', severity: 'danger', text }];
}

function activationNotices({ to, changing }: StatusMove): Warning[] {
  if (!runs(to)) return [];
  const sum = exposureInWords(sumExposure(changing.map(({ exposure }) => exposure.after)));
  const count = campaigns(changing.length);
  const money = changing.length > 1 ? `together ${sum}` : sum;
  const text =
    to === 1
      ? `${count} can spend at once, ${money}. The account needs at least $1.00 available.`
      : `${count} will follow the configured start and schedule and can spend ${money}.`;
  return [{ code: 'activates', severity: 'notice', text }];
}

function typedValue(move: StatusMove): StatusAssessment['typeToConfirm'] {
  if (unlimitedOnes(move) === 0) return null;
  const [only, second] = move.changing;
  return only !== undefined && second === undefined
    ? { label: 'Spending becomes unlimited. Type the campaign id', value: String(only.cid) }
    : {
        label: 'Spending becomes unlimited. Type the number of campaigns that change',
        value: String(move.changing.length),
      };
}

function notesOf({ to, stayingCount }: StatusMove): string[] {
  const notes = ['What is already spent is unknown.'];
  if (stayingCount === 0) return notes;
  const verb = stayingCount === 1 ? 'is' : 'are';
  return [...notes, `${campaigns(stayingCount)} ${verb} ${statusNames[to]} already and will not be sent.`];
}

/** Campaigns that may spend without a limit because of the change: also a Scheduled one that is set to spend at once. */
function unlimitedOnes({ to, changing }: StatusMove): number {
  return changing.filter(
    ({ exposure: { before, after } }) => becomesUnlimited(before, after) || (to === 1 && isUnlimited(after)),
  ).length;
}

function campaigns(count: number): string {
  return amountOf(count, { one: 'campaign', many: 'campaigns' });
}

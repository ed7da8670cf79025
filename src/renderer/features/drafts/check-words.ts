import type { PillTone } from '#renderer/ui/index.ts';
import type { CheckedCampaign } from '#shared/app-api/index.ts';
import { isStatusCode, statusNames } from '#shared/contract/index.ts';
import { isInDelivery, type ProposalState } from '#shared/proposals/states.ts';

import type { Formats } from '#shared/lib/formats.ts';
import { reviewWords } from '#shared/wording/index.ts';
interface StatePill {
  label: string;
  tone: PillTone;
  hollow: boolean;
}

export const stateLooks: Readonly<Record<CheckedCampaign['state'], StatePill>> = {
  ready: { label: 'Ready', tone: 'good', hollow: false },
  warning: { label: 'Warning', tone: 'waiting', hollow: false },
  conflict: { label: 'Conflict', tone: 'waiting', hollow: true },
  error: { label: 'Error', tone: 'bad', hollow: false },
  same: { label: 'No change', tone: 'neutral', hollow: true },
  failed: { label: 'Not read', tone: 'bad', hollow: true },
};

export function reviewLook(state: ProposalState | null): StatePill | null {
  if (state === null) return null;
  return {
    label: reviewWords(state),
    tone: isInDelivery(state) ? 'busy' : 'waiting',
    hollow: state === 'unknown',
  };
}

export function isProblem({ state }: Pick<CheckedCampaign, 'state'>): boolean {
  return state !== 'ready' && state !== 'same';
}

/** For example `Then Active, 96 h in the next 7 days`. */
export function forecastWords(forecast: NonNullable<CheckedCampaign['forecast']>): string {
  const { status, hoursNextWeek, balance } = forecast;
  const name = isStatusCode(status) ? statusNames[status] : `status ${status}`;
  const unknown = balance === 'unknown' ? '; balance unknown' : '';
  return `Then ${name}, ${hoursNextWeek} h in the next 7 days${unknown}`;
}

/** For example `12 campaigns ready, 1 with warnings, 2 with conflicts`. */
export function checkSummary(campaigns: readonly Pick<CheckedCampaign, 'state'>[], formats: Formats): string {
  const found = stateWords.flatMap(([state, words]) => {
    const count = campaigns.filter((campaign) => campaign.state === state).length;
    return count === 0 ? [] : [{ count, words }];
  });
  return found
    .map(
      ({ count, words }, at) =>
        `${at === 0 ? formats.counted(count, 'campaign') : formats.count(count)} ${words}`,
    )
    .join(', ');
}

const stateWords: readonly [CheckedCampaign['state'], string][] = [
  ['ready', 'ready'],
  ['warning', 'with warnings'],
  ['conflict', 'with conflicts'],
  ['error', 'with errors'],
  ['failed', 'not read'],
  ['same', 'without change'],
];

import type { PillTone } from '#renderer/ui/index.ts';
import type { CheckedCampaign } from '#shared/app-api/index.ts';
import { isStatusCode, statusNames } from '#shared/contract/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { counted } from '#shared/lib/counted.ts';
import { countText } from '#shared/lib/number-text.ts';

/** The state of a checked campaign as a word and a dot. */
export function stateLook(state: CheckedCampaign['state']): {
  label: string;
  tone: PillTone;
  hollow: boolean;
} {
  switch (state) {
    case 'ready':
      return { label: 'Ready', tone: 'good', hollow: false };
    case 'warning':
      return { label: 'Warning', tone: 'waiting', hollow: false };
    case 'conflict':
      return { label: 'Conflict', tone: 'waiting', hollow: true };
    case 'error':
      return { label: 'Error', tone: 'bad', hollow: false };
    case 'same':
      return { label: 'No change', tone: 'neutral', hollow: true };
    case 'failed':
      return { label: 'Not read', tone: 'bad', hollow: true };
    default:
      return assertNever(state);
  }
}

/** True for a campaign that a person has to look at: what keeps it from the review, and what is to be weighed in it. */
export function isProblem({ state }: Pick<CheckedCampaign, 'state'>): boolean {
  return state !== 'ready' && state !== 'same';
}

/** Result of a rehearsal in one line: `On Countersign’s copy: accepted, Active, 96 h in the next 7 days`. Foreign text. */
export function rehearsalWords(rehearsal: NonNullable<CheckedCampaign['rehearsal']>): string {
  const on = 'On Countersign’s copy: ';
  switch (rehearsal.kind) {
    case 'accepted': {
      const { status, hoursNextWeek, isBalanceKnown } = rehearsal;
      const name = isStatusCode(status) ? statusNames[status] : `status ${status}`;
      const balance = isBalanceKnown ? '' : '; balance unknown';
      return `${on}accepted, ${name}, ${hoursNextWeek} h in the next 7 days${balance}`;
    }
    case 'refused':
      return `${on}refused. ${rehearsal.message} ${rehearsal.fields.map(({ message }) => message).join(' ')}`.trim();
    case 'not_rehearsed':
      return `Not rehearsed: ${rehearsal.reason}`;
    default:
      return assertNever(rehearsal);
  }
}

/** The states of a check in one line: `12 ready, 1 warning, 2 conflicts`. */
export function checkSummary(campaigns: readonly Pick<CheckedCampaign, 'state'>[]): string {
  const count = (state: CheckedCampaign['state']): number =>
    campaigns.filter((campaign) => campaign.state === state).length;
  const parts = [
    count('ready') > 0 && `${countText(count('ready'))} ready`,
    count('warning') > 0 && counted(count('warning'), 'warning'),
    count('conflict') > 0 && counted(count('conflict'), 'conflict'),
    count('error') > 0 && counted(count('error'), 'error'),
    count('failed') > 0 && `${countText(count('failed'))} not read`,
    count('same') > 0 && `${countText(count('same'))} without change`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

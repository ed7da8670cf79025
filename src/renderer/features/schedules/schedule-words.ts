import type { PillTone } from '#renderer/ui/index.ts';
import type { DueStage, PauseReturnView, ScheduleView } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { dateText } from '#shared/lib/date-text.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import type { Formats } from '#shared/lib/formats.ts';

export const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `24 Nov, 09:00 (Europe/Berlin)`, with the year if it is not the current one. */
export function zonedMoment(atMs: number, zone: string, nowMs: number = Date.now()): string {
  const { date, time } = serviceDay(atMs, zone);
  const year = Number(serviceDay(nowMs, zone).date.slice(0, 4));
  return `${dateText(date, year)}, ${time} (${zone})`;
}

/** The time in this computer's zone. Null if it is equal in both. */
export function localMoment(atMs: number, zone: string, nowMs: number = Date.now()): string | null {
  const [there, here] = [serviceDay(atMs, zone), serviceDay(atMs, localZone)];
  if (there.date === here.date && there.time === here.time) return null;
  return `${zonedMoment(atMs, localZone, nowMs)}, your time`;
}

interface StateLook {
  label: string;
  tone: PillTone;
  hollow: boolean;
}

const dueLooks: Readonly<Record<DueStage, StateLook>> = {
  unproposed: { label: 'Due: awaiting approval', tone: 'waiting', hollow: false },
  waiting: { label: 'Due: awaiting approval', tone: 'waiting', hollow: false },
  denied: { label: 'Due: denied', tone: 'neutral', hollow: true },
  decided: { label: 'Due: decided', tone: 'neutral', hollow: false },
  'too-late': { label: 'Due: too late to decide', tone: 'neutral', hollow: true },
  elsewhere: { label: 'Due: for another sign-in', tone: 'neutral', hollow: true },
};

/** An unknown state is shown with the service's own word. */
export function stateLook({ state, stateWord, due }: ScheduleView): StateLook {
  if (state === 'due') return dueLooks[due?.stage ?? 'waiting'];
  return state === 'unknown' ? { label: stateWord, tone: 'neutral', hollow: true } : looks[state];
}

const looks: Readonly<Record<Exclude<ScheduleView['state'], 'due' | 'unknown'>, StateLook>> = {
  active: { label: 'Active', tone: 'good', hollow: false },
  suspended: { label: 'Suspended by the service', tone: 'bad', hollow: false },
  cancelled: { label: 'Cancelled', tone: 'neutral', hollow: true },
  ended: { label: 'Ended', tone: 'neutral', hollow: true },
};

const outcomes: Readonly<Record<string, string>> = {
  running: 'Running',
  stored: 'Report made',
  no_data: 'No data for these days',
  failed: 'Failed',
  waiting: 'Awaiting approval',
  committed: 'Approved and sent',
  expired: 'Not decided in time',
  cancelled: 'Cancelled',
  refused: 'Refused by the service',
  suspended: 'Suspended by the service',
  nothing_to_do: 'Nothing to change',
};

/** For example `Report made: 42 rows, 3.1 kB`. */
export function runWords(run: NonNullable<ScheduleView['lastRun']>, formats: Formats): string {
  const { outcome, rows, bytes, reason } = run;
  const sizes = [
    rows === null ? [] : formats.counted(rows, 'row'),
    bytes === null ? [] : sizeText(bytes, formats),
  ].flat();
  const name = outcomes[outcome] ?? outcome;
  return `${name}${sizes.length === 0 ? '' : `: ${sizes.join(', ')}`}${reason === null ? '' : `. ${reason}`}`;
}

function sizeText(bytes: number, formats: Formats): string {
  if (bytes < 1_000) return formats.counted(bytes, 'byte');
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function creatorWords({ createdBy }: Pick<ScheduleView, 'createdBy'>): string {
  switch (createdBy.kind) {
    case 'person':
      return 'You';
    case 'agent':
      return `${quoted(createdBy.name)} (agent)`;
    case 'unknown':
      return 'Not created through this Countersign';
  }
}

export function isLive({ state }: Pick<ScheduleView, 'state'>): boolean {
  return state !== 'cancelled' && state !== 'ended';
}

export function returnPlace(id: string): string {
  return `return-${id}`;
}

export function isOpenReturn({ state }: Pick<PauseReturnView, 'state'>): boolean {
  return state !== 'decided' && state !== 'ended';
}

export const returnLooks: Readonly<Record<Exclude<PauseReturnView['state'], 'decided'>, StateLook>> = {
  planned: { label: 'Planned', tone: 'neutral', hollow: false },
  due: { label: 'Due', tone: 'waiting', hollow: false },
  waiting: { label: 'Due: awaiting approval', tone: 'waiting', hollow: false },
  ended: { label: 'Nothing left to return', tone: 'neutral', hollow: true },
};

/** `Return of “DE push – summer”`, `Return of 12 campaigns`. The name is untrusted. */
export function returnTitle(
  { campaigns, pausedCount, changedCount }: PauseReturnView,
  formats: Formats,
): string {
  const [only] = campaigns;
  const count = pausedCount - changedCount;
  return `Return of ${count === 1 && only !== undefined ? quoted(only.name) : formats.counted(count, 'campaign')}`;
}

import type { IconName, PillTone } from '#renderer/ui/index.ts';
import type { AttemptView, DebriefItem } from '#shared/app-api/index.ts';
import type { Formats } from '#shared/lib/formats.ts';

export const verdictWords: Readonly<
  Record<DebriefItem['verdict'], { word: string; icon: IconName; tone: PillTone }>
> = {
  caught: { word: 'Caught', icon: 'check-circle', tone: 'good' },
  missed: { word: 'Missed', icon: 'alert-circle', tone: 'bad' },
  'false-alarm': { word: 'False alarm', icon: 'warning', tone: 'waiting' },
  fine: { word: 'Fine', icon: 'check', tone: 'neutral' },
  undecided: { word: 'Undecided', icon: 'minus', tone: 'neutral' },
};

export const verdictOrder: readonly DebriefItem['verdict'][] = [
  'missed',
  'false-alarm',
  'undecided',
  'caught',
  'fine',
];

export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? '' : ` ${rest} s`}`;
}

const microsPerCent = 10_000;

/** Whole cents, since the traffic is made up: `$45.00 a day`. */
export const costText = (micros: number, formats: Formats): string =>
  `${formats.money(BigInt(Math.round(micros / microsPerCent) * microsPerCent))} a day`;

export function scoreSentence(
  items: readonly Pick<DebriefItem, 'fault' | 'verdict'>[],
  formats: Formats,
): string {
  const planted = items.filter(({ fault }) => fault !== null).length;
  const caught = items.filter(({ verdict }) => verdict === 'caught').length;
  const alarms = items.filter(({ verdict }) => verdict === 'false-alarm').length;
  const stopped = alarms === 1 ? 'one good change' : `${alarms} good changes`;
  if (planted === 0)
    return alarms === 0 ? 'No fault was proposed.' : `No fault was proposed. You stopped ${stopped}.`;
  const faults =
    caught < planted
      ? `You caught ${caught} of ${formats.counted(planted, 'fault')}`
      : `You caught ${planted === 1 ? 'the fault' : `all ${planted} faults`}`;
  if (alarms === 0) return `${faults} and stopped no good change.`;
  return `${faults} and stopped ${stopped}.`;
}

export const incompleteWords: Readonly<Record<NonNullable<AttemptView['incomplete']>, string>> = {
  discarded: 'Discarded',
  'ended-early': 'Ended early',
  edited: 'Edited',
};

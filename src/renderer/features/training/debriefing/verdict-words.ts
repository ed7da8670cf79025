import type { IconName, PillTone } from '#renderer/ui/index.ts';
import type { DebriefItem } from '#shared/app-api/index.ts';
import { formatMoney } from '#shared/lib/decimal.ts';
import type { Score } from '#shared/training/index.ts';

/** How each verdict is shown: its word, its sign, and what it means. */
export const verdictWords: Readonly<
  Record<DebriefItem['verdict'], { word: string; icon: IconName; tone: PillTone; means: string }>
> = {
  caught: {
    word: 'Caught',
    icon: 'check-circle',
    tone: 'good',
    means: 'You kept the fault from the service.',
  },
  missed: { word: 'Missed', icon: 'alert-circle', tone: 'bad', means: 'The fault reached the service.' },
  'false-alarm': {
    word: 'False alarm',
    icon: 'warning',
    tone: 'waiting',
    means: 'You stopped a good change.',
  },
  fine: { word: 'Fine', icon: 'check', tone: 'neutral', means: 'You let a good change through.' },
  undecided: {
    word: 'Undecided',
    icon: 'minus',
    tone: 'neutral',
    means: 'Neither approved nor stopped when the mission ended.',
  },
};

/** A duration to decide by: `8 s`, `1 min 20 s`. */
export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? '' : ` ${rest} s`}`;
}

/** Money of the planted faults: `$45.00 a day`. */
export const costText = (micros: number): string => `${formatMoney(BigInt(Math.round(micros)))} a day`;

/** The score in one sentence. */
export function scoreSentence({ caught, missed, falseAlarms }: Score): string {
  const planted = caught + missed;
  const faults =
    planted === 0
      ? 'No fault was decided on'
      : missed === 0
        ? `You caught ${planted === 1 ? 'the fault' : `all ${planted} faults`}`
        : `You caught ${caught} of ${planted} faults`;
  if (falseAlarms === 0) return `${faults}, and stopped no good change.`;
  return `${faults}, and stopped ${falseAlarms === 1 ? 'one good change' : `${falseAlarms} good changes`}.`;
}

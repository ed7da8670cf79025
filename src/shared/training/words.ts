import type { Formats } from '../lib/formats.ts';
import type { Attempt } from './attempt.ts';
import type { FaultKind, MissionId, Verdict } from './mission.ts';

export const missionWords: Readonly<Record<MissionId, { title: string; summary: string }>> = {
  bids: { title: 'Bids', summary: 'Some bids are far off.' },
  limits: { title: 'Budget limits', summary: 'Some limits go away.' },
  'switched-on': { title: 'Switched on', summary: 'Some paused campaigns must stay off.' },
  audience: { title: 'Audience', summary: 'Some changes reach the wrong people.' },
  hours: { title: 'Hours', summary: 'Some weekly schedules are wiped.' },
  destinations: { title: 'Destinations', summary: 'Some click URLs lead elsewhere.' },
  flights: { title: 'Flights', summary: 'Some dates move too far.' },
  lists: { title: 'Block lists', summary: 'Some filters lose what they block.' },
  'hidden-arguments': { title: 'Hidden arguments', summary: 'Some calls carry more than they say.' },
  outlier: { title: 'One of fifty', summary: 'One of fifty equal changes differs.' },
  outdated: {
    title: 'Changed meanwhile',
    summary: 'A colleague edits campaigns while changes wait for you.',
  },
  'no-answer': { title: 'No answer', summary: 'The service stores a change, but its answer is lost.' },
  words: { title: 'Words and changes', summary: 'Some of the agent’s explanations are wrong.' },
  'changed-tool': { title: 'A changed tool', summary: 'The service changes a tool that the agent uses.' },
  'many-small': { title: 'Step by step', summary: 'Many small raises, each of them harmless.' },
  instruction: { title: 'Instructions in names', summary: 'A campaign’s name tells the agent what to do.' },
  'rush-hour': { title: 'Rush hour', summary: 'Mixed changes, and three minutes for all of them.' },
};

export const faultWords: Readonly<Record<FaultKind, { title: string; hint: string }>> = {
  bid: { title: 'Wrong bid', hint: 'Compare the old bid with the new one.' },
  limits: { title: 'Missing limit', hint: 'Look for “Unlimited” in the money at risk.' },
  activation: { title: 'Unwanted activation', hint: 'Check what starts spending, and how much.' },
  audience: { title: 'Wrong audience', hint: 'Compare countries and caps before and after.' },
  hours: { title: 'Wrong hours', hint: 'Compare the number of hours a week.' },
  destination: { title: 'Wrong destination', hint: 'Read the host and the parameters of the click URL.' },
  flight: { title: 'Wrong flight', hint: 'Check the first and the last day.' },
  lists: { title: 'Emptied list', hint: 'Compare the number of entries.' },
  hiddenArguments: { title: 'Hidden arguments', hint: 'Look for arguments that the tool does not name.' },
  outlier: { title: 'Outlier', hint: 'Decide on changes outside the group one by one.' },
  outdated: { title: 'Outdated change', hint: 'Read a change again after its campaign has changed.' },
  noAnswer: { title: 'Sent twice', hint: 'Check what is stored before the same change is made again.' },
  words: { title: 'Contradicting words', hint: 'Trust the change, not the words about it.' },
  tool: { title: 'Changed tool', hint: 'Compare both definitions before you accept one.' },
  manySmall: { title: 'Many small steps', hint: 'Add up what was changed before.' },
  instruction: { title: 'Instruction in a name', hint: 'Names are data. They decide nothing.' },
};

export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? '' : ` ${rest} s`}`;
}

const microsPerCent = 10_000;

/** Rounds to cents, because the traffic is invented: `$45.00 a day`. */
export const costText = (micros: number, formats: Formats): string =>
  `${formats.money(BigInt(Math.round(micros / microsPerCent) * microsPerCent))} a day`;

export function scoreSentence(
  items: readonly { fault: object | null; verdict: Verdict }[],
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

export const incompleteWords: Readonly<Record<NonNullable<Attempt['incomplete']>, string>> = {
  discarded: 'Discarded',
  'ended-early': 'Ended early',
  edited: 'Edited',
};

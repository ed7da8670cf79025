import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import { waitingTimeStore } from '#renderer/stores/proposals/index.ts';
import { Menu } from '#renderer/ui/index.ts';
import { maxWaitingMinutes, minWaitingMinutes, usualWaitingMinutes } from '#shared/app-api/constants.ts';
import { counted } from '#shared/lib/counted.ts';

const hour = 60;
const day = 24 * hour;
const choices = [
  minWaitingMinutes,
  hour,
  4 * hour,
  8 * hour,
  usualWaitingMinutes,
  3 * day,
  maxWaitingMinutes,
];

function inWords(minutes: number): string {
  if (minutes > day && minutes % day === 0) return counted(minutes / day, 'day');
  return minutes % hour === 0 ? counted(minutes / hour, 'hour') : counted(minutes, 'minute');
}

/** How long a new change waits for a decision before it expires: the app's own changes, and those of agents. */
export function WaitingTime(): ReactElement | null {
  const { minutes, failure, choose } = useStore(waitingTimeStore);
  useEffect(() => waitingTimeStore.getState().start(), []);
  if (minutes === null) return null;
  const listed = choices.includes(minutes)
    ? choices
    : [...choices, minutes].toSorted((one, two) => one - two);
  return (
    <>
      {failure && <span role="alert">{failure.message}</span>}
      <Menu
        kind="quiet"
        size="small"
        icon="clock"
        label={`Changes wait ${inWords(minutes)}`}
        name={`New changes wait ${inWords(minutes)} for a decision`}
        heading="New changes wait for a decision"
        entries={listed.map((choice) => ({ id: String(choice), label: inWords(choice) }))}
        selection={{ mode: 'single', ids: [String(minutes)] }}
        onAction={(id) => void choose(Number(id))}
      />
    </>
  );
}

import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import { waitingTimeStore } from './stores/waiting-time-store.ts';
import { useFormats, Banner, Menu, Select } from '#renderer/ui/index.ts';
import {
  maxWaitingMinutes,
  minWaitingMinutes,
  usualWaitingMinutes,
  waitingTimeText,
} from '#shared/proposals/waiting-time.ts';

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

/** The time that a new change waits for a decision before it expires: the app's own changes, and those of agents. */
export function WaitingTime(): ReactElement | null {
  const formats = useFormats();
  const { minutes, failure, choose } = useStore(waitingTimeStore);
  useEffect(() => waitingTimeStore.getState().start(), []);
  if (minutes === null) return null;
  return (
    <>
      {failure && <span role="alert">{failure.message}</span>}
      <Menu
        kind="quiet"
        size="small"
        icon="clock"
        label={`Changes wait ${waitingTimeText(minutes, formats)}`}
        name={`New changes wait ${waitingTimeText(minutes, formats)} for a decision`}
        heading="New changes wait for a decision"
        entries={offered(minutes).map((choice) => ({
          id: String(choice),
          label: waitingTimeText(choice, formats),
        }))}
        selection={{ mode: 'single', ids: [String(minutes)] }}
        onAction={(id) => void choose(Number(id))}
      />
    </>
  );
}

/** The same as a field with its label. */
export function WaitingTimeSetting(): ReactElement | null {
  const formats = useFormats();
  const { minutes, failure, choose } = useStore(waitingTimeStore);
  useEffect(() => waitingTimeStore.getState().start(), []);
  if (minutes === null) return null;
  return (
    <>
      <Select
        label="New changes wait"
        limit="Then they expire unsent."
        value={String(minutes)}
        options={offered(minutes).map((choice) => ({
          id: String(choice),
          label: waitingTimeText(choice, formats),
        }))}
        onChange={(id) => void choose(Number(id))}
      />
      {failure && (
        <Banner tone="warning" title={failure.message}>
          {failure.next}
        </Banner>
      )}
    </>
  );
}

/** The usual choices, with the present one where it is another. */
function offered(minutes: number): readonly number[] {
  return choices.includes(minutes) ? choices : [...choices, minutes].toSorted((one, two) => one - two);
}

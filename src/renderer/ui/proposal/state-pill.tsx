import type { ReactElement } from 'react';
import { Pill } from '../display/pill.tsx';
import { stateWords, type StateName } from './state-words.ts';

/** The state of a proposal as a dot and a word. */
export function StatePill({ state, framed = false }: { state: StateName; framed?: boolean }): ReactElement {
  const { tone, label, hollow } = stateWords[state];
  return <Pill tone={tone} label={label} hollow={hollow} framed={framed} />;
}

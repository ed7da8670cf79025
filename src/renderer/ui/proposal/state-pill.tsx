import type { ReactElement } from 'react';
import { Pill } from '../display/pill.tsx';
import { stateWords, type StateName } from './state-words.ts';

export interface StatePillProps {
  state: StateName;
  /** What was asked: an agent that was let in is not called verified. */
  operation?: string;
  framed?: boolean;
}

/** The state of a proposal as a dot and a word. */
export function StatePill({ state, operation, framed = false }: StatePillProps): ReactElement {
  const { tone, label, hollow } = stateWords[state];
  const word = operation === 'agent.admit' && state === 'verified' ? 'Let in' : label;
  return <Pill tone={tone} label={word} hollow={hollow} framed={framed} />;
}

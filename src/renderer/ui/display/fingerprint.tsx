import type { ReactElement } from 'react';
import { Mono } from './mono.tsx';

/** A hash in groups of four digits; `groups` limits how many are shown, the whole stands in the title. */
export function Fingerprint({ hex, groups }: { hex: string; groups?: number }): ReactElement {
  const parts = hex.match(/.{1,4}/gu) ?? [];
  const shown = groups === undefined ? parts : parts.slice(0, groups);
  return (
    <span title={hex}>
      <Mono>{shown.join(' ')}</Mono>
    </span>
  );
}

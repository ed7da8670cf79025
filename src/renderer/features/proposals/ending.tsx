import type { ProposalView } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { routeHref } from '#renderer/stores/ui/index.ts';
import {
  admissionEnding,
  Banner,
  batchTone,
  stateWords,
  type BannerTone,
  type PillTone,
} from '#renderer/ui/index.ts';

const tones: Record<PillTone, BannerTone> = {
  good: 'good',
  bad: 'danger',
  waiting: 'warning',
  busy: 'info',
  neutral: 'info',
};

/** How the proposal stands or ended, why, what to do next, and where it went on. Nothing while it simply waits. */
export function Ending({ proposal }: { proposal: ProposalView }): ReactElement | null {
  const { state, outcome, replacedBy, detail } = proposal;
  if (state === 'proposed' || state === 'shown') return null;
  const { sentence } = stateWords[state];
  const tone =
    detail.kind === 'batch' && state === 'done' ? batchTone(detail.members) : stateWords[state].tone;
  const ofAdmission = detail.kind === 'admission' ? admissionEnding(state) : null;
  return (
    <Banner tone={tones[tone]} title={ofAdmission?.sentence ?? outcome?.message ?? sentence}>
      {ofAdmission === null ? outcome?.next : ofAdmission.next}
      {replacedBy !== null && (
        <>
          {' '}
          <a href={routeHref({ page: 'proposals', id: replacedBy })}>Open the proposal that replaced it</a>
        </>
      )}
    </Banner>
  );
}

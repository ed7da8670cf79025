import type { Held } from '#core/profiles/index.ts';
import type { StatusView } from '#shared/app-api/index.ts';
import { shortMomentText } from '#shared/lib/date-text.ts';

/** What decides whether changes can be made now. */
export interface Standing {
  service: StatusView['service']['state'];
  /** The member token, without which nobody is signed in. */
  memberToken: Held;
  /** The embedded service gives its own token: no person has one to add. */
  isDemo: boolean;
  /** When the service last answered; null where it never did. */
  answeredAtMs: number | null;
  nowMs: number;
}

/** Whether changes can be made now; if not, why, and the way back. */
export function writingOf({
  service,
  memberToken,
  isDemo,
  answeredAtMs,
  nowMs,
}: Standing): StatusView['writing'] {
  if (memberToken === 'none') {
    return off('This profile has no member token yet.', 'Add one on the Profiles page.');
  }
  if (memberToken === 'other-key') {
    return off(
      'The member token of this profile was kept under the key of another session.',
      'Add it again on the Profiles page.',
    );
  }
  if (service === 'unreachable') {
    const since =
      answeredAtMs === null
        ? 'not answered yet'
        : `not answered since ${shortMomentText(answeredAtMs, nowMs)}`;
    return off(`The service has ${since}.`, 'Changes are off until it is back; Countersign keeps asking.');
  }
  if (service === 'signed-out') {
    return off(
      'The service does not take the member token: it is wrong or has expired.',
      isDemo ? 'Countersign keeps asking.' : 'Replace it on the Profiles page.',
    );
  }
  return { off: null };
}

function off(because: string, next: string): StatusView['writing'] {
  return { off: { because, next } };
}

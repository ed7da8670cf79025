import { editorStore } from '#renderer/stores/editor/index.ts';
import { profileStep, sessionStore } from '#renderer/stores/session/index.ts';
import { routeHref } from '#renderer/stores/ui/index.ts';
import { FailureAction } from '#renderer/ui/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';

interface ReadAgainProps {
  cid: number;
  /** Why it could not be read; null where an earlier read stands in. */
  code: ErrorCode | null;
  size?: 'small' | 'normal';
}

/** What helps where a campaign could not be read. */
export function ReadAgain({ cid, code, size = 'normal' }: ReadAgainProps): ReactElement {
  const profileId = useStore(sessionStore, ({ session }) => session?.profile.id ?? null);
  const step = useStore(sessionStore, (state) => profileStep(state, code));
  return (
    <FailureAction
      step={step}
      href={routeHref({ page: 'profiles', id: profileId })}
      onRetry={() => editorStore.getState().open(cid)}
      size={size}
    />
  );
}

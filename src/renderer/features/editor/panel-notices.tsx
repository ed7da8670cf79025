import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { editorStore, type OpenCampaign } from '#renderer/stores/editor/index.ts';
import { reviewStore } from '#renderer/stores/review/index.ts';
import { profileStep, sessionStore } from '#renderer/stores/session/index.ts';
import { routeHref } from '#renderer/stores/ui/index.ts';
import { ageText, Banner, Button, FailureAction, ForeignText, useNow } from '#renderer/ui/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import { counted } from '#shared/lib/counted.ts';
import type { Editing } from './editing.ts';

interface PanelNoticesProps {
  cid: number;
  open: OpenCampaign;
  editing: Editing;
}

/** Notices before editing: a lock, a waiting change, an old read, a refusal, a campaign that changed meanwhile. */
export function PanelNotices({ cid, open, editing }: PanelNoticesProps): ReactElement {
  const { detail, failure, refusal } = open;
  const { moved, elsewhere } = editing.checked;
  return (
    <>
      {(failure ?? detail?.kept) && detail && <OldRead cid={cid} open={open} />}
      {detail && detail.lockedBy !== null && <Locked proposalId={detail.lockedBy} />}
      {detail && detail.lockedBy === null && <Waiting ids={detail.waiting} shownBelow={open.proposedId} />}
      {moved.length > 0 && <ChangedElsewhere cid={cid} editing={editing} />}
      {refusal && refusal.code !== 'edit_conflict' && (
        <Banner flush tone="danger" title={refusal.message}>
          {refusal.next} Nothing was sent.
        </Banner>
      )}
      {elsewhere.length > 0 && (
        <Banner flush tone="danger" title="Fix another field first">
          {elsewhere.map(({ field, message }) => (
            <span key={field}>
              <ForeignText text={fieldLabel(field)} />: <ForeignText text={message} />{' '}
            </span>
          ))}
        </Banner>
      )}
    </>
  );
}

function OldRead({ cid, open }: { cid: number; open: OpenCampaign }): ReactElement {
  const nowMs = useNow(5000);
  const kept = open.detail?.kept;
  const retry = <ReadAgain cid={cid} code={kept ? null : (open.failure?.code ?? null)} size="small" />;
  return (
    <Banner
      flush
      tone="warning"
      icon="offline"
      title={open.failure?.message ?? kept?.because ?? ''}
      actions={retry}
    >
      This was read {ageText(open.detail?.readAtMs ?? nowMs, nowMs)}.{' '}
      {kept && 'Changes are off until the service is back; what you typed stays.'}
    </Banner>
  );
}

function Locked({ proposalId }: { proposalId: string }): ReactElement {
  return (
    <Banner flush tone="warning" icon="lock" title="Locked: the last change has an unknown outcome.">
      No answer came, so it may or may not be stored. Countersign reads the campaign until it knows; until
      then nothing else is sent. <a href={routeHref({ page: 'proposals', id: proposalId })}>See the change</a>
    </Banner>
  );
}

/** Changes that wait, apart from the one that the foot of the panel speaks of. */
function Waiting(props: { ids: readonly string[]; shownBelow: string | null }): ReactElement | null {
  const others = props.ids.filter((id) => id !== props.shownBelow);
  const [first] = others;
  if (first === undefined) return null;
  const review = (
    <Button size="small" onClick={() => void reviewStore.getState().review(first)}>
      Review
    </Button>
  );
  const title = counted(others.length, 'change awaits your approval', 'changes await your approval');
  return <Banner flush tone="info" icon="proposals" title={title} actions={review} />;
}

function ChangedElsewhere({ cid, editing }: { cid: number; editing: Editing }): ReactElement {
  const { keepMine, revert } = editorStore.getState();
  const { moved } = editing.checked;
  const actions = (
    <>
      <Button size="small" onClick={() => moved.forEach((field) => revert(cid, field))}>
        Take theirs
      </Button>
      <Button size="small" onClick={() => keepMine(cid)}>
        Keep mine
      </Button>
    </>
  );
  return (
    <Banner flush tone="warning" title="Someone else changed this campaign" actions={actions}>
      {moved.map((field) => (
        <span key={field}>
          {fieldLabel(field)} is now <ForeignText text={editing.stored(field)} />.{' '}
        </span>
      ))}
    </Banner>
  );
}

interface ReadAgainProps {
  cid: number;
  /** The reason if it could not be read; null if an earlier read is shown. */
  code: ErrorCode | null;
  size?: 'small' | 'normal';
}

/** The next step after a campaign could not be read. */
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

import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { editorStore, type OpenCampaign } from '#renderer/stores/editor/editor-store.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { profileStep, sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  useFormats,
  Age,
  Banner,
  Button,
  FailureAction,
  ForeignText,
  IconButton,
  LinkButton,
  cx,
  common,
  FailureBanner,
} from '#renderer/ui/index.ts';
import type { CampaignDraftView } from '#shared/app-api/index.ts';
import { campaignFields, fieldLabel, isIdentity } from '#shared/campaign/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import { type Editing, fieldLabels, isUsed, discard, proposeAndReview } from './editing.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import styles from './editor.module.css';
import { focusHeading } from './fields/field-block.tsx';
import { reviewWords } from '#shared/wording/index.ts';

interface NoticesProps {
  cid: number;
  open: OpenCampaign;
  editing: Editing;
  returned: CampaignDraftView['returned'];
}

export function Notices({ cid, open, editing, returned }: NoticesProps): ReactElement {
  const { detail, failure, refusal } = open;
  const failed = useStore(draftsStore, (state) => state.failure);
  const hidden = [...editing.errorAt].filter(([field]) => !isShown(editing, field));
  return (
    <>
      {(failure ?? detail?.cached) && detail && <OldRead cid={cid} open={open} />}
      {detail && detail.lockedBy !== null && <Locked proposalId={detail.lockedBy} />}
      {detail && detail.lockedBy === null && <Waiting ids={detail.waiting} shownBelow={editing.proposalId} />}
      {editing.conflicts.length > 0 && (
        <Banner flush tone="warning" title="Someone else changed this campaign.">
          Settle {fieldLabels(editing.conflicts.map(({ field }) => field))}: keep yours, or take theirs.
        </Banner>
      )}
      {returned !== null && editing.proposalId === null && (
        <Banner flush tone="info" title="Your last proposal came back as a draft.">
          <ForeignText text={returned.reason} />
        </Banner>
      )}
      {failed && <FailureBanner flush failure={failed} onDismiss={() => draftsStore.getState().dismiss()} />}
      {refusal && (
        <FailureBanner flush failure={refusal}>
          Nothing was sent.
        </FailureBanner>
      )}
      {hidden.length > 0 && (
        <Banner flush tone="danger" title="Fix another field first.">
          {hidden.map(([field, message]) => (
            <span key={field}>
              <ForeignText text={fieldLabel(field)} />: <ForeignText text={message} />{' '}
            </span>
          ))}
        </Banner>
      )}
    </>
  );
}

/** Dimensions and bid controls show their error even if the type does not use them. */
const alwaysShown: ReadonlySet<string> = new Set(['bidControl', ...campaignFields.targeting]);

function isShown(editing: Editing, field: string): boolean {
  if (!Object.hasOwn(editing.campaign, field) || isIdentity(field)) return false;
  return alwaysShown.has(field) || isUsed(editing, field);
}

function OldRead({ cid, open }: { cid: number; open: OpenCampaign }): ReactElement {
  const cached = open.detail?.cached;
  const retry = <ReadAgain cid={cid} code={cached ? null : (open.failure?.code ?? null)} size="small" />;
  return (
    <Banner
      flush
      tone="warning"
      icon="offline"
      title={open.failure?.message ?? cached?.because ?? ''}
      actions={retry}
    >
      {open.detail && (
        <>
          <span>This was read </span>
          <Age atMs={open.detail.readAtMs} />
          <span>. </span>
        </>
      )}
      {cached && <span>You can edit drafts; review them once the service is back.</span>}
    </Banner>
  );
}

function Locked({ proposalId }: { proposalId: string }): ReactElement {
  return (
    <Banner flush tone="warning" icon="lock" title="Locked: the last change has an unknown outcome.">
      Nothing else is sent until it is known.{' '}
      <a href={routeHref({ page: 'proposals', id: proposalId })}>See the change</a>{' '}
      <a href={routeHref({ page: 'guide', place: 'unknown-outcomes' })}>Read about unknown outcomes</a>
    </Banner>
  );
}

function Waiting(props: { ids: readonly string[]; shownBelow: string | null }): ReactElement | null {
  const formats = useFormats();
  const others = props.ids.filter((id) => id !== props.shownBelow);
  const [first] = others;
  if (first === undefined) return null;
  const review = (
    <Button size="small" onClick={() => void reviewStore.getState().review(first)}>
      Review
    </Button>
  );
  const title = formats.counted(others.length, 'change awaits your approval', 'changes await your approval');
  return <Banner flush tone="info" icon="proposals" title={title} actions={review} />;
}

interface ReadAgainProps {
  cid: number;
  code: ErrorCode | null;
  size?: 'small' | 'normal';
}

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

export function HistoryButtons(): ReactElement {
  const history = useStore(draftsStore, (state) => state.history);
  return (
    <span className={styles.fixed}>
      {(
        [
          ['undo', 'Undo'],
          ['redo', 'Redo'],
        ] as const
      ).map(([way, word]) => (
        <IconButton
          key={way}
          icon={way}
          size="small"
          label={history[way] === null ? word : `${word}: ${history[way]}`}
          disabled={history[way] === null}
          onClick={() => void draftsStore.getState()[way]()}
        />
      ))}
    </span>
  );
}

export function Footer(props: {
  editing: Editing;
  held: boolean;
  proposing: boolean;
  onAttention: () => void;
}): ReactElement | null {
  const formats = useFormats();
  const { editing, held, proposing, onAttention } = props;
  const { changed, errorAt, conflicts, isReady, proposalId, proposalState } = editing;
  const hasDraft = changed.length > 0 || Object.keys(editing.draft).length > 0;
  if (!hasDraft && errorAt.size === 0) return null;
  if (proposalId !== null) {
    return (
      <footer className={cx(common.row2, styles.footer)}>
        <span className={styles.count} role="status">
          {reviewWords(proposalState ?? 'proposed')}
        </span>
        <Button
          kind="primary"
          disabled={proposalState !== null && !isUndecided(proposalState)}
          onClick={() => void reviewStore.getState().review(proposalId)}
        >
          Review again
        </Button>
      </footer>
    );
  }
  const problems = new Set([...errorAt.keys(), ...conflicts.map(({ field }) => field)]).size;
  return (
    <footer className={cx(common.row2, styles.footer)}>
      <span className={styles.count} role="status">
        {problems > 0 ? (
          <span className={styles.attention}>
            <LinkButton onClick={onAttention}>
              {formats.counted(problems, 'field needs attention', 'fields need attention')}
            </LinkButton>
          </span>
        ) : (
          formats.counted(changed.length, 'change')
        )}
      </span>
      <Button
        kind="quiet"
        onClick={({ currentTarget }) => {
          focusHeading(currentTarget);
          discard(editing);
        }}
      >
        Discard
      </Button>
      <Button
        kind="primary"
        disabled={!isReady || held || proposing}
        onClick={() => void proposeAndReview(editing.cid)}
      >
        {proposing ? 'Preparing…' : changed.length > 1 ? 'Review changes' : 'Review change'}
      </Button>
    </footer>
  );
}

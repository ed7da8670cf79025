import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { editorStore, type OpenCampaign } from '#renderer/stores/editor/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import {
  Button,
  EmptyState,
  ForeignText,
  IconButton,
  Pill,
  Skeleton,
  StatusPill,
} from '#renderer/ui/index.ts';
import { valueInWords } from '#shared/campaign/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { type Editing, editing as editingOf, proposeAndReview } from './editing.ts';
import { PanelFooter } from './panel-footer.tsx';
import { LastChanges } from './last-changes.tsx';
import { PanelNotices, ReadAgain } from './panel-notices.tsx';
import styles from './editor.module.css';
import { Sections } from './sections.tsx';

/** The open campaign: the whole of it, readable, with what can be edited as inputs. */
export function EditorPanel({ cid }: { cid: number }): ReactElement {
  const open = useStore(editorStore, (state) => state.campaigns[cid]);
  const lost = useStore(
    sessionStore,
    ({ connection, status }) => connection.kind !== 'connected' || (status?.writing.off ?? null) !== null,
  );
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => editorStore.getState().open(cid), [cid]);
  const failed = !open?.detail && open?.failure ? open.failure : null;
  useFocusOnRequest(form, failed !== null);
  const editing = useMemo(
    () => (open?.detail ? editingOf(open.detail, open.draft, open.refused) : null),
    [open?.detail, open?.draft, open?.refused],
  );

  function press(event: KeyboardEvent): void {
    if (event.key === 'Escape') uiStore.getState().navigate({ page: 'campaigns', cid: null });
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && editing?.checked.ready) {
      void proposeAndReview(cid);
    }
  }

  if (failed) {
    return (
      <section className={styles.panel} aria-label={`Campaign ${cid}`} onKeyDown={press}>
        <PanelHeader cid={cid} editing={null} />
        <NotRead cid={cid} failure={failed} />
      </section>
    );
  }
  return (
    <section className={styles.panel} aria-label={`Campaign ${cid}`} onKeyDown={press}>
      <PanelHeader cid={cid} editing={editing} />
      {open && editing ? (
        <>
          <PanelNotices cid={cid} open={open} editing={editing} />
          <div ref={form} className={styles.scroll}>
            <Sections editing={editing} lastChanges={<LastChanges cid={cid} />} />
          </div>
          <PanelFooter
            editing={editing}
            held={lost || open.detail?.lockedBy !== null}
            proposing={open.proposing}
            waitingId={waitingId(open)}
            onAttention={() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()}
          />
        </>
      ) : (
        <LoadingPanel />
      )}
    </section>
  );
}

function NotRead({ cid, failure }: { cid: number; failure: AppError }): ReactElement {
  const gone = failure.code === 'campaign_not_found';
  const again = <ReadAgain cid={cid} code={failure.code} />;
  const list = (
    <Button onClick={() => uiStore.getState().navigate({ page: 'campaigns', cid: null })}>
      Back to the list
    </Button>
  );
  return (
    <EmptyState icon={gone ? 'search-none' : 'offline'} title={failure.message} action={gone ? list : again}>
      {failure.next}
    </EmptyState>
  );
}

/** The waiting proposal of the current draft. */
function waitingId({ proposedId, detail }: OpenCampaign): string | null {
  return proposedId !== null && detail?.waiting.includes(proposedId) ? proposedId : null;
}

function LoadingPanel(): ReactElement {
  return (
    <div className={styles.loading} aria-busy>
      {['40%', '100%', '100%', '64%', '80%', '52%', '70%'].map((width, index) => (
        <Skeleton key={index} width={width} />
      ))}
    </div>
  );
}

/** Puts the focus into the first input when a person asked to edit. A panel that closes or has nothing to edit ends the request. */
function useFocusOnRequest(form: RefObject<HTMLDivElement | null>, failed: boolean): void {
  const wanted = useStore(uiStore, (state) => state.wantedFocus === 'editor');
  useEffect(() => {
    // Without dependencies: the input comes with the campaign, later than the request.
    if (wanted && failed) uiStore.getState().focusTaken();
    const input = wanted ? form.current?.querySelector('input') : null;
    if (!input) return;
    input.focus();
    input.select();
    uiStore.getState().focusTaken();
  });
  useEffect(
    () => () => {
      if (uiStore.getState().wantedFocus === 'editor') uiStore.getState().focusTaken();
    },
    [],
  );
}

/** Name, status, id and type of the open campaign, as they are stored. */
function PanelHeader({ cid, editing }: { cid: number; editing: Editing | null }): ReactElement {
  const { navigate } = uiStore.getState();
  return (
    <header className={styles.header}>
      <div className={styles.heading}>
        <h2 className={styles.name}>
          {editing ? <ForeignText text={editing.stored('name')} /> : `Campaign ${cid}`}
        </h2>
        <div className={styles.facts}>
          {editing && <StatusPill framed status={Number(editing.campaign['status'])} />}
          <span>ID {cid}</span>
          {editing && <ForeignText text={valueInWords('type', editing.campaign['type'], editing.context)} />}
          {editing && editing.checked.changes.length > 0 && <Pill framed tone="busy" label="Edited" />}
        </div>
      </div>
      <IconButton
        icon="close"
        label="Close the campaign"
        size="small"
        onClick={() => navigate({ page: 'campaigns', cid: null })}
      />
    </header>
  );
}

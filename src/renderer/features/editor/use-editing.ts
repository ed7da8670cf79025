import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { editorStore, type OpenCampaign } from '#renderer/stores/editor/editor-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import type { CampaignDraftView } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef } from 'react';
import { useFormats, modalIsOpen } from '#renderer/ui/index.ts';
import { useStore } from 'zustand';
import { type Editing, editingOf, proposeAndReview } from './editing.ts';

export interface OpenEditor {
  open: OpenCampaign | undefined;
  editing: Editing | null;
  /** The reason if there is nothing to show. */
  failed: AppError | null;
  returned: CampaignDraftView['returned'];
  held: boolean;
  form: RefObject<HTMLDivElement | null>;
  onKeyDown: (event: KeyboardEvent) => void;
  onAttention: () => void;
}

/** Opens a campaign and keeps it with its draft. `leave` is what Escape does. */
export function useEditor(cid: number, leave: () => void): OpenEditor {
  const formats = useFormats();
  const open = useStore(editorStore, (state) => state.campaigns[cid]);
  const view = useStore(draftsStore, (state) => state.campaigns[cid]);
  const lost = useStore(
    sessionStore,
    ({ connection, status }) => connection.kind !== 'connected' || (status?.writing.off ?? null) !== null,
  );
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => editorStore.getState().open(cid), [cid]);
  const failed = !open?.detail && open?.failure ? open.failure : null;
  useFocusOnRequest(form, failed !== null);
  const { detail, typed, refusal = null, proposing = false } = open ?? {};
  const editing = useMemo(
    () => (detail && typed ? editingOf({ detail, typed, refusal }, view, formats) : null),
    [detail, typed, refusal, view, formats],
  );
  const held = lost || open?.detail?.lockedBy !== null;
  // As the button in the foot.
  const canReview = editing?.isReady === true && editing.proposalId === null && !held && !proposing;
  return {
    open,
    editing,
    failed,
    returned: view?.returned ?? null,
    held,
    form,
    onKeyDown(event) {
      if (modalIsOpen() || event.defaultPrevented) return;
      if (event.key === 'Escape') leave();
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && canReview) void proposeAndReview(cid);
    },
    onAttention: () =>
      form.current
        ?.querySelector<HTMLElement>('[aria-invalid=true], [role=group][aria-label^=Conflict] button')
        ?.focus(),
  };
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

import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import { copiesStore } from '../stores/copies-store.ts';
import type { OpenCampaign } from '#renderer/stores/editor/editor-store.ts';
import { undoStore } from '#renderer/stores/undo-store.ts';
import { Section, Tabs } from '#renderer/ui/index.ts';
import type { Editing } from '../editing.ts';
import { EarlierStates } from './earlier-states.tsx';
import { LabelsAndNote } from './labels-and-note.tsx';
import { LastChanges } from './last-changes.tsx';

interface RecordsProps {
  editing: Editing;
  open: OpenCampaign;
}

/** Records of a campaign on this computer, for panel and page: labels and note, and its history. */
export function CampaignRecords(props: RecordsProps): ReactElement {
  return (
    <>
      <LabelsAndNote cid={props.editing.cid} />
      <History {...props} />
    </>
  );
}

/** The last changes through this app, and copies of the campaign before them. Absent if there are none. */
function History({ editing, open }: RecordsProps): ReactElement | null {
  const { cid, proposalId } = editing;
  const { detail } = open;
  const changes = useStore(undoStore, (state) => state.changes[cid]) ?? [];
  const hasCopies = useStore(copiesStore, (state) => state.cid === cid && state.copies.length > 0);
  useEffect(() => undoStore.getState().watchCampaign(cid), [cid]);
  // Each read of the campaign tells anew what is different.
  useEffect(() => void copiesStore.getState().read(cid), [cid, detail]);
  const tabs = [
    ...(changes.length > 0
      ? [{ id: 'changes', title: 'Last changes', content: <LastChanges changes={changes} /> }]
      : []),
    ...(hasCopies
      ? [{ id: 'states', title: 'Earlier states', content: <EarlierStates isHeld={proposalId !== null} /> }]
      : []),
  ];
  if (tabs.length === 0) return null;
  return (
    <Section title="History" aside="changes through Countersign">
      <Tabs label="History" tabs={tabs} />
    </Section>
  );
}

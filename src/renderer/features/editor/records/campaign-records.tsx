import type { OpenCampaign } from '#renderer/stores/editor/index.ts';
import type { ReactElement } from 'react';
import { EarlierStates } from './earlier-states.tsx';
import type { Editing } from '../editing.ts';
import { LabelsAndNote } from './labels-and-note.tsx';
import { LastChanges } from './last-changes.tsx';

/** Records of a campaign on this computer, the same beside the list and on its page: labels and note, last changes, earlier states. */
export function CampaignRecords(props: { editing: Editing; open: OpenCampaign }): ReactElement {
  const { cid } = props.editing;
  return (
    <>
      <LabelsAndNote cid={cid} />
      <LastChanges cid={cid} />
      <EarlierStates {...props} />
    </>
  );
}

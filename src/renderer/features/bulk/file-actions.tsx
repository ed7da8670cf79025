import { bulkFileStore, campaignFileTypes } from '#renderer/stores/bulk/bulk-file-store.ts';
import { openCampaignFile } from '#renderer/stores/bulk/bulk-store.ts';
import {
  useFormats,
  Banner,
  Button,
  Dialog,
  DialogFoot,
  FileButton,
  ForeignText,
  IconButton,
  FailureBanner,
  CheckboxGroup,
  common,
} from '#renderer/ui/index.ts';
import type { BulkState } from '#shared/app-api/index.ts';
import { fieldGroups, fieldLabel } from '#shared/campaign/index.ts';
import { fieldsWithCell } from '#shared/drafts/index.ts';
import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import styles from './bulk.module.css';
import { RefusedFile } from './file-part.tsx';

export function FileActions({ reads }: { reads: BulkState }): ReactElement {
  const { isChoosing, chooseColumns, flow } = useStore(bulkFileStore);
  useEffect(() => () => chooseColumns(false), [chooseColumns]);
  return (
    <>
      <OpenFile />
      <Button
        icon="download"
        disabled={reads.isReading || flow.kind === 'running'}
        onClick={() => chooseColumns(true)}
      >
        Export CSV…
      </Button>
      {isChoosing && !reads.isReading && <ExportDialog reads={reads} onClose={() => chooseColumns(false)} />}
    </>
  );
}

export function OpenFile(): ReactElement {
  const isOpening = useStore(bulkFileStore, ({ doing }) => doing !== null);
  return (
    <FileButton
      icon="file"
      label="CSV file"
      accept={campaignFileTypes}
      disabled={isOpening}
      onFile={(file) => void openCampaignFile(file)}
    >
      Open CSV…
    </FileButton>
  );
}

const withoutCell = fieldsWithCell('fixed', 'none');

function ExportDialog({ reads, onClose }: { reads: BulkState; onClose: () => void }): ReactElement {
  const formats = useFormats();
  const fields = useStore(bulkFileStore, (state) => state.fields);
  const { chooseField, save } = bulkFileStore.getState();
  const known = new Set(fieldGroups.flatMap((group) => group.fields));
  const filters = reads.filters.map(({ field }) => field).filter((field) => !known.has(field));
  const groups = [...fieldGroups, { title: 'Traffic filters', fields: filters }]
    .map(({ title, fields: all }) => ({ title, fields: all.filter((field) => !withoutCell.includes(field)) }))
    .filter((group) => group.fields.length > 0);
  return (
    <Dialog title={`Export ${formats.counted(reads.read, 'campaign')}`} onClose={onClose}>
      <p className={common.quiet}>Keep the columns ID and version when you edit the file.</p>
      <div className={styles.exported}>
        {groups.map(({ title, fields: all }) => (
          <CheckboxGroup
            key={title}
            label={title}
            options={all.map((id) => ({ id, label: fieldLabel(id) }))}
            chosen={fields}
            onChange={(chosen) => all.forEach((field) => chooseField(field, chosen.includes(field)))}
          />
        ))}
      </div>
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          disabled={fields.length === 0}
          onClick={() => {
            onClose();
            void save();
          }}
        >
          Export {formats.counted(fields.length, 'column')}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

export function FileNotices(): ReactElement | null {
  const formats = useFormats();
  const { flow, refusal, dismiss, tooLong } = useStore(bulkFileStore);
  const close = <IconButton icon="close" size="small" label="Dismiss" onClick={dismiss} />;
  return (
    <>
      {refusal !== null && <FailureBanner flush failure={refusal.failure} />}
      <RefusedFile />
      {flow.kind === 'saved' && (
        <Banner flush tone="good" title="The file is saved." actions={close}>
          <ForeignText text={flow.name} />
        </Banner>
      )}
      {flow.kind === 'saved' && tooLong.length > 0 && (
        <Banner
          flush
          tone="warning"
          title={`${formats.counted(tooLong.length, 'cell is', 'cells are')} longer than spreadsheets keep`}
        >
          Cut cells are refused when you open the file again. Edit these lists here:{' '}
          <ForeignText
            text={tooLong
              .slice(0, 5)
              .map(({ cid, label }) => `${label} of ${cid}`)
              .join(', ')}
          />
          {tooLong.length > 5 && <span>{` and ${formats.count(tooLong.length - 5)} more`}</span>}
        </Banner>
      )}
      {flow.kind === 'failed' && (
        <FailureBanner flush failure={flow.failure} actions={close}>
          No file was saved.
        </FailureBanner>
      )}
    </>
  );
}

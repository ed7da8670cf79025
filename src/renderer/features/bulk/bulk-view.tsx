import { bulkFileStore, campaignFileTypes } from '#renderer/stores/bulk/bulk-file-store.ts';
import { bulkStore, openCampaignFile } from '#renderer/stores/bulk/bulk-store.ts';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  cx,
  common,
  useFormats,
  Banner,
  Button,
  EmptyState,
  PageFrame,
  FailureBanner,
  Dialog,
  DialogFoot,
  FileButton,
  ForeignText,
  IconButton,
  CheckboxGroup,
} from '#renderer/ui/index.ts';
import type { BulkState } from '#shared/app-api/index.ts';
import { type ReactElement, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import styles from './bulk.module.css';
import { EditForm } from './edit-form.tsx';
import { Preview } from './preview.tsx';
import { fieldGroups, fieldLabel } from '#shared/campaign/index.ts';
import { fieldsOfKind } from '#shared/drafts/index.ts';
import { RefusedFile } from './file-part.tsx';

const list = { href: routeHref({ page: 'campaigns', cid: null }), name: 'Back to the list' };

export function BulkView(): ReactElement {
  const formats = useFormats();
  const { reads, doing } = useStore(bulkStore);
  const { start } = bulkStore.getState();
  useEffect(() => start(), [start]);
  const form = useRef<HTMLElement>(null);
  const wanted = useStore(uiStore, ({ wantedFocus }) => wantedFocus === 'bulk');
  useEffect(() => {
    const first = wanted ? form.current?.querySelector<HTMLElement>(':checked') : null;
    if (!first) return;
    first.focus();
    uiStore.getState().focusTaken();
  }, [wanted, reads]);
  const isReading = reads?.isReading;
  // When reading ends, lines with unknown campaigns are known and can be listed.
  useEffect(() => void bulkFileStore.getState().refresh(), [isReading]);
  if (reads?.total == null) {
    return (
      <PageFrame back={list} title="Change campaigns" count={null} actions={<OpenFile />}>
        <FileNotices />
        {doing === null && (
          <EmptyState
            icon="campaigns"
            title="No campaigns are chosen"
            action={<a href={list.href}>Open the campaigns</a>}
          >
            Select campaigns and choose “Change…”, or open a CSV file.
          </EmptyState>
        )}
      </PageFrame>
    );
  }
  return (
    <PageFrame
      back={list}
      title={`Change ${formats.counted(reads.total, 'campaign')}`}
      guide={routeHref({ page: 'guide', place: 'drafts/many-campaigns' })}
      count={<Reading reads={reads} />}
      actions={<FileActions reads={reads} />}
    >
      <FileNotices />
      <Notices reads={reads} />
      <div className={styles.columns}>
        <section ref={form} className={cx(common.stack3, styles.form)} aria-label="The change">
          <EditForm />
        </section>
        <section className={cx(common.stack, styles.result)} aria-label="Preview">
          <Preview />
        </section>
      </div>
    </PageFrame>
  );
}

function Reading({ reads: { isReading, read, total } }: { reads: BulkState }): ReactElement | null {
  const formats = useFormats();
  if (!isReading) return null;
  return (
    <span role="status">
      Reading {formats.count(read)} of {formats.count(total ?? 0)}…
    </span>
  );
}

function Notices({ reads }: { reads: BulkState }): ReactElement {
  const formats = useFormats();
  const { added, refusal } = useStore(bulkStore);
  const isFile = useStore(bulkStore, ({ form }) => form.subject === 'file');
  const { readRest, stopReading, undoAdded } = bulkStore.getState();
  const newestStep = useStore(draftsStore, (state) => state.newestStep);
  const { isReading, read, total, failed, failure } = reads;
  const missing = (total ?? 0) - read;
  const unknown = failed.filter(({ isUnknown }) => isUnknown).length;
  return (
    <>
      {isReading && (
        <Banner
          flush
          tone="info"
          title="Campaigns are read in full."
          actions={
            <Button size="small" onClick={() => void stopReading()}>
              Stop
            </Button>
          }
        >
          The preview counts them once reading ends or you stop it.
        </Banner>
      )}
      {!isReading && unknown > 0 && (
        <Banner
          flush
          tone="warning"
          title={`${formats.counted(unknown, 'campaign does', 'campaigns do')} not exist in this account.`}
        >
          {isFile && 'Correct the ID in the file, then open it again.'}
        </Banner>
      )}
      {!isReading && missing > unknown && (
        <Banner
          flush
          tone="warning"
          title={`${formats.counted(missing - unknown, 'campaign was', 'campaigns were')} not read and will not change.`}
          actions={
            <Button size="small" icon="refresh" onClick={() => void readRest()}>
              Read the rest
            </Button>
          }
        >
          {failure === null
            ? failed.find(({ isUnknown }) => !isUnknown)?.message
            : `${failure.message} ${failure.next}`}
        </Banner>
      )}
      {refusal !== null && <FailureBanner flush failure={refusal.failure} />}
      {added !== null && (
        <Banner
          flush
          tone="good"
          title={`Added to the drafts: ${added.title}.`}
          actions={
            <>
              {added.step === newestStep && (
                <Button size="small" icon="undo" onClick={() => void undoAdded()}>
                  Undo
                </Button>
              )}
              <a href={routeHref({ page: 'drafts' })}>Review drafts</a>
            </>
          }
        ></Banner>
      )}
    </>
  );
}

function FileActions({ reads }: { reads: BulkState }): ReactElement {
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

function OpenFile(): ReactElement {
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

const withoutCell = fieldsOfKind('fixed', 'none');

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

function FileNotices(): ReactElement | null {
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
        <FailureBanner flush failure={flow.failure} onDismiss={dismiss}>
          No file was saved.
        </FailureBanner>
      )}
    </>
  );
}

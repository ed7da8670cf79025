import { bulkFileStore } from '#renderer/stores/bulk/bulk-file-store.ts';
import { bulkStore } from '#renderer/stores/bulk/bulk-store.ts';
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
} from '#renderer/ui/index.ts';
import type { BulkState } from '#shared/app-api/index.ts';
import { type ReactElement, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import styles from './bulk.module.css';
import { FileActions, FileNotices, OpenFile } from './file-actions.tsx';
import { EditForm } from './edit-form.tsx';
import { Preview } from './preview.tsx';

const list = { href: routeHref({ page: 'campaigns', cid: null }), name: 'Back to the list' };

export function BulkView(): ReactElement {
  const formats = useFormats();
  const { reads, doing } = useStore(bulkStore);
  const { start } = bulkStore.getState();
  useEffect(() => start(), [start]);
  const form = useRef<HTMLElement>(null);
  const wanted = useStore(uiStore, ({ wantedFocus }) => wantedFocus === 'bulk');
  useEffect(() => {
    const first = wanted ? form.current?.querySelector('select') : null;
    if (!first) return;
    first.focus();
    uiStore.getState().focusTaken();
  }, [wanted, reads]);
  const isReading = reads?.isReading;
  // Once reading ends, it is known which lines name campaigns that are not there.
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
        <section className={styles.result} aria-label="Preview">
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

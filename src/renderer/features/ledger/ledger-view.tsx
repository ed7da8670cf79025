import { type ReactElement, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { desktopStore } from '#renderer/stores/desktop-store.ts';
import { exportStore } from '#renderer/stores/ledger/export-store.ts';
import { hasOlder, ledgerStore } from '#renderer/stores/ledger/ledger-store.ts';
import { excludes } from '#renderer/stores/ledger/filter-form.ts';
import { isCut, storiesOf } from './stores/stories.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  useFormats,
  Age,
  Banner,
  EmptyState,
  ForeignText,
  IconButton,
  PageFrame,
  Toast,
  ToastRegion,
  VirtualList,
  FailureBanner,
  FailureState,
  Loading,
} from '#renderer/ui/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import { ChainState } from './chain-state.tsx';
import { Story } from './entry.tsx';
import { ClearFilters, FilterBar } from './filter-bar.tsx';
import styles from './ledger.module.css';
import { NetEffect } from './net-effect.tsx';

const closedRowHeight = 32;

export function LedgerView(): ReactElement {
  const formats = useFormats();
  const { list, filter } = useStore(ledgerStore);
  const [part, setPart] = useState<Part>('rows');
  useEffect(() => ledgerStore.getState().start(), []);
  return (
    <PageFrame
      title="Ledger"
      guide={routeHref({ page: 'guide', place: 'ledger' })}
      count={
        list &&
        (excludes(filter) ? formats.counted(list.total, ...matching) : formats.counted(list.total, 'row'))
      }
    >
      <Notices />
      <ChainState />
      <Parts part={part} onChange={setPart} />
      {part === 'rows' ? (
        <>
          <FilterBar />
          <div className={styles.rows}>
            <Rows />
          </div>
        </>
      ) : (
        <NetEffect />
      )}
      <ExportToast />
    </PageFrame>
  );
}

const matching = ['matching row', 'matching rows'] as const;

type Part = 'rows' | 'effect';

const parts: { id: Part; label: string }[] = [
  { id: 'rows', label: 'Changes' },
  { id: 'effect', label: 'Net effect of agents' },
];

function Parts({ part, onChange }: { part: Part; onChange: (part: Part) => void }): ReactElement {
  return (
    <div className={styles.parts}>
      <Segments label="What is shown" value={part} options={parts} onChange={onChange} />
      <a className={styles.decisions} href={routeHref({ page: 'decisions' })}>
        Your decisions
      </a>
    </div>
  );
}

function Rows(): ReactElement {
  const { list, filter, opened, toggle, readOlder, failure } = useStore(ledgerStore);
  const stories = useMemo(() => storiesOf(list?.entries ?? []), [list]);
  if (!list) {
    return failure ? (
      <FailureState failure={failure} />
    ) : (
      <Loading label="Reading the ledger" widths={['56%', '44%', '62%', '50%']} />
    );
  }
  if (list.total === 0 && excludes(filter)) {
    return <EmptyState icon="search-none" title="No matching entries" action={<ClearFilters />} />;
  }
  if (list.total === 0) {
    return (
      <EmptyState icon="ledger" title="No entries yet" action={<a href="#/campaigns">Open the campaigns</a>}>
        Every change and decision is recorded here, signed.
      </EmptyState>
    );
  }
  return (
    <VirtualList
      label="Changes, newest first"
      items={stories}
      keyOf={({ key }) => key}
      estimatedHeight={closedRowHeight}
      onEndNear={readOlder}
      end={hasOlder(list) ? <p className={styles.end}>Reading older rows…</p> : undefined}
      render={(story, index) => (
        <Story
          story={story}
          newer={stories[index - 1] ?? null}
          opened={opened}
          onToggle={toggle}
          isCut={isCut(story, hasOlder(list))}
        />
      )}
    />
  );
}

function Notices(): ReactElement | null {
  const { list, failure } = useStore(ledgerStore);
  const connection = useStore(sessionStore, (state) => state.connection);
  const onDesktop = useStore(desktopStore, (state) => state.present);
  if (connection.kind === 'lost') {
    // On the desktop the window says it over every page.
    if (onDesktop) return null;
    return (
      <Banner flush tone="warning" icon="offline" title="Countersign cannot be reached.">
        It last answered <Age atMs={connection.sinceMs} />; this page tries again by itself.
      </Banner>
    );
  }
  if (!failure || !list) return null;
  return (
    <FailureBanner flush tone="warning" failure={failure}>
      This page may be out of date.
    </FailureBanner>
  );
}

function ExportToast(): ReactElement | null {
  const formats = useFormats();
  const { flow, dismiss } = useStore(exportStore);
  if (flow.kind !== 'exported' && flow.kind !== 'failed') return null;
  const close = <IconButton icon="close" size="small" label="Dismiss" onClick={dismiss} />;
  return (
    <ToastRegion>
      <Toast>
        {flow.kind === 'exported' ? (
          <Banner tone="good" title={`${formats.counted(flow.rows, 'row')} exported.`} actions={close}>
            <ForeignText text={flow.name} /> verifies with <code>countersign verify-ledger</code>.
          </Banner>
        ) : (
          <FailureBanner failure={flow.failure} actions={close} />
        )}
      </Toast>
    </ToastRegion>
  );
}

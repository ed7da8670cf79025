import { type ReactElement, useRef } from 'react';
import { useStore } from 'zustand';
import { masteryOf, overviewOf, type OverviewRow, resultId, resultsStore } from '../stores/results-store.ts';
import {
  useFormats,
  Banner,
  Button,
  EmptyState,
  ForeignText,
  IconButton,
  Mono,
  PageFrame,
} from '#renderer/ui/index.ts';
import type { CheckedResult } from '#shared/app-api/index.ts';
import { faultKinds, faultWords } from '#shared/training/index.ts';
import { MasterySign } from './mastery.tsx';
import styles from './training-results.module.css';

/** Checks result files and lays them side by side: names and kinds of fault. */
export function ResultsPage(): ReactElement {
  const formats = useFormats();
  const { checked, refusal, dismiss, clear } = useStore(resultsStore);
  const rows = overviewOf(checked);
  const refused = checked.filter(({ result }) => result.kind === 'refused');
  return (
    <PageFrame
      title="Check results"
      count={checked.length > 0 && `${rows.length} of ${formats.counted(checked.length, 'file')} intact`}
      actions={
        checked.length > 0 && (
          <>
            <Button onClick={clear}>Clear</Button>
            <OpenFiles />
          </>
        )
      }
    >
      <div className={styles.page}>
        {refusal?.of === 'check' && (
          <Banner
            tone="danger"
            title={refusal.failure.message}
            actions={<IconButton icon="close" size="small" label="Dismiss" onClick={dismiss} />}
          >
            {refusal.failure.next}
          </Banner>
        )}
        {checked.length === 0 ? (
          <EmptyState icon="shield-check" title="Check result files" action={<OpenFiles primary />}>
            Open result files to check their signatures and compare people.
          </EmptyState>
        ) : (
          <>
            {refused.map((file) => (
              <Refused key={resultId(file)} {...file} />
            ))}
            {rows.length > 0 && <Overview rows={rows} />}
          </>
        )}
      </div>
    </PageFrame>
  );
}

function OpenFiles({ primary = false }: { primary?: boolean }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const { doing, open } = useStore(resultsStore);
  return (
    <>
      <Button
        kind={primary ? 'primary' : 'secondary'}
        icon="file"
        disabled={doing === 'check'}
        onClick={() => input.current?.click()}
      >
        Open result files…
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept=".json,application/json"
        aria-label="Result files"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // The same file, once more, is another choice.
          event.target.value = '';
          if (files.length > 0) void open(files);
        }}
      />
    </>
  );
}

function Refused({ fileName, result }: CheckedResult): ReactElement | null {
  if (result.kind !== 'refused') return null;
  return (
    <Banner tone="danger" title={`${fileName} is not intact.`}>
      <ForeignText text={result.reason} /> Ask for the original file.
    </Banner>
  );
}

function Overview({ rows }: { rows: readonly OverviewRow[] }): ReactElement {
  const formats = useFormats();
  return (
    <section className={styles.overview} aria-label="Overview">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it may scroll, and the keyboard scrolls only what can have the focus */}
      <div className={styles.scroll} tabIndex={0} role="group" aria-label="Names and kinds of fault">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col" className={styles.first}>
                Kind of fault
              </th>
              {rows.map(({ id, fileName, name, attempts, savedAtMs }) => (
                <th key={id} scope="col" title={fileName}>
                  <ForeignText text={name} />
                  <span className={styles.small}>
                    {formats.counted(attempts, 'attempt')} · saved{' '}
                    {formats.shortMoment(savedAtMs, Date.now())}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr className={styles.sum}>
              <th scope="row" className={styles.first}>
                Caught reliably
              </th>
              {rows.map(({ id, kinds }) => (
                <td key={id}>
                  {[...kinds.values()].filter(({ mastery }) => mastery === 'reliable').length} of{' '}
                  {faultKinds.length} kinds
                </td>
              ))}
            </tr>
            <tr className={styles.sum}>
              <th scope="row" className={styles.first}>
                Good changes stopped
              </th>
              {rows.map(({ id, good }) => (
                <td key={id}>{good.decided === 0 ? '–' : `${good.stopped} of ${good.decided}`}</td>
              ))}
            </tr>
            {faultKinds.map((kind) => (
              <tr key={kind}>
                <th scope="row" className={styles.first}>
                  {faultWords[kind].title}
                </th>
                {rows.map(({ id, kinds }) => {
                  const { mastery, met, caught } = kinds.get(kind) ?? notMet;
                  return (
                    <td key={id}>
                      <span className={styles.line}>
                        <MasterySign mastery={mastery} />
                        {met > 0 && <span className={styles.small}>{`${caught} of ${met} caught`}</span>}
                      </span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" className={styles.first}>
                Signed with key
              </th>
              {rows.map(({ id, keyFingerprint }) => (
                <td key={id}>
                  <Mono>{keyFingerprint}</Mono>
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      <p className={styles.soft}>
        Compare each key with the one you noted for that computer. A signature can’t prove who was at the
        keyboard.
      </p>
    </section>
  );
}

const notMet = { mastery: masteryOf({ met: 0, isReliable: false }), met: 0, caught: 0 };

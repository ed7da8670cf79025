import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import {
  type Mastery,
  masteryOf,
  overviewOf,
  type OverviewRow,
  resultId,
  resultsStore,
} from './stores/results-store.ts';
import {
  cx,
  common,
  useFormats,
  Banner,
  Button,
  EmptyState,
  FileButton,
  Icon,
  type IconName,
  type PillTone,
  ForeignText,
  Mono,
  PageFrame,
  FailureBanner,
  pages,
} from '#renderer/ui/index.ts';
import type { CheckedResult } from '#shared/app-api/index.ts';
import { faultKinds, faultWords } from '#shared/training/index.ts';
import styles from './mission.module.css';
import shared from './training.module.css';

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
      <div className={cx(common.stack3, pages.scroll, common.inset)}>
        {refusal?.of === 'check' && <FailureBanner failure={refusal.failure} onDismiss={dismiss} />}
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
  const { doing, open } = useStore(resultsStore);
  return (
    <FileButton
      kind={primary ? 'primary' : 'secondary'}
      icon="file"
      label="Result files"
      accept=".json,application/json"
      multiple
      disabled={doing === 'check'}
      onFile={(_, files) => void open(files)}
    >
      Open result files…
    </FileButton>
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
    <section className={common.stack3} aria-label="Overview">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it may scroll, and the keyboard scrolls only what can have the focus */}
      <div className={styles.resultsFrame} tabIndex={0} role="group" aria-label="Names and kinds of fault">
        <table className={cx(pages.selectable, pages.tabular, styles.results)}>
          <thead>
            <tr>
              <th scope="col">Kind of fault</th>
              {rows.map(({ id, fileName, name, attempts, savedAtMs }) => (
                <th key={id} scope="col" title={fileName}>
                  <ForeignText text={name} />
                  <span className={cx(common.quiet, styles.small)}>
                    {formats.counted(attempts, 'attempt')} · saved{' '}
                    {formats.shortMoment(savedAtMs, Date.now())}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr className={styles.sum}>
              <th scope="row">Caught reliably</th>
              {rows.map(({ id, kinds }) => (
                <td key={id}>
                  {[...kinds.values()].filter(({ mastery }) => mastery === 'reliable').length} of{' '}
                  {faultKinds.length} kinds
                </td>
              ))}
            </tr>
            <tr className={styles.sum}>
              <th scope="row">Good changes stopped</th>
              {rows.map(({ id, good }) => (
                <td key={id}>{good.decided === 0 ? '–' : `${good.stopped} of ${good.decided}`}</td>
              ))}
            </tr>
            {faultKinds.map((kind) => (
              <tr key={kind}>
                <th scope="row">{faultWords[kind].title}</th>
                {rows.map(({ id, kinds }) => {
                  const { mastery, met, caught } = kinds.get(kind) ?? notMet;
                  return (
                    <td key={id}>
                      <span className={styles.resultsLine}>
                        <MasterySign mastery={mastery} />
                        {met > 0 && (
                          <span
                            className={cx(common.quiet, styles.small)}
                          >{`${caught} of ${met} caught`}</span>
                        )}
                      </span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Signed with key</th>
              {rows.map(({ id, keyFingerprint }) => (
                <td key={id}>
                  <Mono>{keyFingerprint}</Mono>
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      <p className={cx(common.soft, styles.narrow)}>
        Compare each key with the one you noted for that computer. A signature can’t prove who was at the
        keyboard.
      </p>
    </section>
  );
}

const notMet = { mastery: masteryOf({ met: 0, isReliable: false }), met: 0, caught: 0 };

const signs: Record<Mastery, { word: string; icon: IconName; tone: PillTone }> = {
  'not-met': { word: 'Not seen yet', icon: 'minus', tone: 'neutral' },
  unreliable: { word: 'Not reliable', icon: 'alert-circle', tone: 'waiting' },
  reliable: { word: 'Reliable', icon: 'check-circle', tone: 'good' },
};

export function MasterySign({ mastery }: { mastery: Mastery }): ReactElement {
  const { word, icon, tone } = signs[mastery];
  return (
    <span className={shared.sign}>
      <Icon name={icon} size={14} tone={tone} />
      {word}
    </span>
  );
}

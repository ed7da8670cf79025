import { failureOf } from '../stores/reports-store.ts';
import { goToReport, reportsStore } from '../stores/stores.ts';
import { withSource } from '../stores/report-query.ts';
import { Button, NumberField } from '#renderer/ui/index.ts';
import { PanelButton } from '#renderer/ui/report/index.ts';
import type { ReportSource } from '#shared/app-api/index.ts';
import { useState, type FormEvent, type ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './frame.module.css';
import { useReport } from '../use-report.ts';

const names = { xml: 'traffic source', search: 'feed' } as const;

/** `Source 4711`, `Feed 7`, `All feeds`. */
function sourceText(source: ReportSource): string {
  if (source.kind === 'xml') return `Source ${source.tid}`;
  return source.sid === null ? 'All feeds' : `Feed ${source.sid}`;
}

/** The traffic source or feed of the report: a known one, or one by its number. */
export function SourcePicker(): ReactElement | null {
  const { query } = useReport('query');
  const failed = useStore(reportsStore, failureOf);
  if (query === null) return null;
  const { source } = query;
  const problem = failed?.fields.find(({ field }) => field === 'tid' || field === 'sid');
  const choose = (next: ReportSource): void => goToReport(withSource(query, next));
  return (
    <>
      <PanelButton
        label={sourceText(source)}
        name={`Source: ${sourceText(source)}`}
        title={`Choose a ${names[source.kind]}`}
        describedBy={problem && 'source-problem'}
      >
        {(close) => (
          <div className={styles.panel}>
            <SourceList
              source={source}
              onChoose={(next) => {
                close();
                choose(next);
              }}
            />
          </div>
        )}
      </PanelButton>
      {problem && (
        <span className={styles.problem} id="source-problem" role="alert">
          {problem.message}
        </span>
      )}
    </>
  );
}

function knownSources(
  kind: ReportSource['kind'],
  { tids, sids }: { tids: readonly number[]; sids: readonly number[] },
): ReportSource[] {
  if (kind === 'xml') return tids.map((tid) => ({ kind, tid }));
  return [{ kind, sid: null }, ...sids.map((sid): ReportSource => ({ kind, sid }))];
}

/** The known sources of a report, and a field for any other. */
export function SourceList(props: {
  source: ReportSource | { kind: ReportSource['kind'] };
  onChoose: (source: ReportSource) => void;
}): ReactElement {
  const { source, onChoose } = props;
  const sources = useStore(reportsStore, (state) => state.sources) ?? { tids: [], sids: [] };
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const known = knownSources(source.kind, sources);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const id = Number(typed.trim());
    if (!/^\d+$/u.test(typed.trim()) || !Number.isSafeInteger(id) || id < 1) {
      setError('Enter a whole number above 0.');
      return;
    }
    onChoose(source.kind === 'xml' ? { kind: 'xml', tid: id } : { kind: 'search', sid: id });
  }

  return (
    <>
      {known.length > 0 && (
        <ul className={styles.sources} aria-label="Known">
          {known.map((next) => (
            <li key={sourceText(next)}>
              <Button
                kind={JSON.stringify(next) === JSON.stringify(source) ? 'secondary' : 'quiet'}
                aria-pressed={JSON.stringify(next) === JSON.stringify(source)}
                onClick={() => onChoose(next)}
              >
                {sourceText(next)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form className={styles.typed} onSubmit={submit}>
        <NumberField
          label={source.kind === 'xml' ? 'Traffic source (tid)' : 'Feed (sid)'}
          value={typed}
          error={error}
          onChange={(text) => {
            setTyped(text);
            setError(undefined);
          }}
        />
        <Button type="submit">Show report</Button>
      </form>
    </>
  );
}

import type { LedgerEntry } from '#shared/app-api/index.ts';
import { useState, type ReactElement } from 'react';
import { ledgerStore } from '#renderer/stores/ledger/index.ts';
import { routeHref } from '#renderer/stores/ui/index.ts';
import {
  Button,
  DiffLine,
  Disclosure,
  Fingerprint,
  LongText,
  momentText,
  Mono,
  Rule,
  VerdictList,
} from '#renderer/ui/index.ts';
import styles from './entry-detail.module.css';

/** What an opened row says: its changes and verdicts, its place in the chain, and the exact body that was signed. */
export function EntryDetail({ entry }: { entry: LedgerEntry }): ReactElement {
  const { changes, verdicts, proposalId } = entry;
  return (
    <div className={styles.detail}>
      {changes.length > 0 && (
        <section aria-label="Changes">
          <Rule title="Changes" aside={`${changes.length}`} />
          {changes.map((change) => (
            <DiffLine key={change.field} change={change} />
          ))}
        </section>
      )}
      {verdicts.length > 0 && (
        <section aria-label="Verdicts">
          <Rule title="Read back" />
          <VerdictList verdicts={verdicts} changed={changes.map((change) => change.field)} />
        </section>
      )}
      <Seal entry={entry} />
      <RawBody body={entry.body} />
      {proposalId !== null && (
        <p className={styles.links}>
          <a href={routeHref({ page: 'proposals', id: proposalId })}>Open the proposal</a>
          <Button size="small" kind="quiet" onClick={() => ledgerStore.getState().filterBy(proposalId)}>
            Only this proposal’s rows
          </Button>
        </p>
      )}
    </div>
  );
}

function Seal({ entry }: { entry: LedgerEntry }): ReactElement {
  return (
    <dl className={styles.seal}>
      <dt>Written</dt>
      <dd>{momentText(entry.atMs)}</dd>
      <dt>Kind</dt>
      <dd>
        <Mono>{entry.kind}</Mono>
      </dd>
      <dt>Hash</dt>
      <dd>
        <Fingerprint hex={entry.hash} />
      </dd>
      <dt>Previous hash</dt>
      <dd>
        <Fingerprint hex={entry.previousHash} />
      </dd>
      <dt>Signed with key</dt>
      <dd>
        <Fingerprint hex={entry.keyId} />
      </dd>
    </dl>
  );
}

function RawBody({ body }: { body: string }): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <Disclosure
      title="Exact body"
      aside={`${body.length.toLocaleString('en-US')} characters`}
      open={open}
      onToggle={setOpen}
    >
      {open && (
        <Mono block>
          <LongText text={body} />
        </Mono>
      )}
    </Disclosure>
  );
}

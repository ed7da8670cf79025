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
import { EntryProfile } from './entry-profile.tsx';
import styles from './entry.module.css';

/** What an opened row says: its changes and verdicts, its place in the chain, and the exact body that was signed. */
export function EntryDetail({ entry }: { entry: LedgerEntry }): ReactElement {
  const { changes, verdicts, verdictCount, proposalId } = entry;
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
      {(verdicts.length > 0 || verdictCount !== null) && (
        <section aria-label="Verdicts">
          <Rule title="Read back" />
          {verdictCount !== null && <p>{readBackWords(verdictCount, verdicts.length)}</p>}
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

/** The row lists only the fields that are not as asked. */
function readBackWords(count: number, others: number): string {
  const fields = (number: number): string => (number === 1 ? '1 field' : `${number} fields`);
  if (others === 0) return `${fields(count)} stored as asked.`;
  return `${fields(count - others)} of ${count} stored as asked; ${others === 1 ? 'the other one' : 'the others'}:`;
}

function Seal({ entry }: { entry: LedgerEntry }): ReactElement {
  return (
    <dl className={styles.seal}>
      <dt>Written</dt>
      <dd>{momentText(entry.atMs)}</dd>
      <dt>Profile</dt>
      <dd>
        <EntryProfile profile={entry.profile} />
      </dd>
      <dt>Kind</dt>
      <dd>
        <Mono>{entry.kind}</Mono>
      </dd>
      <dt>Hash</dt>
      <dd>
        <Fingerprint hex={entry.hash} />
      </dd>
      <dt>Previous row</dt>
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

import type { ReactElement } from 'react';
import type { DecisionsRead } from './stores/decisions-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { BarTable } from '#renderer/ui/chart/index.ts';
import { useFormats, ForeignText } from '#renderer/ui/index.ts';
import styles from './decisions.module.css';
import type { Formats } from '#shared/lib/formats.ts';

interface Sides {
  approved: number;
  denied: number;
}

const columns = ['Denied', 'Approved'];

const figuresOf = ({ approved, denied }: Sides, formats: Formats): { size: number; figures: string[] } => ({
  size: denied,
  figures: [denied, approved].map((count) => formats.count(count)),
});

/** Denials and approvals by the agent that asked, and of the user's own changes. */
export function Proposers({ read }: { read: DecisionsRead }): ReactElement {
  const formats = useFormats();
  const rows = read.proposers.map(({ kind, name, agentId, ...sides }) => ({
    key: agentId ?? `${kind} ${name}`,
    name: kind === 'person' ? 'You' : <ForeignText text={kind === 'schedule' ? `Schedule ${name}` : name} />,
    ...figuresOf(sides, formats),
  }));
  return (
    <section className={styles.part} aria-label="Who asked">
      <h2 className={styles.heading}>Who asked</h2>
      <BarTable label="Changes by who asked for them" heading="Asked by" columns={columns} rows={rows} />
      <p className={styles.quiet}>Each change of a batch counts.</p>
    </section>
  );
}

const riskNames: Record<DecisionsRead['risks'][number]['kind'], string> = {
  money: 'Bids, budgets and money at risk',
  destination: 'Where the traffic goes',
  traffic: 'The traffic bought',
  times: 'When it is bought',
  pace: 'Frequency cap and pacing',
  status: 'Status',
  unweighed: 'Not assessed',
  tools: 'Calls of tools',
  access: 'Access of agents',
  none: 'No warning',
  unrecorded: 'Not recorded',
};

/** Denials and approvals by the subjects of their warnings. */
export function Risks({ read }: { read: DecisionsRead }): ReactElement {
  const formats = useFormats();
  // Changes without a warning have no subject: they come last, without a bar.
  const isSubject = ({ kind }: DecisionsRead['risks'][number]): boolean =>
    kind !== 'none' && kind !== 'unrecorded';
  const rows = read.risks
    .toSorted((a, b) => Number(isSubject(b)) - Number(isSubject(a)))
    .map((risk) => ({
      key: risk.kind,
      name: riskNames[risk.kind],
      ...figuresOf(risk, formats),
      ...(!isSubject(risk) && { size: 0 }),
    }));
  const isUnrecorded = read.risks.some(({ kind }) => kind === 'unrecorded');
  return (
    <section className={styles.part} aria-label="What they warned of">
      <h2 className={styles.heading}>What they warned of</h2>
      <BarTable label="Changes by what they warned of" heading="Subject" columns={columns} rows={rows} />
      <p className={styles.quiet}>
        A change counts for each of its warnings.
        {isUnrecorded && <span> Not recorded: proposed by an earlier version.</span>}
      </p>
    </section>
  );
}

const hows: Record<DecisionsRead['reversed']['items'][number]['how'], string> = {
  undone: 'Undone',
  reversed: 'Reversed with other changes of agents',
};

/** Approved decisions that were taken back later. */
export function TakenBack({ read }: { read: DecisionsRead }): ReactElement {
  const formats = useFormats();
  const { count, items } = read.reversed;
  const total = count.undone + count.reversed;
  return (
    <section className={styles.part} aria-label="Taken back later">
      <h2 className={styles.heading}>Taken back later</h2>
      {items.length === 0 ? (
        <p className={styles.quiet}>None</p>
      ) : (
        <>
          <table className={styles.table}>
            <caption className={styles.caption}>Approved decisions that were taken back later</caption>
            <thead>
              <tr>
                <th scope="col">Decision</th>
                <th scope="col">Approved</th>
                <th scope="col">Taken back</th>
                <th scope="col">How</th>
              </tr>
            </thead>
            <tbody>
              {items.map(({ id, title, decidedAtMs, how, by, atMs }) => (
                <tr key={id}>
                  <th scope="row">
                    <a href={routeHref({ page: 'proposals', id })}>{title}</a>
                  </th>
                  <td>{formats.shortMoment(decidedAtMs, read.readAtMs)}</td>
                  <td>{formats.shortMoment(atMs, read.readAtMs)}</td>
                  <td>
                    <a href={routeHref({ page: 'proposals', id: by })}>{hows[how]}</a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {items.length < total && (
            <p className={styles.quiet}>
              {`The newest ${items.length} of ${formats.counted(total, 'decision')}.`}
            </p>
          )}
        </>
      )}
    </section>
  );
}

import { type ReactElement, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import {
  type DecisionRange,
  decisionRanges,
  type DecisionsRead,
  decisionsStore,
} from './stores/decisions-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { TimeChart, BarTable } from '#renderer/ui/chart/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import {
  cx,
  useFormats,
  Age,
  Button,
  EmptyState,
  PageFrame,
  common,
  ForeignText,
  FailureBanner,
  Loading,
  pages,
} from '#renderer/ui/index.ts';
import styles from './decisions.module.css';
import type { Formats } from '#shared/lib/formats.ts';

const rangeLabels: Record<DecisionRange, string> = {
  7: '7 days',
  30: '30 days',
  90: '90 days',
  365: '365 days',
};

export function DecisionsView(): ReactElement {
  const zone = useStore(sessionStore, ({ session }) => session?.profile.zone ?? null);
  const { read, range, reading, failure, setRange, reload } = useStore(decisionsStore);
  useEffect(() => (zone === null ? undefined : decisionsStore.getState().start(zone)), [zone]);
  const isDue = read === null || read.range !== range;
  return (
    <PageFrame
      title="Your decisions"
      count={read && !isDue ? <Count read={read} /> : ''}
      actions={
        <span className={common.row2}>
          <Segments
            label="Days that are counted"
            value={String(range)}
            options={decisionRanges.map((days) => ({ id: String(days), label: rangeLabels[days] }))}
            onChange={(id) => setRange(Number(id) as DecisionRange)}
          />
          <Button size="small" icon="refresh" disabled={reading} onClick={reload}>
            Count again
          </Button>
        </span>
      }
    >
      {failure && <FailureBanner flush tone="warning" failure={failure} />}
      {read !== null && !isDue ? (
        <Counted read={read} zone={zone ?? 'UTC'} />
      ) : (
        !failure && <Loading label="Counting your decisions" widths={['30%', '60%', '44%', '52%']} />
      )}
    </PageFrame>
  );
}

function Count({ read }: { read: DecisionsRead }): ReactElement {
  const formats = useFormats();
  const { approved, denied } = read.total;
  return (
    <>
      <span>{formats.counted(approved + denied, 'decision')} · </span>
      <Age atMs={read.readAtMs} />
    </>
  );
}

function Counted({ read, zone }: { read: DecisionsRead; zone: string }): ReactElement {
  const formats = useFormats();
  const { total, range } = read;
  if (total.approved + total.denied === 0) {
    return (
      <EmptyState
        icon="check-circle"
        title={`No decisions in the last ${rangeLabels[range]}`}
        action={<a href={routeHref({ page: 'proposals', id: null })}>Open the proposals</a>}
      >
        What you approve and deny is counted here.
      </EmptyState>
    );
  }
  return (
    <div className={cx(common.stack, pages.scroll, styles.page)}>
      <Figures read={read} />
      <section className={styles.part} aria-label="Decisions a day">
        <h2 className={common.heading}>Decisions a day</h2>
        <Days read={read} />
        <p className={common.quiet}>
          Days of {zone}. A batch is one decision.
          {total.access > 0 && (
            <span>{` ${formats.counted(total.access, 'decision')} on agent access.`}</span>
          )}
        </p>
      </section>
      <div className={styles.columns}>
        <Proposers read={read} />
        <Risks read={read} />
      </div>
      <TakenBack read={read} />
    </div>
  );
}

function Figures({ read }: { read: DecisionsRead }): ReactElement {
  const formats = useFormats();
  const { total, reversed } = read;
  const all = total.approved + total.denied;
  const takenBack = reversed.count.undone + reversed.count.reversed;
  const figures = [
    { label: 'Approved', value: total.approved, of: shareOf(total.approved, all) },
    { label: 'Denied', value: total.denied, of: shareOf(total.denied, all) },
    {
      label: 'Taken back later',
      value: takenBack,
      of: `${shareOf(takenBack, total.approved)} of approved`,
    },
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(({ label, value, of }) => (
        <div key={label} className={cx(common.soft, common.stack)}>
          <dt>{label}</dt>
          <dd>
            <span className={cx(pages.bigTitle, styles.value)}>{formats.count(value)}</span> {of}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Integer percentages. Only an empty or complete share is shown as 0% or 100%. */
function shareOf(part: number, all: number): string {
  if (all === 0 || part === 0) return '0%';
  if (part === all) return '100%';
  return `${Math.min(99, Math.max(1, Math.round((part / all) * 100)))}%`;
}

const columns = [
  { id: 'approved', kind: 'count', label: 'Approved' },
  { id: 'denied', kind: 'count', label: 'Denied' },
] as const;
const shown = columns.map(({ id }) => id);

function Days({ read }: { read: DecisionsRead }): ReactElement {
  const { days, dates } = read;
  const filled = useMemo(() => {
    const known = new Map(days.map((day) => [day.date, day]));
    return dates.map((date) => {
      const { approved = 0, denied = 0 } = known.get(date) ?? {};
      return { date, values: [String(approved), String(denied)] };
    });
  }, [days, dates]);
  return (
    <TimeChart
      label="Approved and denied by day"
      height={180}
      columns={columns}
      shown={shown}
      days={filled}
      comparedDays={[]}
      incompleteDay={dates.at(-1) ?? null}
    />
  );
}

interface Sides {
  approved: number;
  denied: number;
}

const decisions = ['Denied', 'Approved'];

const figuresOf = ({ approved, denied }: Sides, formats: Formats): { size: number; figures: string[] } => ({
  size: denied,
  figures: [denied, approved].map((count) => formats.count(count)),
});

function Proposers({ read }: { read: DecisionsRead }): ReactElement {
  const formats = useFormats();
  const rows = read.proposers.map(({ kind, name, agentId, ...sides }) => ({
    key: agentId ?? `${kind} ${name}`,
    name: kind === 'person' ? 'You' : <ForeignText text={kind === 'schedule' ? `Schedule ${name}` : name} />,
    ...figuresOf(sides, formats),
  }));
  return (
    <section className={styles.part} aria-label="Who asked">
      <h2 className={common.heading}>Who asked</h2>
      <BarTable label="Changes by who asked for them" heading="Asked by" columns={decisions} rows={rows} />
      <p className={common.quiet}>Each change of a batch counts.</p>
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
  unassessed: 'Not assessed',
  tools: 'Calls of tools',
  access: 'Access of agents',
  none: 'No warning',
  unrecorded: 'Not recorded',
};

function Risks({ read }: { read: DecisionsRead }): ReactElement {
  const formats = useFormats();
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
      <h2 className={common.heading}>What they warned of</h2>
      <BarTable label="Changes by what they warned of" heading="Subject" columns={decisions} rows={rows} />
      <p className={common.quiet}>
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

function TakenBack({ read }: { read: DecisionsRead }): ReactElement {
  const formats = useFormats();
  const { count, items } = read.reversed;
  const total = count.undone + count.reversed;
  return (
    <section className={styles.part} aria-label="Taken back later">
      <h2 className={common.heading}>Taken back later</h2>
      {items.length === 0 ? (
        <p className={common.quiet}>None</p>
      ) : (
        <>
          <table className={styles.table}>
            <caption className={pages.unseen}>Approved decisions that were taken back later</caption>
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
            <p className={common.quiet}>
              {`The newest ${items.length} of ${formats.counted(total, 'decision')}.`}
            </p>
          )}
        </>
      )}
    </section>
  );
}

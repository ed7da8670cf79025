import { createContext, memo, type ReactElement, useCallback, useContext, useRef, useState } from 'react';
import type { ChangeView, MoneyPair } from '#shared/campaign/index.ts';
import { Button } from '../controls/buttons.tsx';
import { DiffLine } from '../display/diff.tsx';
import { Becomes } from '../display/icon.tsx';
import { Banner } from '../display/notices.tsx';
import { StatusPill } from '../display/pills.tsx';
import { LongText } from '../display/values.tsx';
import { useFormats } from '../formats.ts';
import { LongList, maxDrawn } from '../layout/virtual-list.tsx';
import styles from './changes.module.css';
import { appendDay, perDayWords, isUnchanged, targetCount } from '#shared/wording/index.ts';
import common from '../styles/common.module.css';

export interface WhatChangesProps {
  changes: readonly ChangeView[];
  unchangedCount: number;
  targets: readonly TargetView[];
  listed?: ListedTargets | undefined;
}

export const WhatChanges = memo(function WhatChanges({
  changes,
  unchangedCount,
  targets,
  listed,
}: WhatChangesProps): ReactElement {
  const formats = useFormats();
  const byTarget = targets.length > 1 || changes.length === 0;
  const all = formats.counted(changes.length + unchangedCount, 'field');
  const fields = unchangedCount > 0 ? `${changes.length} of ${all}` : all;
  return (
    <section aria-label="What changes">
      <Rule title="What changes" aside={byTarget ? targetCount(listed ?? targets, formats) : fields} />
      {byTarget ? (
        <TargetList targets={targets} listed={listed} />
      ) : (
        changes.map((change) => <DiffLine key={change.field} change={change} />)
      )}
    </section>
  );
});

export function Rule({ title, aside }: { title: string; aside?: string | undefined }): ReactElement {
  return (
    <div className={styles.rule}>
      <h2>{title}</h2>
      {aside !== undefined && <span>{aside}</span>}
    </div>
  );
}

export function ApprovalEnded({
  canPrepareAgain = false,
}: {
  canPrepareAgain?: boolean | undefined;
}): ReactElement {
  return (
    <Banner tone="info" icon="clock" title="The service’s approval of this change has ended.">
      {canPrepareAgain
        ? 'Prepare it again to see what has changed since, and decide.'
        : 'Its agent has to propose it again. Nothing was sent.'}
    </Banner>
  );
}

export function Outdated(props: { moved: readonly ChangeView[]; preparedAgain?: boolean }): ReactElement {
  const { moved, preparedAgain = false } = props;
  if (preparedAgain) {
    return (
      <Banner tone={moved.length === 0 ? 'info' : 'warning'} title="Prepared again. Nothing was sent.">
        <p>{moved.length === 0 ? 'Nothing else has changed since.' : 'What has changed since:'}</p>
        <MovedList moved={moved} />
      </Banner>
    );
  }
  return (
    <Banner tone="warning" title="Someone else changed this campaign. Nothing was sent.">
      <p>Your change is now on top of theirs:</p>
      <MovedList moved={moved} />
    </Banner>
  );
}

function MovedList({ moved }: { moved: readonly ChangeView[] }): ReactElement {
  return (
    <LongList
      label="What changed meanwhile"
      items={moved}
      keyOf={({ field }) => field}
      estimatedHeight={31}
      render={(change) => <DiffLine change={change} />}
    />
  );
}

export interface TargetView {
  cid: number;
  name: string;
  statusBefore: number;
  statusAfter: number;
  perDay: MoneyPair;
}

export interface ListedTargets {
  campaigns: number;
  changing: number;
}

const perPage = 200;

/** Reads a page of the displayed proposal's campaigns. Null if the read failed. */
export const TargetLoader = createContext<(from: number) => Promise<readonly TargetView[] | null>>(
  async () => null,
);

export function TargetList({
  targets,
  listed,
}: {
  targets: readonly TargetView[];
  listed?: ListedTargets | undefined;
}): ReactElement {
  const formats = useFormats();
  const label = `All ${formats.counted(listed?.campaigns ?? targets.length, 'campaign')}`;
  if (listed !== undefined) return <PagedTargets label={label} count={listed.campaigns} />;
  if (targets.length > maxDrawn) return <LongTargets label={label} targets={targets} />;
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col" className={styles.number}>
            ID
          </th>
          <th scope="col">Campaign</th>
          <th scope="col">Status</th>
          <th scope="col" className={styles.number}>
            At risk per day
          </th>
        </tr>
      </thead>
      <tbody>
        {targets.map((target) => (
          <tr key={target.cid}>
            <td className={styles.number}>{target.cid}</td>
            <td>
              <LongText text={target.name} />
            </td>
            <td>
              <Status target={target} />
            </td>
            <td className={styles.number}>
              <Money target={target} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Status({ target }: { target: TargetView }): ReactElement {
  return (
    <span className={styles.pair}>
      <StatusPill status={target.statusBefore} />
      {isUnchanged(target) ? (
        <span className={styles.stays}>stays</span>
      ) : (
        <>
          <Becomes />
          <StatusPill status={target.statusAfter} />
        </>
      )}
    </span>
  );
}

function Money({ target }: { target: TargetView }): ReactElement {
  return (
    <span className={styles.pair}>
      <PerDay pair={target.perDay} isStill={isUnchanged(target)} />
    </span>
  );
}

interface LongTargetsProps {
  label: string;
  targets: readonly (TargetView | undefined)[];
  onShow?: (first: number, last: number) => void;
}

function LongTargets({ label, targets, onShow }: LongTargetsProps): ReactElement {
  return (
    <div className={styles.longTargets}>
      <div className={styles.targetTitles} aria-hidden>
        <span>ID</span>
        <span>Campaign</span>
        <span>Status</span>
        <span>At risk per day</span>
      </div>
      <LongList
        label={label}
        items={targets}
        keyOf={({ cid }) => cid}
        estimatedHeight={31}
        placeholder={<div className={styles.target}>…</div>}
        itemClass={() => styles.target}
        render={(target) => (
          <>
            <span>{target.cid}</span>
            <span>
              <LongText text={target.name} />
            </span>
            <Status target={target} />
            <Money target={target} />
          </>
        )}
        {...(onShow && { onShow })}
      />
    </div>
  );
}

function PagedTargets({ label, count }: { label: string; count: number }): ReactElement {
  const load = useContext(TargetLoader);
  const [targets, setTargets] = useState<readonly (TargetView | undefined)[]>(() =>
    Array.from({ length: count }, () => undefined),
  );
  const [hasFailed, setHasFailed] = useState(false);
  const asked = useRef(new Set<number>());
  const inView = useRef({ first: 0, last: 0 });

  const readPage = useCallback(
    async (from: number): Promise<void> => {
      if (asked.current.has(from)) return;
      asked.current.add(from);
      const page = await load(from);
      if (page !== null) return setTargets((known) => known.map((one, at) => page[at - from] ?? one));
      asked.current.delete(from);
      setHasFailed(true);
    },
    [load],
  );
  const show = useCallback(
    (first: number, last: number): void => {
      inView.current = { first, last };
      const start = Math.floor(first / perPage) * perPage;
      for (let from = start; from <= last && from < count; from += perPage) void readPage(from);
    },
    [readPage, count],
  );

  return (
    <>
      {hasFailed && (
        <Banner
          tone="warning"
          title="Some campaigns could not be read."
          actions={
            <Button
              size="small"
              onClick={() => {
                setHasFailed(false);
                show(inView.current.first, inView.current.last);
              }}
            >
              Try again
            </Button>
          }
        />
      )}
      <LongTargets label={label} targets={targets} onShow={show} />
    </>
  );
}

function PerDay({ pair, isStill }: { pair: MoneyPair; isStill: boolean }): ReactElement {
  const { before, after } = pair;
  const { isChanged: changes, unlabelled } = perDayWords(pair, new Date().getFullYear());
  const isFreed = after.unlimited && !before.unlimited && !isStill;
  return (
    <>
      {!isStill && changes && (
        <>
          <span className={common.neutral}>{appendDay(before.text, unlabelled.before)}</span>
          <Becomes />
        </>
      )}
      <span className={isFreed ? styles.targetUnlimited : common.strong}>
        {appendDay(after.text, unlabelled.after)}
      </span>
    </>
  );
}

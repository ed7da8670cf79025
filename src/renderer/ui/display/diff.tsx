import { memo, type ReactElement, useEffect, useMemo, useState } from 'react';
import type { ChangeView } from '#shared/campaign/index.ts';
import { Button } from '../controls/buttons.tsx';
import { cx } from '../cx.ts';
import styles from './diff.module.css';
import { Becomes } from './icon.tsx';
import { ForeignText, LongText } from './values.tsx';
import { useFormats } from '../formats.ts';
import common from '../styles/common.module.css';

/** One change. Values wrap and are never cut. */
export function DiffLine({ change }: { change: ChangeView }): ReactElement {
  const listed = change.added.length + change.removed.length > 0;
  return (
    <div className={styles.line} role="group" aria-label={`${change.label} changes`}>
      <span className={styles.sign} aria-hidden>
        Δ
      </span>
      <span className={common.neutral}>{change.label}</span>
      <span className={styles.values}>
        <span className={styles.before}>
          <LongText text={change.before} />
        </span>
        <Becomes size={14} />
        <span className={styles.after}>
          <LongText text={change.after} />
        </span>
      </span>
      <span className={styles.delta}>
        {[change.delta, change.factor].filter((part) => part !== null).join('  ')}
      </span>
      {listed && <DiffMembers added={change.added} removed={change.removed} />}
      {change.schedule && (
        <div className={styles.schedule}>
          <ScheduleGrid before={change.schedule.before} hours={change.schedule.after} />
        </div>
      )}
    </div>
  );
}

const atOnce = 40;
const chunkSize = 200;

/**
 * Shows the first entries of both kinds, so that a long list of removals cannot hide additions. All entries follow on
 * request.
 */
function DiffMembers({ added, removed }: { added: string[]; removed: string[] }): ReactElement {
  return (
    <div className={cx(common.stack1, styles.members)}>
      <Kind sign="+" word="added" members={added} />
      <Kind sign="−" word="removed" members={removed} />
    </div>
  );
}

interface KindProps {
  sign: '+' | '−';
  word: 'added' | 'removed';
  members: string[];
}

function Kind({ sign, word, members }: KindProps): ReactElement | null {
  const formats = useFormats();
  const [all, setAll] = useState(false);
  const chunks = useMemo(() => inChunks(all ? members : members.slice(0, atOnce)), [all, members]);
  const drawn = useGrowing(chunks.length);
  if (members.length === 0) return null;
  const count = formats.count(members.length);
  return (
    <div>
      <div role="list" aria-label={`${count} ${word}`}>
        {chunks.slice(0, drawn).map((chunk, index) => (
          <Chunk key={index} sign={sign} word={word} members={chunk} />
        ))}
      </div>
      {!all && members.length > atOnce && (
        <Button kind="secondary" size="small" onClick={() => setAll(true)}>
          Show all {count} {word}
        </Button>
      )}
    </div>
  );
}

/** The browser lays out a chunk only near the screen. */
const Chunk = memo(function Chunk({ sign, word, members }: KindProps): ReactElement {
  return (
    <div className={cx(styles.chunk, members.length === chunkSize && styles.full)} role="presentation">
      {members.map((text, index) => (
        // The index is the key, because a text may occur twice. The list is never reordered.
        <span key={index} role="listitem" className={styles[word]}>
          {sign} <ForeignText text={text} />
        </span>
      ))}
    </div>
  );
});

function inChunks(members: string[]): string[][] {
  const chunks: string[][] = [];
  for (let from = 0; from < members.length; from += chunkSize)
    chunks.push(members.slice(from, from + chunkSize));
  return chunks;
}

/** Adds one chunk per frame, so that a long list does not block the page. */
function useGrowing(total: number): number {
  const [count, setCount] = useState(1);
  useEffect(() => {
    if (count >= total) return;
    const frame = requestAnimationFrame(() => setCount(count + 1));
    return () => cancelAnimationFrame(frame);
  }, [count, total]);
  return count;
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour);

interface ScheduleGridProps {
  hours: readonly number[];
  before: readonly number[];
}

export function ScheduleGrid({ hours, before }: ScheduleGridProps): ReactElement {
  const words = changeWords(before, hours);
  return (
    <div className={common.stack1}>
      <div className={styles.grid} role="img" aria-label={`Weekly schedule: ${words}`}>
        <span />
        {hoursOfDay.map((hour) => (
          <span key={hour} className={styles.hour}>
            {hour % 6 === 0 ? String(hour).padStart(2, '0') : ''}
          </span>
        ))}
        {days.map((day, row) => [
          <span key={day} className={styles.day}>
            {day}
          </span>,
          ...hoursOfDay.map((hour) => {
            const index = row * 24 + hour;
            return (
              <span key={`${day}${hour}`} className={cellClass(hours[index] === 1, before[index] === 1)} />
            );
          }),
        ])}
      </div>
      <p className={styles.legend}>{words}</p>
    </div>
  );
}

function cellClass(isOn: boolean, wasOn: boolean): string {
  if (wasOn === isOn) return cx(styles.cell, isOn && styles.on);
  return cx(styles.cell, isOn ? styles.gridAdded : styles.gridRemoved);
}

function count(hours: readonly number[]): number {
  return hours.filter((hour) => hour === 1).length;
}

function changeWords(before: readonly number[], after: readonly number[]): string {
  const added = after.filter((hour, index) => hour === 1 && before[index] !== 1).length;
  const removed = before.filter((hour, index) => hour === 1 && after[index] !== 1).length;
  const parts = [...(added > 0 ? [`+${added} h`] : []), ...(removed > 0 ? [`−${removed} h`] : [])];
  return `${parts.join(' / ')} (${count(before)} → ${count(after)} of 168 hours)`;
}

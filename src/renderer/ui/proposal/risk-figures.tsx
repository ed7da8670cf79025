import type { ReactElement, ReactNode } from 'react';
import {
  type FactView,
  alwaysUnlimitedText,
  campaignCountText,
  perDayWords,
  untilEndWords,
} from '#shared/wording/index.ts';
import type { MoneyPair } from '#shared/campaign/index.ts';
import { cx } from '../cx.ts';
import { Becomes, Icon } from '../display/icon.tsx';
import { ForeignText } from '../display/values.tsx';
import styles from './changes.module.css';
import common from '../styles/common.module.css';

export interface RiskView {
  perDay: MoneyPair;
  untilEnd: MoneyPair;
  bidFactor: string | null;
  campaignCount?: number;
  alwaysUnlimited?: { perDay: number; untilEnd: number };
  headline?: { label: string; before?: string; after: string; delta?: string; isQuiet?: true };
}

export type RiskFigure = 'perDay' | 'untilEnd' | 'bid';

/** `1` means unchanged, `Infinity` that the money becomes unlimited. */
function growth({ before, after }: MoneyPair): number {
  if (after.unlimited) return before.unlimited ? 1 : Number.POSITIVE_INFINITY;
  if (before.unlimited) return 0;
  const [from, to] = [Number(before.micros), Number(after.micros)];
  if (from === to) return 1;
  return from === 0 ? Number.MAX_VALUE : to / from;
}

function bidGrowth(factor: string | null): number {
  const times = Number(factor?.replaceAll(/[×,]/g, '') ?? 1);
  return Number.isFinite(times) ? times : 1;
}

const raises = (factor: string): boolean => bidGrowth(factor) > 1;

const leastGrowth = 1.5;

/** The figure that grows most. In a tie, the sum until the end wins. Null if no figure grows by at least half. */
export function riskiest(risk: Omit<RiskView, 'headline'>): RiskFigure | null {
  const perDay = growth(risk.perDay);
  // If the sum has no end, a limited day that grows is more informative.
  const isShownPerDay = risk.untilEnd.after.unlimited && !risk.perDay.after.unlimited && perDay > 1;
  const ranked: [RiskFigure, number][] = [
    ['untilEnd', isShownPerDay ? 1 : growth(risk.untilEnd)],
    ['perDay', perDay],
    ['bid', bidGrowth(risk.bidFactor)],
  ];
  const [first] = ranked.toSorted(([, one], [, other]) => other - one);
  return first !== undefined && first[1] >= leastGrowth ? first[0] : null;
}

export interface RiskFiguresProps {
  risk: RiskView;
  /** All undecided changes, including this one. Null if this one is alone. */
  queue?: { count: number; perDay: MoneyPair; alwaysUnlimited?: number } | null;
  level?: 2 | 3;
  unknown?: readonly RiskFigure[];
}

const noneApart = { perDay: 0, untilEnd: 0 };

type Words = ReturnType<typeof perDayWords>;
type Size = 'large' | 'plain' | 'still';

/** The figures of a change. The most dangerous figure is the largest element of the page. */
export function RiskFigures({ risk, queue = null, level = 2, unknown = [] }: RiskFiguresProps): ReactElement {
  const { headline, bidFactor, campaignCount = 1, alwaysUnlimited: apart = noneApart } = risk;
  const largest = headline === undefined ? riskiest(risk) : null;
  const year = new Date().getFullYear();
  const Heading = level === 2 ? 'h2' : 'h3';
  const perDay = perDayWords(risk.perDay, year);
  const untilEnd = untilEndWords(risk.untilEnd, year);
  const sizeOf = (figure: typeof largest, changes: boolean): Size =>
    largest === figure ? 'large' : changes ? 'plain' : 'still';

  return (
    <section className={common.stack2} aria-label="Money at risk">
      {headline !== undefined && <Headline {...headline} />}
      <div className={styles.row}>
        <Heading className={styles.heading}>At risk</Heading>
        <dl className={styles.figures}>
          <Figure
            label={`${perDay.label}${campaignCountText(campaignCount, apart.perDay)}`}
            size={sizeOf('perDay', perDay.isChanged)}
          >
            {unknown.includes('perDay') ? <Unknown /> : <Pair pair={risk.perDay} words={perDay} />}
          </Figure>
          <Figure
            label={`${untilEnd.label}${campaignCountText(campaignCount, apart.untilEnd)}`}
            size={sizeOf('untilEnd', untilEnd.isChanged)}
          >
            {unknown.includes('untilEnd') ? (
              <Unknown />
            ) : (
              <Pair pair={risk.untilEnd} words={untilEnd} isRedUnlimited={risk.perDay.after.unlimited} />
            )}
          </Figure>
          {unknown.includes('bid') && (
            <Figure label="bid" size="still">
              <Unknown />
            </Figure>
          )}
          {bidFactor !== null && (
            <Figure label="bid" size={sizeOf('bid', true)}>
              <span className={common.strong}>{bidFactor}</span>
              <span className={styles.direction}>
                <Icon name={raises(bidFactor) ? 'arrow-up' : 'arrow-down'} />
              </span>
            </Figure>
          )}
        </dl>
      </div>
      {alwaysUnlimitedText(apart).map((text) => (
        <p key={text} className={styles.apart}>
          {text}
        </p>
      ))}
      {queue !== null && <Queue {...queue} year={year} />}
    </section>
  );
}

/** A change that no sum expresses: another host, all countries, the hours of the week, a removed end date. */
function Headline(props: NonNullable<RiskView['headline']>): ReactElement {
  const { label, before, after, delta, isQuiet = false } = props;
  return (
    <dl className={styles.headline}>
      <Figure label={label} size={isQuiet ? 'plain' : 'large'}>
        {before !== undefined && (
          <>
            <span className={styles.figureBefore}>
              <ForeignText text={before} />
            </span>
            <Becomes size={14} />
          </>
        )}
        <span className={common.strong}>
          <ForeignText text={after} />
        </span>
        {delta !== undefined && (
          <span className={styles.figureDelta}>
            <ForeignText text={delta} />
          </span>
        )}
      </Figure>
    </dl>
  );
}

function Queue(props: NonNullable<RiskFiguresProps['queue']> & { year: number }): ReactElement {
  const { count, perDay, alwaysUnlimited = 0, year } = props;
  const words = perDayWords(perDay, year);
  return (
    <p className={cx(common.quiet, styles.queue)}>
      Whole queue ({count} changes) <Pair pair={perDay} words={words} /> {words.label}
      {alwaysUnlimited > 0 && (
        <span>{`, plus ${alwaysUnlimited} that ${alwaysUnlimited === 1 ? 'stays' : 'stay'} unlimited`}</span>
      )}
    </p>
  );
}

function Figure(props: { label: string; size: Size; children: ReactNode }): ReactElement {
  return (
    <div className={cx(styles.figure, styles[props.size])}>
      <dt className={common.quiet}>{props.label}</dt>
      <dd className={styles.value}>{props.children}</dd>
    </div>
  );
}

interface PairProps {
  pair: MoneyPair;
  words: Words;
  /** False if each day is limited, because unlimited money until the end is then no danger. */
  isRedUnlimited?: boolean;
}

function Pair({ pair: { before, after }, words, isRedUnlimited = true }: PairProps): ReactElement {
  if (!words.isChanged) return <span className={common.neutral}>{after.text}</span>;
  const readsAlike = before.text === after.text && words.before === words.after;
  return (
    <>
      {!readsAlike && (
        <>
          <span className={styles.figureBefore}>
            {before.text} <Day text={words.before} />
          </span>
          <Becomes size={14} />
        </>
      )}
      <span
        className={cx(
          common.strong,
          isRedUnlimited && after.unlimited && !before.unlimited && styles.figureUnlimited,
        )}
      >
        {after.text} <Day text={words.after} />
      </span>
    </>
  );
}

function Unknown(): ReactElement {
  return (
    <span className={common.neutral} role="img" aria-label="not known yet">
      –
    </span>
  );
}

function Day({ text }: { text: string }): ReactElement | null {
  return text === '' ? null : <span className={styles.day}>{text}</span>;
}

export interface FactListProps {
  facts: readonly FactView[];
  /** True if the effect of the change is unknown. The facts then describe the current state. */
  areNow: boolean;
}

/** In characters. Longer facts need a row of their own. */
const maxBeside = 42;

export function FactList({ facts, areNow }: FactListProps): ReactElement | null {
  if (facts.length === 0) return null;
  return (
    <section className={common.stack1} aria-label={areNow ? 'Facts, as they are now' : 'Facts'}>
      {areNow && <p className={common.quiet}>As it is now</p>}
      <dl className={styles.facts}>
        {facts.map((fact) => (
          <Fact key={fact.fact} {...fact} />
        ))}
      </dl>
    </section>
  );
}

function Fact({ label, value, before }: FactView): ReactElement {
  const isTouched = before !== undefined;
  const isLong = value.length + (before?.length ?? 0) > maxBeside;
  return (
    <div className={cx(styles.fact, isLong && styles.wide)}>
      <dt>{label}</dt>
      <dd className={cx(isTouched && styles.touched)}>
        <ForeignText text={value} />{' '}
        {isTouched && (
          <span className={styles.factBefore}>
            was <ForeignText text={before} />
          </span>
        )}
      </dd>
    </div>
  );
}

import { alwaysUnlimitedText, ofCampaigns, perDayWords, untilEndWords } from '#shared/campaign/index.ts';
import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { ForeignText } from '../display/foreign-text.tsx';
import { Icon } from '../display/icon.tsx';
import { raises, riskiest, type FigurePair, type RiskView } from './riskiest.ts';
import styles from './changes.module.css';

export interface RiskFiguresProps {
  risk: RiskView;
  /** Everything that waits for a decision, this change included; null where it is alone. */
  queue?: { count: number; perDay: FigurePair; alwaysUnlimited?: number } | null;
}

const noneApart = { perDay: 0, untilEnd: 0 };

type Words = ReturnType<typeof perDayWords>;
type Size = 'large' | 'plain' | 'still';

/** The most dangerous change is the largest thing on the page. Money that does not change stands small beside it. */
export function RiskFigures({ risk, queue = null }: RiskFiguresProps): ReactElement {
  const { headline, bidFactor, campaignCount = 1, alwaysUnlimited: apart = noneApart } = risk;
  const largest = headline === undefined ? riskiest(risk) : null;
  const year = new Date().getFullYear();
  const perDay = perDayWords(risk.perDay, year);
  const untilEnd = untilEndWords(risk.untilEnd, year);
  const sizeOf = (figure: typeof largest, changes: boolean): Size =>
    largest === figure ? 'large' : changes ? 'plain' : 'still';

  return (
    <section className={styles.risk} aria-label="Money at risk">
      {headline !== undefined && <Headline {...headline} />}
      <div className={styles.row}>
        <h2 className={styles.heading}>At risk</h2>
        <dl className={styles.figures}>
          <Figure
            label={`${perDay.label}${ofCampaigns(campaignCount, apart.perDay)}`}
            size={sizeOf('perDay', perDay.changes)}
          >
            <Pair pair={risk.perDay} words={perDay} />
          </Figure>
          <Figure
            label={`${untilEnd.label}${ofCampaigns(campaignCount, apart.untilEnd)}`}
            size={sizeOf('untilEnd', untilEnd.changes)}
          >
            <Pair pair={risk.untilEnd} words={untilEnd} />
          </Figure>
          {bidFactor !== null && (
            <Figure label="bid" size={sizeOf('bid', true)}>
              <span className={styles.figureAfter}>{bidFactor}</span>
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

/** A change that no sum of money tells: another host, all countries, the hours of the week, an end that is gone. */
function Headline({ label, before, after }: NonNullable<RiskView['headline']>): ReactElement {
  return (
    <dl className={styles.headline}>
      <Figure label={label} size="large">
        <span className={styles.figureBefore}>
          <ForeignText text={before} />
        </span>
        <Becomes />
        <span className={styles.figureAfter}>
          <ForeignText text={after} />
        </span>
      </Figure>
    </dl>
  );
}

function Queue(props: NonNullable<RiskFiguresProps['queue']> & { year: number }): ReactElement {
  const { count, perDay, alwaysUnlimited = 0, year } = props;
  const words = perDayWords(perDay, year);
  return (
    <p className={styles.queue}>
      Whole queue ({count} changes) <Pair pair={perDay} words={words} /> {words.label}
      {alwaysUnlimited > 0 &&
        `, plus ${alwaysUnlimited} that ${alwaysUnlimited === 1 ? 'stays' : 'stay'} unlimited`}
    </p>
  );
}

function Figure(props: { label: string; size: Size; children: ReactNode }): ReactElement {
  return (
    <div className={cx(styles.figure, styles[props.size])}>
      <dt className={styles.label}>{props.label}</dt>
      <dd className={styles.value}>{props.children}</dd>
    </div>
  );
}

/** Both sides with their days where they read differently, else the one amount; only money that becomes unlimited is red. */
function Pair({ pair: { before, after }, words }: { pair: FigurePair; words: Words }): ReactElement {
  if (!words.changes) return <span className={styles.same}>{after.text}</span>;
  const readsAlike = before.text === after.text && words.before === words.after;
  return (
    <>
      {!readsAlike && (
        <>
          <span className={styles.figureBefore}>
            {before.text} <Day text={words.before} />
          </span>
          <Becomes />
        </>
      )}
      <span
        className={cx(styles.figureAfter, after.unlimited && !before.unlimited && styles.figureUnlimited)}
      >
        {after.text} <Day text={words.after} />
      </span>
    </>
  );
}

function Day({ text }: { text: string }): ReactElement | null {
  return text === '' ? null : <span className={styles.day}>{text}</span>;
}

function Becomes(): ReactElement {
  return (
    <span className={styles.figureArrow} role="img" aria-label="becomes">
      <Icon name="arrow-right" size={14} />
    </span>
  );
}

import { type ReactElement, type ReactNode, useEffect } from 'react';
import { useStore } from 'zustand';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { Age, cx, useFormats } from '#renderer/ui/index.ts';
import type { MoneyToday } from '#shared/app-api/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import styles from './money.module.css';
import { moneyStore } from './stores/stores.ts';

const listOf = (limit: 'any' | 'none'): string =>
  routeHref({ page: 'campaigns', cid: null, parameters: `with=spendsToday:${limit}&sort=-d_revenue` });

/** The money of the active profile on every page. Each figure links to the list that explains it. */
export function MoneyLine(): ReactElement {
  const { money, failure } = useStore(moneyStore);
  useEffect(() => moneyStore.getState().start(), []);
  return (
    <section
      className={styles.line}
      aria-label="Money at a glance"
      aria-busy={money === null && failure === null}
    >
      {failure !== null && <span title={failure.next}>Money today: not available</span>}
      {failure === null && money !== null && <Figures money={money} />}
    </section>
  );
}

function Figures({ money: { campaigns, waiting, byAgents } }: { money: MoneyToday }): ReactElement {
  const formats = useFormats();
  return (
    <>
      <Figure href={listOf('any')} label="At risk today">
        {campaigns === null ? 'not available' : formats.money(BigInt(campaigns.atRiskMicros))}
      </Figure>
      {campaigns !== null && (
        <Figure href={listOf('none')} label="Without a limit">
          {formats.counted(campaigns.unlimited, 'campaign')}
        </Figure>
      )}
      <Raise href={routeHref({ page: 'proposals', id: null })} label="Waiting" raise={waiting} />
      <Raise
        href={routeHref({ page: 'ledger', part: 'agents-today' })}
        label="Agents today"
        raise={byAgents}
      />
      {campaigns !== null && <Coverage campaigns={campaigns} />}
    </>
  );
}

function Figure({
  href,
  label,
  children,
}: {
  href: string;
  label: string;
  children: ReactNode;
}): ReactElement {
  return (
    <a className={styles.figure} href={href}>
      {label} <span className={styles.value}>{children}</span>
    </a>
  );
}

interface RaiseProps {
  href: string;
  label: string;
  raise: MoneyToday['waiting'];
}

function Raise({ href, label, raise }: RaiseProps): ReactElement {
  const formats = useFormats();
  return (
    <Figure href={href} label={label}>
      <span className={cx(raise.unlimited > 0 && styles.danger)}>{raiseWords(raise, formats)}</span>
    </Figure>
  );
}

/** `+$50.00 per day`, `+$50.00 per day, 1 without a limit`, `1 without a limit`. */
function raiseWords({ micros, unlimited }: MoneyToday['waiting'], formats: Formats): string {
  const sum = `+${formats.money(BigInt(micros))} per day`;
  if (unlimited === 0) return sum;
  const apart = `${unlimited} without a limit`;
  return micros === '0' ? apart : `${sum}, ${apart}`;
}

function Coverage({ campaigns }: { campaigns: NonNullable<MoneyToday['campaigns']> }): ReactElement {
  const formats = useFormats();
  const { read, total, oldestReadAtMs } = campaigns;
  const of = total === null || read >= total ? '' : ` of ${formats.count(total)}`;
  return (
    <span className={styles.coverage} title="The age is that of the oldest read.">
      {`${formats.count(read)}${of} campaigns, read `}
      <Age atMs={oldestReadAtMs} />
    </span>
  );
}

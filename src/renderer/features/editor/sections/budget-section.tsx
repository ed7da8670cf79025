import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { useFormats, Button, Banner, cx, RiskFigures, useNow, common, pages } from '#renderer/ui/index.ts';
import { exposureOf, exposureTexts, serviceDay, type ServiceMoment } from '#shared/campaign/index.ts';
import { factorText } from '#shared/lib/decimal.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { type Editing, setFields, isUsed } from '../editing.ts';
import { EditAmount, EditChoice, EditDate, EditText } from '../fields/edit-fields.tsx';
import { focusField } from '../fields/field-block.tsx';
import styles from '../editor.module.css';

export function BudgetFields({ editing }: { editing: Editing }): ReactElement {
  const limit = editing.payload['enable_budget'] === 0 ? 'Ignored while budgets are off' : undefined;
  return (
    <>
      <EditChoice
        editing={editing}
        field="enable_budget"
        wide
        options={[
          { value: 1, label: 'On' },
          { value: 0, label: 'Off: spending is unlimited' },
        ]}
      />
      <EditAmount editing={editing} field="d_revenue" unit="$" limit={limit} />
      <EditAmount editing={editing} field="t_revenue" unit="$" limit={limit} />
    </>
  );
}

export function BudgetSection({ editing }: { editing: Editing }): ReactElement {
  return (
    <>
      <AtRisk editing={editing} />
      <div className={styles.form}>
        <EditAmount editing={editing} field="payout" unit="$" />
        <span />
        <BudgetFields editing={editing} />
      </div>
      <p className={common.quiet}>Amounts also take 1.2k, +10% and −5.</p>
      <FlightFields editing={editing} />
    </>
  );
}

const minuteMs = 60_000;

function useServiceDay(): ServiceMoment {
  const zone = useStore(sessionStore, ({ session }) => session?.profile.zone ?? 'UTC');
  return serviceDay(useNow(minuteMs) + useStore(sessionStore, serviceAheadMs), zone);
}

export function AtRisk({ editing }: { editing: Editing }): ReactElement {
  const formats = useFormats();
  const today = useServiceDay();
  const [before, after] = [editing.campaign, editing.payload].map((campaign) =>
    exposureTexts(exposureOf(campaign, today), formats),
  );
  const [oldBid, newBid] = [Number(editing.campaign['payout']), Number(editing.payload['payout'])];
  if (before === undefined || after === undefined) return <></>;
  const isUnreadable = (...fields: string[]): boolean =>
    fields.some((field) => editing.unreadable.includes(field));
  return (
    <div className={cx(pages.framed, styles.risk)} role="group" aria-label="Money at risk">
      <RiskFigures
        level={3}
        unknown={[
          ...(isUnreadable('d_revenue', 't_revenue') ? (['perDay'] as const) : []),
          ...(isUnreadable('d_revenue', 't_revenue', 'create', 'expire') ? (['untilEnd'] as const) : []),
          ...(isUnreadable('payout') ? (['bid'] as const) : []),
        ]}
        risk={{
          perDay: { before: before.perDay, after: after.perDay },
          untilEnd: { before: before.untilEnd, after: after.untilEnd },
          bidFactor: factorText(oldBid, newBid, formats),
        }}
      />
      <p className={cx(common.quiet, styles.spent)}>
        Spend to date:{' '}
        <a href={routeHref({ page: 'guide', place: 'campaigns/what-a-campaign-has-spent' })}>not available</a>
      </p>
    </div>
  );
}

function FlightChoice({ editing }: { editing: Editing }): ReactElement {
  const { date: today, zone } = useServiceDay();
  const { payload } = editing;
  const also = (value: unknown): Record<string, string> =>
    value === 1 && (payload['create'] === '' || payload['create'] === null)
      ? { create: today, create_time: '00:00' }
      : {};
  return (
    <EditChoice
      editing={editing}
      field="enable_time"
      wide
      options={[
        { value: 1, label: 'On' },
        { value: 0, label: 'Off: no start, no end' },
      ]}
      also={also}
      limit={`Service time (${zone})`}
    />
  );
}

export function FlightDays({ editing }: { editing: Editing }): ReactElement {
  const { date: today } = useServiceDay();
  return (
    <>
      <FlightChoice editing={editing} />
      <EditDate editing={editing} field="create" today={today} withTime />
      <EditDate editing={editing} field="expire" today={today} withTime />
      <IgnoredFlight editing={editing} />
    </>
  );
}

function IgnoredFlight({ editing: { payload } }: { editing: Editing }): ReactElement | null {
  const isOff = payload['enable_time'] !== 1;
  const hasDate = [payload['create'], payload['expire']].some((date) => date !== '' && date !== null);
  return isOff && hasDate ? (
    <p className={cx(common.quiet, styles.wide)}>Ignored while the flight is off</p>
  ) : null;
}

function FlightFields({ editing }: { editing: Editing }): ReactElement {
  const { date: today } = useServiceDay();
  const { payload } = editing;
  const isOn = payload['enable_time'] === 1;
  const hasEnd = payload['expire'] !== '' && payload['expire'] !== null;
  return (
    <fieldset className={common.stack3}>
      <legend className={cx(pages.smallHeading, styles.groupTitle)}>Start and end</legend>
      <div className={styles.form}>
        <FlightChoice editing={editing} />
        <EditDate editing={editing} field="create" today={today} />
        <EditText editing={editing} field="create_time" limit="HH:MM" />
        <EditDate editing={editing} field="expire" today={today} />
        <EditText editing={editing} field="expire_time" limit="HH:MM" />
      </div>
      <IgnoredFlight editing={editing} />
      {isOn && !hasEnd && <Banner tone="warning" title="The campaign has no end." />}
      {isOn && hasEnd && editing.proposalId === null && (
        <span>
          <Button
            size="small"
            icon="close"
            onClick={({ currentTarget }) => {
              focusField(currentTarget, 'expire');
              setFields(editing, 'End', { expire: '', expire_time: '' });
            }}
          >
            Remove the end
          </Button>
        </span>
      )}
    </fieldset>
  );
}

interface Mode {
  mode: string;
  counter: string;
  title: string;
  min: number;
  explanation: string;
}

const modes: readonly Mode[] = [
  {
    mode: 'freq_cap',
    counter: 'freq_counter',
    title: 'Frequency cap',
    min: 1,
    explanation: 'The cap limits how often one user sees the ad.',
  },
  {
    mode: 'traffic_speed',
    counter: 'traffic_speed_counter',
    title: 'Pacing',
    min: 1_000,
    explanation: 'Pacing spreads the traffic evenly.',
  },
];

export function PacingSection({ editing }: { editing: Editing }): ReactElement {
  return (
    <>
      {modes.map((mode) => (
        <ModeFields key={mode.mode} editing={editing} {...mode} />
      ))}
    </>
  );
}

function ModeFields(props: Mode & { editing: Editing }): ReactElement {
  const { editing, mode, counter, title, min, explanation } = props;
  const { payload, campaign } = editing;
  const isOffered = isUsed(editing, mode);
  const stored = campaign[mode];
  const isOff = payload[mode] === 0;
  return (
    <div className={common.stack3} role="group" aria-label={title}>
      {!isOffered && (
        <Banner tone="info" title={`${title} is not available for this account.`}>
          {stored === 0 ? 'It stays off.' : 'What is stored stays, and can be switched off.'}
        </Banner>
      )}
      <div className={styles.form}>
        <EditChoice
          editing={editing}
          field={mode}
          limit={explanation}
          options={[
            { value: 0, label: 'Off' },
            { value: 1, label: 'On', refused: isOffered || stored === 1 ? undefined : 'Not available' },
          ]}
          also={(value) => (value === 1 && Number(payload[counter]) < min ? { [counter]: min } : {})}
        />
        <EditAmount editing={editing} field={counter} limit={isOff ? 'Ignored while it is off' : undefined} />
      </div>
    </div>
  );
}

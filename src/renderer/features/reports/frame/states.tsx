import type { ReactElement, ReactNode } from 'react';
import { useStore } from 'zustand';
import { desktopStore } from '#renderer/stores/desktop-store.ts';
import { failureOf, type ReportsState } from '../stores/reports-store.ts';
import { goToReport, reportsStore, hasNoFigures, isOfDays } from '../stores/stores.ts';
import { useReport } from '../use-report.ts';
import { withRange } from '../stores/report-query.ts';
import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  Age,
  Banner,
  Button,
  EmptyState,
  FailureAction,
  type IconName,
  cx,
  common,
} from '#renderer/ui/index.ts';
import type { ReportQuery } from '#shared/app-api/index.ts';
import styles from './frame.module.css';
import { SourceList } from './pickers.tsx';

const keySteps: Partial<Record<string, string>> = {
  credential_missing: 'Add publisher key',
  secret_unreadable: 'Add publisher key again',
  publisher_key_invalid: 'Replace publisher key',
  publisher_scope_missing: 'Replace publisher key',
};

const keyStep = (code: string): string | null => keySteps[code] ?? null;

export function NoKey(): ReactElement {
  const profileId = useStore(sessionStore, ({ session }) => session?.profile.id ?? null);
  return (
    <EmptyState
      icon="lock"
      title="Reports need a publisher key"
      action={
        <FailureAction
          step="Add publisher key"
          href={routeHref({ page: 'profiles', id: profileId })}
          onRetry={reportsStore.getState().refresh}
        />
      }
    >
      The key only reads statistics and search reports.
    </EmptyState>
  );
}

export function ChooseSource(): ReactElement {
  const sources = useStore(reportsStore, (state) => state.sources);
  if (sources === null) return <></>;
  return (
    <EmptyState
      icon="reports"
      title="Choose a traffic source"
      action={
        <div className={cx(common.stack3, styles.choose)}>
          <SourceList
            source={{ kind: 'xml' }}
            onChoose={(source) => {
              const parameters = source.kind === 'xml' ? `xml=${source.tid}` : 'search=all';
              uiStore.getState().navigate({ page: 'reports', parameters });
            }}
          />
          <Button
            kind="quiet"
            onClick={() => uiStore.getState().navigate({ page: 'reports', parameters: 'search=all' })}
          >
            Show the Search report instead
          </Button>
        </div>
      }
    >
      The service’s website lists the number (tid) of each source.
    </EmptyState>
  );
}

/** Failures caused by the query itself, for which a retry would fail again. */
const ownFailures: ReadonlySet<string> = new Set([
  'number_too_large',
  'report_too_large',
  'response_too_large',
]);

type Failed = NonNullable<ReturnType<typeof failureOf>>;

const needsAnotherQuestion = ({ code, fields }: Failed): boolean =>
  fields.length > 0 || ownFailures.has(code);

const ownSteps: Partial<Record<string, string>> = {
  publisher_key_invalid: 'Replace the key on the page of the profile. Loaded figures are kept.',
};

const areDaysRefused = ({ fields }: Failed): boolean => fields.length > 0 && fields.every(isOfDays);

function titleOf(failed: Failed): string {
  if (areDaysRefused(failed)) return 'These days cannot be shown.';
  return failed.fields.length > 0 ? 'This report cannot be shown.' : failed.message;
}

/** Refused fields have their own messages. The generic next step only says that some fields were refused. */
function nextStep(failed: Failed): string {
  const { code, next, fields } = failed;
  if (areDaysRefused(failed)) return 'Choose other days at the top.';
  if (fields.length > 0) return fields.map(({ message }) => message).join(' ');
  return ownSteps[code] ?? next;
}

interface Nothing {
  icon: IconName;
  title: string;
  text: string;
  action?: ReactNode;
}

function nothingOf(
  query: ReportQuery,
  { head, failed, readMissing }: Pick<ReportsState, 'head' | 'readMissing'> & { failed: Failed | null },
  retry: (step: string | null) => ReactElement,
): Nothing {
  const source = query.source.kind === 'xml' ? 'traffic source' : 'feed';
  if (failed === null && head?.state.state === 'cancelled' && head.state.partial) {
    return {
      icon: 'reports',
      title: 'Nothing was read',
      text: 'Reading was cancelled before the first figures arrived.',
      action: <Button onClick={readMissing}>Read the report</Button>,
    };
  }
  if (failed === null && query.only.length > 0) {
    return {
      icon: 'search-none',
      title: 'No results',
      text: 'No entries of these days match the filters.',
      action: <Button onClick={() => goToReport({ ...query, only: [] })}>Clear filters</Button>,
    };
  }
  if (failed === null || failed.code === 'no_data') {
    const showMore = (): void => goToReport(withRange(query, { preset: 'last30' }));
    return {
      icon: 'reports',
      title: 'No data for these days',
      text: `Choose other days or another ${source}.`,
      action: <Button onClick={showMore}>Show last 30 days</Button>,
    };
  }
  if (failed.code === 'source_forbidden') {
    return {
      icon: 'lock',
      title: `This ${source} is not open to your key`,
      text: `The number may be wrong or belong to another publisher. Choose another ${source} at the top.`,
    };
  }
  const [step, isOwn] = [keyStep(failed.code), needsAnotherQuestion(failed)];
  return {
    icon: step !== null ? 'lock' : isOwn ? 'alert-circle' : 'offline',
    title: titleOf(failed),
    text: nextStep(failed),
    action: isOwn ? undefined : retry(step),
  };
}

export function NoFigures(): ReactElement | null {
  const { query, head, failure, refresh, readMissing } = useReport(
    'query',
    'head',
    'failure',
    'refresh',
    'readMissing',
  );
  const profileId = useStore(sessionStore, ({ session }) => session?.profile.id ?? null);
  if (query === null) return null;
  const failed = failureOf({ failure, head });
  const href = routeHref({ page: 'profiles', id: profileId });
  const { icon, title, text, action } = nothingOf(query, { head, failed, readMissing }, (step) => (
    <FailureAction step={step} href={href} onRetry={refresh} />
  ));
  return (
    <EmptyState icon={icon} title={title} action={action}>
      {text}
    </EmptyState>
  );
}

/** Notices above existing figures. Figures that never arrived have their own state. */
export function Notices(): ReactElement | null {
  const { head, failure, refresh, readMissing } = useReport('head', 'failure', 'refresh', 'readMissing');
  const connection = useStore(sessionStore, (state) => state.connection);
  const onDesktop = useStore(desktopStore, (state) => state.present);
  const profileId = useStore(sessionStore, ({ session }) => session?.profile.id ?? null);
  const aheadMs = useStore(sessionStore, serviceAheadMs);
  if (head === null) return null;
  const { state } = head;
  const failed = failureOf({ failure, head });
  const age = state.readAtMs !== null && !hasNoFigures({ head, failure }) && (
    <>
      <span>
        {failed !== null && areDaysRefused(failed)
          ? 'The figures shown are of the days before, read'
          : 'The figures shown were read'}{' '}
      </span>
      <Age atMs={state.readAtMs} aheadMs={aheadMs} />
      <span>.</span>
    </>
  );
  if (connection.kind === 'lost') {
    // The desktop window shows this above every page.
    if (onDesktop) return null;
    return (
      <Banner flush tone="warning" icon="offline" title="Countersign cannot be reached.">
        {age} This page tries again by itself.
      </Banner>
    );
  }
  if (failed !== null && !hasNoFigures({ head, failure }) && (failure !== null || state.readAtMs !== null)) {
    const isOwn = needsAnotherQuestion(failed);
    const action = isOwn ? undefined : (
      <FailureAction
        size="small"
        step={keyStep(failed.code)}
        href={routeHref({ page: 'profiles', id: profileId })}
        onRetry={refresh}
      />
    );
    return (
      <Banner
        flush
        tone="warning"
        icon={isOwn ? 'alert-circle' : 'offline'}
        title={titleOf(failed)}
        actions={action}
      >
        {age} {state.partial && <span>Some days are missing. </span>}
        <span>{nextStep(failed)}</span>
      </Banner>
    );
  }
  if (state.state === 'cancelled' && state.partial && state.readAtMs !== null) {
    const action = (
      <Button size="small" onClick={readMissing}>
        Read the rest
      </Button>
    );
    return (
      <Banner flush tone="info" title="Reading was cancelled." actions={action}>
        Only the days that were read count.
      </Banner>
    );
  }
  return null;
}

import {
  goToReport,
  reportsStore,
  withExcludedToggled,
  withoutOnly,
} from '#renderer/stores/reports/index.ts';
import { Button, ForeignText, Icon, LinkButton } from '#renderer/ui/index.ts';
import type { ReportQuery, ReportValue } from '#shared/app-api/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { inertStart } from '#shared/lib/inert-text.ts';
import { dimensionLabel, valueLabel } from '#shared/reports/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './frame.module.css';

/** Chips that stand in full; more of them are counted. */
const maxChips = 12;

/** What the rows are narrowed to and what is left out of the totals, each with its way back. */
export function FilterChips(): ReactElement | null {
  const query = useStore(reportsStore, (state) => state.query);
  if (query === null || query.only.length + query.excluded.length === 0) return null;
  const { only, excluded } = query;
  return (
    <div className={styles.chips} role="group" aria-label="Filters">
      {only.length > 0 && <span className={styles.chipsTitle}>Only</span>}
      <Chips values={only} query={query} change={withoutOnly} verb="Remove filter" />
      {excluded.length > 0 && (
        <span className={styles.chipsTitle} role="status">
          {counted(excluded.length, 'value')} excluded from totals
        </span>
      )}
      <Chips values={excluded} query={query} change={withExcludedToggled} verb="Count again:" />
      <LinkButton onClick={() => goToReport({ ...query, only: [], excluded: [] })}>
        {only.length === 0 ? 'Count all again' : 'Clear filters'}
      </LinkButton>
    </div>
  );
}

function Chips(props: {
  values: readonly ReportValue[];
  query: ReportQuery;
  change: (query: ReportQuery, values: readonly ReportValue[]) => ReportQuery;
  verb: string;
}): ReactElement {
  const { values, query, change, verb } = props;
  const rest = values.length - maxChips;
  return (
    <>
      {values.slice(0, maxChips).map((value) => {
        const text = inertStart(valueLabel(value.dimension, value.value), 40);
        return (
          <Button
            key={JSON.stringify(value)}
            size="small"
            aria-label={`${verb} ${dimensionLabel(value.dimension)} ${text}`}
            onClick={() => goToReport(change(query, [value]))}
          >
            <span className={styles.chipDimension}>{dimensionLabel(value.dimension)}</span>
            <ForeignText text={text} />
            <Icon name="close" size={12} />
          </Button>
        );
      })}
      {rest > 0 && <span>and {counted(rest, 'other')}</span>}
    </>
  );
}

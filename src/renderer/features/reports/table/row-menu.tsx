import type { ReactElement } from 'react';
import { ContextMenu, keysOf } from '#renderer/ui/index.ts';
import type { ReportQuery } from '#shared/app-api/index.ts';
import { inertStart } from '#shared/lib/inert-text.ts';
import { valueLabel } from '#shared/reports/index.ts';
import { valueOf } from '../stores/report-query.ts';
import type { RowActionsState } from '../stores/row-actions-store.ts';
import {
  alertOn,
  canDrillInto,
  drillInto,
  rowActionsStore,
  showOnly,
  toggleCounted,
} from '../stores/stores.ts';

interface RowMenuProps {
  query: ReportQuery;
  menu: NonNullable<RowActionsState['menu']>;
}

export function RowMenu({ query, menu: { row, metric, at } }: RowMenuProps): ReactElement {
  const { dimension, value } = valueOf(query, row.path);
  return (
    <ContextMenu
      name={`Actions for ${inertStart(valueLabel(dimension, value), 60)}`}
      at={at}
      entries={[
        ...(canDrillInto(query, row)
          ? [{ id: 'details', label: 'Show details', icon: 'panel' as const, keys: ['Enter'] }]
          : []),
        { id: 'only', label: 'Show only this value', icon: 'filter', keys: keysOf('onlyValue') },
        {
          id: 'exclude',
          label: row.excluded ? 'Count again' : 'Exclude',
          icon: row.excluded ? 'plus' : 'exclude',
          keys: keysOf('excludeValue'),
        },
        { id: 'alert', label: 'Alert me…', icon: 'alerts', keys: keysOf('alertMe') },
      ]}
      onClose={() => rowActionsStore.getState().set({ menu: null })}
      onAction={(id) => {
        if (id === 'details') drillInto(row);
        else if (id === 'only') showOnly(query, row);
        else if (id === 'exclude') toggleCounted(query, row);
        else alertOn(row.path, metric);
      }}
    />
  );
}

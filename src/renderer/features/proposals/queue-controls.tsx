import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { proposalsStore, type QueueView } from './stores/proposals-store.ts';
import { Menu } from '#renderer/ui/index.ts';
import type { ProposerFilter } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';

const orders: readonly { id: QueueView['order']; label: string }[] = [
  { id: 'risk', label: 'Highest risk first' },
  { id: 'newest', label: 'Newest first' },
];

const everyone = 'everyone';

function keyOf(by: ProposerFilter | null): string {
  return by === null ? everyone : JSON.stringify([by.kind, by.agentId]);
}

/** The order of what waits, and whose changes are listed. A single proposer needs no filter. */
export function QueueControls(): ReactElement {
  const { queue, proposers, arrangeQueue } = useStore(proposalsStore);
  const { order, by } = queue;
  const orderLabel = orders.find(({ id }) => id === order)?.label ?? '';
  const entries = [
    { id: everyone, label: 'All proposers' },
    ...proposers.map((one) => ({ id: keyOf(one), label: `${nameOf(one)} (${one.count})` })),
  ];
  const current = proposers.find((one) => keyOf(one) === keyOf(by));
  const byLabel = by === null ? 'All proposers' : current === undefined ? 'None waiting' : nameOf(current);
  return (
    <>
      <Menu
        kind="quiet"
        size="small"
        label={orderLabel}
        name={`Order of waiting changes: ${orderLabel}`}
        heading="Order of waiting changes"
        entries={orders}
        selection={{ mode: 'single', ids: [order] }}
        onAction={(id) => arrangeQueue({ order: id === 'newest' ? 'newest' : 'risk', by })}
      />
      {(proposers.length > 1 || by !== null) && (
        <Menu
          kind="quiet"
          size="small"
          label={byLabel}
          name={`Waiting changes of: ${byLabel}`}
          heading="Waiting changes of"
          entries={entries}
          selection={{ mode: 'single', ids: [keyOf(by)] }}
          onAction={(id) => {
            const chosen = proposers.find((one) => keyOf(one) === id);
            arrangeQueue({
              order,
              by: chosen === undefined ? null : { kind: chosen.kind, agentId: chosen.agentId },
            });
          }}
        />
      )}
    </>
  );
}

/** Names of agents are foreign text; changes of schedules are listed together. */
function nameOf({ kind, name }: { kind: ProposerFilter['kind']; name: string }): string {
  return kind === 'schedule' ? 'Schedules' : inertText(name);
}

import { campaignsStore, countRunning } from '#renderer/stores/campaigns/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { reviewStore } from '#renderer/stores/review/index.ts';
import { Banner, Button, IconButton, type IconName } from '#renderer/ui/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import { counted } from '#shared/lib/counted.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './campaigns.module.css';

const moves: { status: StatusCode; label: string; icon: IconName }[] = [
  { status: 3, label: 'Pause', icon: 'pause' },
  { status: 1, label: 'Activate', icon: 'play' },
  { status: 4, label: 'Schedule', icon: 'clock' },
  { status: 2, label: 'Suspend', icon: 'minus' },
];

/** One change may name this many campaigns (the app API's limit). */
const maxAtOnce = 500;

const paused: StatusCode = 3;

/** Number of selected campaigns that a pause is meant for if some do not run; null if it is meant for all. */
function partToPause(): number | null {
  const { selection, statuses } = campaignsStore.getState();
  const running = countRunning(selection, statuses);
  return running === null || running === 0 || running === selection.cids.size ? null : running;
}

/** Proposes one status for the selected campaigns, a pause for those that run, and opens the confirmation. */
export async function proposeForSelection(status: StatusCode): Promise<void> {
  const id = await campaignsStore
    .getState()
    .proposeStatus(status, status === paused && partToPause() !== null ? 'running' : 'all');
  if (id !== null) await reviewStore.getState().review(id);
}

/** A refusal of several names campaigns, not fields: each field error is about one of the selection. */
function refusedTitle(count: number): string {
  return `${counted(count, 'selected campaign')} cannot be changed like this.`;
}

/** Actions on the selected campaigns. Every action becomes a proposal; nothing is sent from here. */
export function BulkBar(): ReactElement | null {
  const { selection, list, proposing, selectLoaded, clearSelection, dismissProposing } =
    useStore(campaignsStore);
  const count = selection.cids.size;
  const toPause = partToPause();
  const loaded = [...(list?.pages.values() ?? [])].reduce((sum, page) => sum + page.rows.length, 0);
  const connected = useStore(sessionStore, (state) => state.connection.kind === 'connected');
  const off = useStore(sessionStore, (state) => state.status?.writing.off ?? null);
  const refusals = proposing?.failure?.fields ?? [];
  const tooMany = count > maxAtOnce;
  const busy = !connected || off !== null || tooMany || (proposing !== null && proposing.failure === null);
  if (count === 0) return null;
  return (
    <div className={styles.bulkPlace}>
      {proposing?.failure && (
        <div className={styles.failure}>
          <Banner
            tone="danger"
            title={refusals.length > 0 ? refusedTitle(refusals.length) : proposing.failure.message}
            actions={<IconButton icon="close" size="small" label="Dismiss" onClick={dismissProposing} />}
          >
            {refusals.map(({ message }) => message).join(' ')}{' '}
            {refusals.length > 0 ? 'Remove them from the selection.' : proposing.failure.next} Nothing was
            changed.
          </Banner>
        </div>
      )}
      <div className={styles.bar} role="toolbar" aria-label="Selected campaigns">
        <span className={styles.bulkCount} role="status">
          {count.toLocaleString('en-US')} selected
          {off && <span className={styles.partial}>; changes are off until the service is back</span>}
          {tooMany && <span className={styles.partial}>; at most {maxAtOnce} at once</span>}
          {list && !tooMany && count < list.total && (
            <span className={styles.partial}> of {list.total.toLocaleString('en-US')}</span>
          )}
          {toPause !== null && !tooMany && (
            <span className={styles.partial}>
              : {toPause.toLocaleString('en-US')} of {count.toLocaleString('en-US')} run
            </span>
          )}
        </span>
        {list && count < loaded && (
          <Button kind="quiet" onClick={selectLoaded}>
            Select all {loaded.toLocaleString('en-US')} loaded
          </Button>
        )}
        <span className={styles.rule} aria-hidden />
        <span className={styles.moves}>
          {moves.map(({ status, label, icon }) => (
            <Button
              key={status}
              kind="quiet"
              icon={icon}
              disabled={busy}
              onClick={() => void proposeForSelection(status)}
            >
              {status === paused && toPause !== null
                ? `Pause those ${toPause.toLocaleString('en-US')}`
                : label}
              …
            </Button>
          ))}
        </span>
        <span className={styles.rule} aria-hidden />
        <IconButton icon="close" label="Clear selection" onClick={clearSelection} />
      </div>
    </div>
  );
}

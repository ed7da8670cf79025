import { createTokenConcealer } from '#core/platform/credentials.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { AppHandlers } from '#shared/app-api/index.ts';
import { type BulkChangesOptions, createBulkChanges } from './bulk-changes.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { createBulkFiles } from './bulk-files.ts';
import { type BulkSessionOptions, createBulkSession } from './bulk-session.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface BulkOptions
  extends BulkSessionOptions, Pick<BulkChangesOptions, 'subscribe' | 'accountLists'> {
  drafts: { requests: BulkChangesOptions['drafts'] };
  ids: Pick<Ids, 'id'>;
  store: Pick<AppStore, 'campaignCopies' | 'oauth'>;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

/** Work on many campaigns at once (docs/write-path.md, "Bulk changes and files"). */
export interface Bulk extends AsyncDisposable {
  requests: Pick<AppHandlers, Extract<keyof AppHandlers, `bulk.${string}`>>;
}

export function createBulk({ drafts, ids, store, formats, ...options }: BulkOptions): Bulk {
  const session = createBulkSession(options);
  const files = createBulkFiles({
    session,
    accountLists: options.accountLists,
    newId: ids.id,
    conceal: createTokenConcealer(store.oauth, options.clock),
    copiesOf(cid) {
      const { id: profileId, account } = options.connections.current().profile;
      return store.campaignCopies.of({ profileId, account }, cid).map(({ campaign }) => campaign);
    },
  });
  const changes = createBulkChanges({
    ...options,
    session,
    drafts: drafts.requests,
    formats,
    planOfFile: files.planOf,
  });
  return { requests: { ...changes.requests, ...files.requests }, dispose: changes.dispose };
}

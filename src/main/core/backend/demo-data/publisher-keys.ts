import type { PublisherKey } from '#core/store/backend/index.ts';
import { hashOfKey, publisherKeyOf } from '../publisher/publisher-key.ts';
import type { BackendService } from '../service.ts';
import { demoAccounts } from './accounts.ts';
import type { DemoAccounts } from './accounts.ts';

/** A publisher key, shown in full this once. */
export interface DemoPublisherKey {
  key: string;
  scopes: readonly string[];
  /** What it may read. */
  tids: readonly number[];
  feeds: readonly number[];
}

/** The keys of each account that sells traffic. */
export type DemoPublisherKeys = Partial<Record<keyof DemoAccounts, DemoPublisherKey[]>>;

const scopes = { xml: 'publisher:xml:read', search: 'publisher:search:read' } as const;

/** How many of the publisher's TIDs the key for XML alone may read. */
const restrictedTids = 2;

/** Ends the keys of earlier processes. */
export function removeDemoKeys({ store }: BackendService): void {
  if (store.publisherKeys.countDemo() > 0) store.transaction(() => store.publisherKeys.removeDemo());
}

/**
 * Makes the keys of this process and stores their hashes. The publisher has three: for everything, for the XML
 * statistics of some TIDs, and for the Search report; the buyer has one for everything.
 */
export function makeDemoKeys(service: BackendService): DemoPublisherKeys {
  const { store, ids, tenant } = service;
  const { buyer, publisher } = demoAccounts(tenant.id);
  const make = (wanted: PublisherKey): DemoPublisherKey => {
    const key = publisherKeyOf(ids.secret());
    const owned = store.statistics.read.sources(wanted.uid);
    store.publisherKeys.add(hashOfKey(key), { ...wanted, isDemo: true });
    return {
      key,
      scopes: wanted.scopes,
      tids: wanted.scopes.includes(scopes.xml) ? (wanted.tids ?? owned.tids) : [],
      feeds: wanted.scopes.includes(scopes.search) ? (wanted.feeds ?? owned.feeds) : [],
    };
  };
  const whole = { tids: null, feeds: null };
  const both = [scopes.xml, scopes.search];
  return store.transaction(() => {
    const some = store.statistics.read.sources(publisher.uid).tids.slice(0, restrictedTids);
    return {
      publisher: [
        make({ uid: publisher.uid, scopes: both, ...whole }),
        make({ uid: publisher.uid, scopes: [scopes.xml], tids: some, feeds: null }),
        make({ uid: publisher.uid, scopes: [scopes.search], ...whole }),
      ],
      buyer: [make({ uid: buyer.uid, scopes: both, ...whole })],
    };
  });
}

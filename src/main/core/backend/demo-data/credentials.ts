import type { PublisherKey, Member } from '#core/store/backend/index.ts';
import { type MemberTokens, hashOfKey, publisherKeyOf } from '../authentication.ts';
import type { BackendService, TenantId } from '../service.ts';

export interface DemoCredential {
  uid: number;
  name: string;
  purpose: string;
  login: string;
  memberToken: string;
  publisherKeys: readonly DemoPublisherKey[];
}

export interface DemoCredentials extends DemoCredential {
  /** Signs in to every demo account until this process ends. */
  password: string;
  accounts: Record<keyof DemoAccounts, DemoCredential>;
}

export function createDemoCredentials(service: BackendService, tokens: MemberTokens) {
  const tenant = service.tenant.id;
  const demo = demoAccounts(tenant);
  const password = service.ids.secret().slice(0, 16);
  removeDemoKeys(service);
  let keys: DemoPublisherKeys | null = null;
  const issueMemberToken = (account: keyof DemoAccounts): string => {
    const { uid, role } = demo[account];
    return tokens.issue({ uid, tenant, role });
  };
  return {
    password,
    issueMemberToken,
    issue(): DemoCredentials {
      const demoKeys = (keys ??= makeDemoKeys(service));
      const entries = Object.entries(demo).map(([part, { uid, name }]) => {
        const account = part as keyof DemoAccounts;
        const memberToken = issueMemberToken(account);
        const purpose = accountPurposes[account];
        const publisherKeys = demoKeys[account] ?? [];
        return [part, { uid, name, purpose, login: loginOf(name), memberToken, publisherKeys }] as const;
      });
      const accounts = Object.fromEntries(entries) as unknown as DemoCredentials['accounts'];
      return { ...accounts.buyer, password, accounts };
    },
    uidOf: (account: keyof DemoAccounts): number => demo[account].uid,
  };
}

interface DemoPublisherKey {
  key: string;
  scopes: readonly string[];
  tids: readonly number[];
  feeds: readonly number[];
}

type DemoPublisherKeys = Partial<Record<keyof DemoAccounts, DemoPublisherKey[]>>;

const scopes = { xml: 'publisher:xml:read', search: 'publisher:search:read' } as const;

const restrictedTidCount = 2;

function removeDemoKeys({ store }: BackendService): void {
  if (store.publisherKeys.countDemo() > 0) store.transaction(() => store.publisherKeys.removeDemo());
}

function makeDemoKeys(service: BackendService): DemoPublisherKeys {
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
  const unrestricted = { tids: null, feeds: null };
  const allScopes = [scopes.xml, scopes.search];
  return store.transaction(() => {
    const someTids = store.statistics.read.sources(publisher.uid).tids.slice(0, restrictedTidCount);
    return {
      publisher: [
        make({ uid: publisher.uid, scopes: allScopes, ...unrestricted }),
        make({ uid: publisher.uid, scopes: [scopes.xml], tids: someTids, feeds: null }),
        make({ uid: publisher.uid, scopes: [scopes.search], ...unrestricted }),
      ],
      buyer: [make({ uid: buyer.uid, scopes: allScopes, ...unrestricted })],
    };
  });
}

export interface DemoAccounts {
  buyer: Member;
  neighbour: Member;
  withoutBalance: Member;
  withoutMenu: Member;
  publisher: Member;
}

const accountPurposes: Readonly<Record<keyof DemoAccounts, string>> = {
  buyer: 'many campaigns, money, every menu; sells a little traffic too',
  neighbour: 'another member, whose campaigns the buyer never sees',
  withoutBalance: 'less than $1.00 available: cannot activate',
  withoutMenu: 'no remote tools in the menu',
  publisher: 'sells traffic: refused at the member endpoints',
};

const firstUids: Readonly<Record<TenantId, number>> = { northwind: 20_417, meridian: 31_006 };

export function demoAccounts(tenant: TenantId): DemoAccounts {
  const uid = firstUids[tenant];
  const member = { role: 'member', mcpMenu: true, modules: ['campaigns', 'uploads', 'tasks'] } as const;
  return {
    buyer: {
      ...member,
      uid,
      name: 'Marlow Media',
      balanceMicros: 12_480_550_000,
      modules: ['campaigns', 'uploads', 'xml', 'search', 'tasks'],
    },
    neighbour: {
      ...member,
      uid: uid + 5,
      name: 'Quayside Ads',
      balanceMicros: 2_310_000_000,
      modules: ['campaigns'],
    },
    withoutBalance: { ...member, uid: uid + 11, name: 'Penny Lane Deals', balanceMicros: 420_000 },
    withoutMenu: { ...member, uid: uid + 18, name: 'Old Harbour', balanceMicros: 96_000_000, mcpMenu: false },
    publisher: {
      ...member,
      uid: uid + 23,
      name: 'Gazette Network',
      role: 'publisher',
      balanceMicros: 0,
      modules: ['xml', 'search', 'tasks'],
    },
  };
}

export function loginOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

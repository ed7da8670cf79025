import type { Member } from '#core/store/backend/index.ts';
import type { TenantId } from '../tenants.ts';

/** The accounts of a tenant's demo, by the part that they play. */
export interface DemoAccounts {
  buyer: Member;
  neighbour: Member;
  withoutBalance: Member;
  withoutMenu: Member;
  publisher: Member;
}

/** The purpose of each account, in a few plain words. */
export const accountPurposes: Readonly<Record<keyof DemoAccounts, string>> = {
  buyer: 'many campaigns, money, every menu; sells a little traffic too',
  neighbour: 'another member, whose campaigns the buyer never sees',
  withoutBalance: 'less than $1.00 available: cannot activate',
  withoutMenu: 'no remote tools in the menu',
  publisher: 'sells traffic: refused at the member endpoints',
};

const first: Readonly<Record<TenantId, number>> = { northwind: 20_417, meridian: 31_006 };

/** The same accounts on every install. */
export function demoAccounts(tenant: TenantId): DemoAccounts {
  const uid = first[tenant];
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

/** `Marlow Media` signs in as `marlow-media`. */
export function loginOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

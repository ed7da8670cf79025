import type { BackendStore } from '#core/store/backend/index.ts';
import { recordOf } from '../member/stored-campaign.ts';
import type { Tenant } from '../tenants.ts';
import { demoAccounts } from './accounts.ts';
import { demoCampaign } from './campaign.ts';
import { publishDemoPictures } from './pictures.ts';
import { createRandom } from '#shared/lib/random.ts';

/** Default number of campaigns of the buyer. */
export const usualCampaigns = 400;

const firstCid: Readonly<Record<Tenant['id'], number>> = { northwind: 104_201, meridian: 58_310 };
const others = { neighbour: 40, withoutBalance: 12, withoutMenu: 6, publisher: 0 } as const;

/** Fills an empty database: members, types, settings, pictures and campaigns, in one transaction. The seed is the tenant's name. */
export function makeDemoData(
  store: BackendStore,
  { tenant, nowMs, campaigns }: { tenant: Tenant; nowMs: number; campaigns: number },
): void {
  const context = {
    types: Object.fromEntries(tenant.types.map(({ code, type }) => [String(code), type])),
    settings: tenant.settings,
  };
  const accounts = demoAccounts(tenant.id);
  const random = createRandom(tenant.id);
  let cid = firstCid[tenant.id];
  store.transaction(() => {
    store.write.setTenant(context);
    for (const member of Object.values(accounts)) store.write.addMember(member);
    const pictures = publishDemoPictures(store, accounts.buyer.uid);
    for (const [part, member] of Object.entries(accounts)) {
      const count = part === 'buyer' ? campaigns : others[part as keyof typeof others];
      for (let made = 0; made < count; made += 1) {
        const payload = demoCampaign({ random, tenant, pictures, cid, uid: member.uid, nowMs });
        store.write.addCampaign(recordOf(payload, context));
        cid += random.integer(1, 4);
      }
    }
  });
}

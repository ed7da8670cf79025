import type { Clock } from '#core/platform/clock.ts';
import type { CampaignRead, MemberClient } from '#core/service-client/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AppInput, AppOutput, ProfileView } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';

export interface CampaignReadsOptions {
  client: MemberClient;
  store: AppStore;
  profile: ProfileView;
  clock: Clock;
}

/** The campaigns as the service has them now, for the pages. Fails as the member client does. */
export interface CampaignReads {
  page(input: AppInput<'campaigns.page'>): Promise<AppOutput<'campaigns.page'>>;
  get(input: AppInput<'campaigns.get'>): Promise<AppOutput<'campaigns.get'>>;
  /** The tenant's types, from the latest read of any campaign. */
  types(): Promise<AppOutput<'campaigns.types'>>;
}

export function createCampaignReads({ client, store, profile, clock }: CampaignReadsOptions): CampaignReads {
  let latestTypes: CampaignRead['edit']['campaign_types'] | null = null;

  async function read(cid: number): Promise<CampaignRead['edit']> {
    const { edit } = await client.get(cid);
    latestTypes = edit.campaign_types;
    return edit;
  }

  /** Types come with a campaign only (contract §2.3), so any will do. */
  async function readTypes(): Promise<CampaignRead['edit']['campaign_types']> {
    const [row] = (await client.list({ page: 1, perPage: 1 })).data;
    return row === undefined ? {} : (await read(row.cid)).campaign_types;
  }

  return {
    async page({ filter, page, perPage }) {
      const { query, status, types, sort, order } = filter;
      const list = await client.list({
        page,
        perPage,
        sort,
        order,
        query,
        types,
        ...(status === null ? {} : { status }),
      });
      return { rows: list.data, total: list.total, page: list.currentPage, readAtMs: clock.nowMs() };
    },
    async get({ cid }) {
      const edit = await read(cid);
      return {
        edit,
        readAtMs: clock.nowMs(),
        lockedBy: store.proposals.lockOf(profile.id, cid),
        waiting: store.proposals.undecidedFor(profile.id, cid),
      };
    },
    async types() {
      const types = latestTypes ?? (await readTypes());
      return Object.entries(types)
        .map(([code, { name }]) => ({ code: Number(code), name: inertText(name) }))
        .filter(({ code }) => Number.isSafeInteger(code));
    },
  };
}

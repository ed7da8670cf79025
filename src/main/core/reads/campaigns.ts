import type { Clock } from '#core/platform/clock.ts';
import type { Connection, Connections } from '#core/connections/index.ts';
import type { CampaignRead } from '#core/service-client/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';

export interface CampaignReadsOptions {
  connections: Pick<Connections, 'current'>;
  store: AppStore;
  clock: Clock;
}

/** The campaigns as the service has them now, for the pages. Fails as the member client does. */
export interface CampaignReads {
  page(input: AppInput<'campaigns.page'>): Promise<AppOutput<'campaigns.page'>>;
  get(input: AppInput<'campaigns.get'>): Promise<AppOutput<'campaigns.get'>>;
  /** The tenant's types, from the latest read of any campaign. */
  types(): Promise<AppOutput<'campaigns.types'>>;
}

type CampaignTypes = CampaignRead['edit']['campaign_types'];

export function createCampaignReads({ connections, store, clock }: CampaignReadsOptions): CampaignReads {
  /** Of each connection; a profile with other addresses has another one. */
  const latestTypes = new WeakMap<Connection, CampaignTypes>();

  async function read(connection: Connection, cid: number): Promise<CampaignRead['edit']> {
    const { edit } = await connection.member.get(cid);
    latestTypes.set(connection, edit.campaign_types);
    return edit;
  }

  /** Types come with a campaign only (contract §2.3), so any will do. */
  async function readTypes(connection: Connection): Promise<CampaignTypes> {
    const [row] = (await connection.member.list({ page: 1, perPage: 1 })).data;
    return row === undefined ? {} : (await read(connection, row.cid)).campaign_types;
  }

  return {
    async page({ filter, page, perPage }) {
      const { query, status, types, sort, order } = filter;
      const list = await connections.current().member.list({
        page,
        perPage,
        sort,
        order,
        query,
        types,
        ...(status === null ? {} : { status }),
      });
      return {
        rows: list.data,
        total: list.total,
        page: list.currentPage,
        readAtMs: clock.nowMs(),
        kept: null,
      };
    },
    async get({ cid }) {
      const connection = connections.current();
      const { id } = connection.profile;
      const edit = await read(connection, cid);
      return {
        edit,
        readAtMs: clock.nowMs(),
        kept: null,
        lockedBy: store.proposals.lockOf(id, cid),
        waiting: store.proposals.undecidedFor(id, cid),
      };
    },
    async types() {
      const connection = connections.current();
      const types = latestTypes.get(connection) ?? (await readTypes(connection));
      return Object.entries(types)
        .map(([code, { name }]) => ({ code: Number(code), name: inertText(name) }))
        .filter(({ code }) => Number.isSafeInteger(code));
    },
  };
}

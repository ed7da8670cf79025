import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { CampaignRead } from '#core/service-client/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AppInput, AppOutput, CampaignFilter } from '#shared/app-api/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { filterCached, type CampaignCache, cachedReasonOf, oldestRead, orCached } from './campaign-cache.ts';
import type { AccountList } from './account-list.ts';
import type { FirstScreenKeeper } from './first-screen.ts';
import { macrosOf } from '#shared/campaign/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { listFields, membersOf, type Member } from '#shared/drafts/index.ts';

interface CampaignReadsOptions {
  connections: Pick<Connections, 'current' | 'of'>;
  campaignCache: CampaignCache;
  firstScreen: Pick<FirstScreenKeeper, 'keepList'>;
  store: AppStore;
  list: Pick<AccountList, 'known'>;
  clock: Clock;
}

/** Reads of campaigns, from the cache while the service is away. Fails as the member client does. */
export interface CampaignReads {
  page(input: AppInput<'campaigns.page'>): Promise<AppOutput<'campaigns.page'>>;
  get(input: AppInput<'campaigns.get'>): Promise<AppOutput<'campaigns.get'>>;
  latest(cid: number): Promise<JsonObject>;
  values(): AppOutput<'campaigns.values'>;
  types(): Promise<AppOutput<'campaigns.types'>>;
  /** Null if `codes` is empty, which means every type. */
  typeNames(codes: readonly number[]): Promise<ReadonlySet<string> | null>;
}

const maxSeen = 2_000;

type CampaignTypes = CampaignRead['edit']['campaign_types'];
type CampaignPage = AppOutput<'campaigns.page'>;
type DetailRead = Pick<AppOutput<'campaigns.get'>, 'edit' | 'readAtMs' | 'cached'>;

export function createCampaignReads(options: CampaignReadsOptions): CampaignReads {
  const { connections, campaignCache, firstScreen, store, list, clock } = options;
  const latestTypes = new WeakMap<Connection, CampaignTypes>();

  const isLiving = (connection: Connection): boolean => connections.of(connection.profile.id) === connection;

  async function readPage(connection: Connection, input: AppInput<'campaigns.page'>): Promise<CampaignPage> {
    const { query, status, types, sort, order } = input.filter;
    const { page, perPage } = input;
    const wanted = { page, perPage, sort, order, query, types, ...(status === null ? {} : { status }) };
    const list = await connection.member.list(wanted);
    // A service may return more rows than requested.
    const rows = list.data.slice(0, perPage);
    // The requested page: if the answer had another number, a page would be requested for ever.
    const answer = { rows, total: list.total, page, readAtMs: clock.nowMs(), cached: null };
    if (isLiving(connection)) {
      campaignCache.keepRows(connection.profile.id, rows);
      if (query === '' && status === null && types.length === 0)
        campaignCache.keepTotal(connection.profile.id, list.total);
      firstScreen.keepList(connection.profile, input, answer);
    }
    return answer;
  }

  function cachedPage(
    { profile }: Connection,
    { filter, page, perPage }: AppInput<'campaigns.page'>,
  ): Omit<CampaignPage, 'cached'> | null {
    const everything = campaignCache.rows(profile.id);
    const oldest = oldestRead(everything);
    if (oldest === null) return null;
    const found = filterCached(everything, filter, namesOf(profile.id, filter));
    const shown = found.slice((page - 1) * perPage, page * perPage);
    return {
      rows: shown.map(({ row }) => row),
      total: found.length,
      page,
      readAtMs: oldestRead(shown) ?? oldest,
    };
  }

  function namesOf(profileId: string, { types }: CampaignFilter): ReadonlySet<string> | null {
    return namesIn(campaignCache.newestCampaign(profileId)?.edit.campaign_types ?? {}, types);
  }

  async function readOne(connection: Connection, cid: number): Promise<CampaignRead['edit']> {
    const { raw, edit } = await connection.member.get(cid);
    latestTypes.set(connection, edit.campaign_types);
    if (isLiving(connection)) campaignCache.keepCampaign(connection.profile.id, cid, raw);
    return edit;
  }

  async function readDetail(connection: Connection, cid: number): Promise<DetailRead> {
    return { edit: await readOne(connection, cid), readAtMs: clock.nowMs(), cached: null };
  }

  async function readTypes(connection: Connection): Promise<CampaignTypes> {
    const [row] = (await connection.member.list({ page: 1, perPage: 1 })).data;
    return row === undefined ? {} : (await readOne(connection, row.cid)).campaign_types;
  }

  return {
    async page(input) {
      const connection = connections.current();
      return orCached({ ...connection, clock }, readPage(connection, input), () =>
        cachedPage(connection, input),
      );
    },
    async get({ cid }) {
      const connection = connections.current();
      const { id } = connection.profile;
      const read = await orCached({ ...connection, clock }, readDetail(connection, cid), () =>
        campaignCache.campaign(id, cid),
      );
      // Looked up after the read, because a proposal may have been made during the read.
      const { proposals } = store;
      return { ...read, lockedBy: proposals.lockOf(id, cid), waiting: proposals.undecidedFor(id, cid) };
    },
    async latest(cid) {
      const connection = connections.current();
      const known = campaignCache.campaign(connection.profile.id, cid)?.edit;
      return (known ?? (await readOne(connection, cid))).campaign;
    },
    typeNames: async (codes) => (codes.length === 0 ? null : namesIn(await currentTypes(), codes)),
    values() {
      const cached = campaignCache.campaigns(connections.current().profile.id, maxSeen);
      return campaignValues(
        cached.map(({ campaign }) => campaign),
        list.known(),
      );
    },
    async types() {
      const types = await currentTypes();
      return Object.entries(types)
        .map(([code, { name }]) => ({ code: Number(code), name: inertText(name) }))
        .filter(({ code }) => Number.isSafeInteger(code));
    },
  };

  async function currentTypes(): Promise<CampaignTypes> {
    const connection = connections.current();
    return latestTypes.get(connection) ?? typesOf(connection);
  }

  async function typesOf(connection: Connection): Promise<CampaignTypes> {
    try {
      return await readTypes(connection);
    } catch (failure) {
      const cached = campaignCache.newestCampaign(connection.profile.id);
      if (cachedReasonOf(failure) === null || cached === null) throw failure;
      return cached.edit.campaign_types;
    }
  }
}

function namesIn(types: CampaignTypes, codes: readonly number[]): ReadonlySet<string> | null {
  return codes.length === 0 ? null : new Set(codes.flatMap((code) => types[String(code)]?.name ?? []));
}

const maxValues = 1_000;
const maxLength = 200;

/** Counts campaigns per value of a list and per macro. `rows` supplies the countries of campaigns that were not read in full. */
export function campaignValues(
  campaigns: readonly JsonObject[],
  rows: readonly Pick<CampaignRow, 'cid' | 'geo'>[],
): AppOutput<'campaigns.values'> {
  const lists = new Map<string, Counts<Member>>();
  const macros: Counts<string> = new Map();
  const countsOf = (field: string): Counts<Member> => {
    const counts: Counts<Member> = lists.get(field) ?? new Map();
    lists.set(field, counts);
    return counts;
  };
  for (const campaign of campaigns) {
    for (const field of listFields(campaign)) count(countsOf(field), membersOf(campaign[field]) ?? []);
    count(
      macros,
      ['clickurl', 'website'].flatMap((field) => macrosOf(textOf(campaign[field]))),
    );
  }
  const inFull = new Set(campaigns.map(({ cid }) => cid));
  for (const { cid, geo } of rows) if (!inFull.has(cid)) count(countsOf('geo'), geo);
  return {
    campaigns: campaigns.length,
    lists: Object.fromEntries([...lists].map(([field, counts]) => [field, byFrequency(counts)])),
    macros: byFrequency(macros).map(({ value, campaigns }) => ({ macro: value, campaigns })),
  };
}

type Counts<T extends Member> = Map<string, { value: T; campaigns: number }>;

function count<T extends Member>(counts: Counts<T>, members: readonly T[]): void {
  for (const value of new Set(members)) {
    const key = String(value);
    if (key.length > maxLength) continue;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { value, campaigns: 1 });
    else known.campaigns += 1;
  }
}

function byFrequency<T extends Member>(counts: Counts<T>): { value: T; campaigns: number }[] {
  return [...counts.values()]
    .toSorted(
      (one, other) => other.campaigns - one.campaigns || (String(one.value) < String(other.value) ? -1 : 1),
    )
    .slice(0, maxValues);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

import { type CampaignFilter, noFilter } from '#shared/app-api/index.ts';
import { sortColumns, statusCodes } from '#shared/contract/index.ts';
import {
  budgetColumns,
  type CampaignCondition,
  findablePricings,
  maxFound,
  maxSearchText,
} from '#shared/find/index.ts';

interface ShownList {
  filter: CampaignFilter;
  conditions: readonly CampaignCondition[];
}

/** These limits must equal those of the core (shared/app-api/campaigns, shared/find). */
const limits = { types: 100, conditions: 30 };

/** The address parameters of a list. Empty for the unfiltered list in its default order. {@link parseList} reverses it. */
export function formatList({ filter, conditions }: ShownList): string {
  const { query, status, types, sort, order } = filter;
  const parameters = new URLSearchParams();
  if (query !== '') parameters.set('find', query);
  if (status !== null) parameters.set('status', String(status));
  for (const code of types) parameters.append('type', String(code));
  for (const condition of conditions) parameters.append('with', formatCondition(condition));
  if (sort !== noFilter.sort || order !== noFilter.order)
    parameters.set('sort', `${order === 'desc' ? '-' : '+'}${sort}`);
  return parameters.toString();
}

export function parseList(text: string): ShownList {
  const parameters = new URLSearchParams(text);
  const query = parameters.get('find') ?? '';
  const [, sign, column] = /^([-+])(\w+)$/u.exec(parameters.get('sort') ?? '') ?? [];
  const sort = sortColumns.find((known) => known === column);
  return {
    filter: {
      query: query.length > maxSearchText ? '' : query,
      status: statusCodes.find((code) => String(code) === parameters.get('status')) ?? null,
      types: parameters
        .getAll('type')
        .slice(0, limits.types)
        .flatMap((code) => numberOf(code) ?? []),
      ...(sort === undefined
        ? { sort: noFilter.sort, order: noFilter.order }
        : { sort, order: sign === '-' ? ('desc' as const) : ('asc' as const) }),
    },
    conditions: parameters
      .getAll('with')
      .slice(0, limits.conditions)
      .flatMap((part) => parseCondition(part) ?? []),
  };
}

type Kind = CampaignCondition['kind'];
type Condition<K extends Kind> = Extract<CampaignCondition, { kind: K }>;

/** Formats a condition as parts of an address, and parses them. `read` returns null for invalid parts. */
interface Parts<K extends Kind> {
  write: (condition: Condition<K>) => readonly (string | number)[];
  read: (parts: readonly string[]) => Omit<Condition<K>, 'kind'> | null;
}

const partsOf: { readonly [K in Kind]: Parts<K> } = {
  status: {
    write: ({ statuses }) => [statuses.join()],
    read: ([list]) => {
      const statuses = statusCodes.filter((code) => list?.split(',').includes(String(code)));
      return statuses.length === 0 ? null : { statuses };
    },
  },
  type: { write: ({ names }) => [texts(names)], read: ([list]) => filled('names', readTexts(list)) },
  name: {
    write: ({ is, text }) => [is, escaped(text)],
    read: ([is, text]) => both({ is: oneOf(containing, is), text: readText(text) }),
  },
  ids: {
    write: ({ cids }) => [cids.join()],
    read: ([list]) => {
      const cids = (list ?? '').split(',', maxFound).flatMap((cid) => numberOf(cid) || []);
      return filled('cids', cids.filter(Number.isSafeInteger));
    },
  },
  bid: {
    write: ({ min, max }) => [min ?? '', max ?? ''],
    read: ([min, max]) => ({ min: numberOf(min), max: numberOf(max) }),
  },
  budget: {
    write: ({ column, is, amount }) => [column, is, amount],
    read: ([column, is, amount]) =>
      both({
        column: oneOf(budgetColumns, column),
        is: oneOf(['above', 'below'] as const, is),
        amount: numberOf(amount),
      }),
  },
  country: {
    write: ({ codes, orAll }) => [texts(codes), yesNo(orAll)],
    read: ([codes, orAll]) => both({ codes: readTexts(codes), orAll: readYesNo(orAll) }),
  },
  countryTargeting: {
    write: ({ is }) => [is],
    read: ([is]) => both({ is: oneOf(['all', 'custom'] as const, is) }),
  },
  bidControls: { write: ({ has }) => [yesNo(has)], read: ([has]) => both({ has: readYesNo(has) }) },
  spendsToday: {
    write: ({ limit }) => [limit],
    read: ([limit]) => both({ limit: oneOf(['any', 'none'] as const, limit) }),
  },
  runsNow: { write: ({ runs }) => [yesNo(runs)], read: ([runs]) => both({ runs: readYesNo(runs) }) },
  endsWithin: {
    write: ({ days }) => [days],
    read: ([days]) => (/^\d{1,4}$/u.test(days ?? '') ? { days: Number(days) } : null),
  },
  noEnd: { write: () => [], read: () => ({}) },
  pricing: {
    write: ({ pricings }) => [pricings.join()],
    read: ([list]) =>
      filled(
        'pricings',
        findablePricings.filter((pricing) => list?.split(',').includes(pricing)),
      ),
  },
  domain: {
    write: ({ domain }) => [escaped(domain)],
    read: ([domain]) => both({ domain: readText(domain) }),
  },
  member: {
    write: ({ field, is, member, orAll }) => [escaped(field ?? ''), is, escaped(member), yesNo(orAll)],
    read: ([field, is, member, orAll]) => {
      const known = both({
        is: oneOf(containing, is),
        member: readText(member),
        orAll: readYesNo(orAll),
      });
      return known && { ...known, field: readText(field) };
    },
  },
  label: {
    write: ({ labels, is }) => [texts(labels), is],
    read: ([labels, is]) => both({ labels: readTexts(labels), is: oneOf(['any', 'none'] as const, is) }),
  },
  note: { write: ({ has }) => [yesNo(has)], read: ([has]) => both({ has: readYesNo(has) }) },
};

const containing = ['contains', 'lacks'] as const;

/** `country:BR,DE:yes`: the kind and its parts, with escaped texts. */
function formatCondition<K extends Kind>(condition: Condition<K>): string {
  const { write } = partsOf[condition.kind] as Parts<K>;
  return [condition.kind, ...write(condition)].join(':');
}

function parseCondition(text: string): CampaignCondition | null {
  const [name = '', ...parts] = text.split(':');
  if (!Object.hasOwn(partsOf, name)) return null;
  const kind = name as Kind;
  const found = partsOf[kind].read(parts);
  return found && ({ kind, ...found } as CampaignCondition);
}

function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const texts = (list: readonly string[]): string => list.map(escaped).join();
const yesNo = (is: boolean): string => (is ? 'yes' : 'no');

function oneOf<T extends string>(known: readonly T[], text: string | undefined): T | null {
  return known.find((one) => one === text) ?? null;
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}(?:\.\d{1,6})?$/u.test(text) ? Number(text) : null;
}

function readYesNo(text: string | undefined): boolean | null {
  return text === 'yes' || text === 'no' ? text === 'yes' : null;
}

function readText(text: string | undefined): string | null {
  try {
    const found = decodeURIComponent(text ?? '');
    return found.trim() === '' || found.length > maxSearchText ? null : found;
  } catch {
    return null;
  }
}

function readTexts(text: string | undefined): string[] | null {
  const found = (text ?? '').split(',').flatMap((part) => readText(part) ?? []);
  return found.length === 0 ? null : found;
}

function filled<K extends string, T>(name: K, list: T[] | null): Record<K, T[]> | null {
  return list === null || list.length === 0 ? null : ({ [name]: list } as Record<K, T[]>);
}

function both<T extends object>(values: T): { [K in keyof T]: NonNullable<T[K]> } | null {
  return Object.values(values).includes(null) ? null : (values as { [K in keyof T]: NonNullable<T[K]> });
}

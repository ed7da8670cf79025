export type Route =
  /** With a section, the editor is a page of its own. Without parameters, the list keeps its current filter. */
  | { page: 'campaigns'; cid: number | null; section?: string; parameters?: string }
  | { page: 'drafts' }
  | { page: 'bulk' }
  | { page: 'proposals'; id: string | null }
  /** Without parameters, the last report. */
  | { page: 'reports'; parameters: string }
  | { page: 'schedules'; id: string | null }
  | { page: 'ledger' }
  | { page: 'decisions' }
  | { page: 'agents' }
  | { page: 'settings' }
  /** A profile's id, `newProfile`, or null for the list. */
  | { page: 'profiles'; id: string | null }
  | { page: 'doctor'; profileId: string }
  /** A chapter or a section (`agents/connect-an-agent`). */
  | { page: 'guide'; place: string | null };

type CampaignsRoute = Extract<Route, { page: 'campaigns' }>;

/** The `id` in the route to the form for a new profile. */
export const newProfile = 'new';

export function routeHref(route: Route): string {
  switch (route.page) {
    case 'campaigns':
      return withParameters(campaignHref(route), route.parameters ?? '');
    case 'reports':
      return withParameters('#/reports', route.parameters);
    case 'proposals':
    case 'schedules':
    case 'profiles':
      return route.id === null ? `#/${route.page}` : `#/${route.page}/${encodeURIComponent(route.id)}`;
    case 'decisions':
      return '#/ledger/decisions';
    case 'guide':
      return route.place === null ? '#/guide' : `#/guide/${route.place}`;
    case 'doctor':
      return `#/profiles/${encodeURIComponent(route.profileId)}/doctor`;
    default:
      return `#/${route.page}`;
  }
}

function campaignHref({ cid, section }: { cid: number | null; section?: string }): string {
  if (cid === null) return '#/campaigns';
  return `#/campaigns/${cid}${section === undefined ? '' : `/${encodeURIComponent(section)}`}`;
}

function withParameters(href: string, parameters: string): string {
  return parameters === '' ? href : `${href}?${parameters}`;
}

export function parseRoute(hash: string): Route {
  const [, path = '', parameters = ''] = /^#?\/?([^?]*)(?:\?(.*))?$/su.exec(hash) ?? [];
  const [page, rest, part] = path.split('/');
  if (page === 'reports') return { page, parameters };
  if (page === 'ledger') return { page: rest === 'decisions' ? 'decisions' : 'ledger' };
  if (page === 'agents' || page === 'drafts' || page === 'bulk' || page === 'settings') return { page };
  if (page === 'guide') return parseGuide(rest, part);
  if (page === 'proposals' || page === 'schedules') return { page, id: rest ? decodePart(rest) : null };
  if (page === 'profiles') return parseProfile(rest ? decodePart(rest) : null, part);
  const route = parseCampaign(page === 'campaigns' ? Number(rest) : null, part);
  return parameters === '' ? route : { ...route, parameters };
}

function parseCampaign(cid: number | null, part: string | undefined): CampaignsRoute {
  if (cid === null || !Number.isInteger(cid) || cid <= 0) return { page: 'campaigns', cid: null };
  const section = part ? decodePart(part) : null;
  return section === null ? { page: 'campaigns', cid } : { page: 'campaigns', cid, section };
}

function parseProfile(id: string | null, part: string | undefined): Route {
  if (id !== null && id !== newProfile && part === 'doctor') return { page: 'doctor', profileId: id };
  return { page: 'profiles', id };
}

function parseGuide(chapter: string | undefined, section: string | undefined): Route {
  const isName = (text: string | undefined): text is string => /^[a-z0-9-]+$/u.test(text ?? '');
  if (!isName(chapter)) return { page: 'guide', place: null };
  return { page: 'guide', place: isName(section) ? `${chapter}/${section}` : chapter };
}

function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

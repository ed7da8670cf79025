/** Where the page is. The address bar says the same in its fragment. */
export type Route =
  { page: 'campaigns'; cid: number | null } | { page: 'proposals'; id: string | null } | { page: 'ledger' };

/** The fragment of a route, for links and the address bar. */
export function routeHref(route: Route): string {
  switch (route.page) {
    case 'campaigns':
      return route.cid === null ? '#/campaigns' : `#/campaigns/${route.cid}`;
    case 'proposals':
      return route.id === null ? '#/proposals' : `#/proposals/${encodeURIComponent(route.id)}`;
    case 'ledger':
      return '#/ledger';
  }
}

/** The route of a fragment; anything unknown is the list of campaigns. */
export function parseRoute(hash: string): Route {
  const [page, rest] = hash.replace(/^#\/?/u, '').split('/');
  if (page === 'ledger') return { page: 'ledger' };
  if (page === 'proposals') return { page: 'proposals', id: rest ? decodePart(rest) : null };
  const cid = Number(rest);
  return { page: 'campaigns', cid: page === 'campaigns' && Number.isInteger(cid) && cid > 0 ? cid : null };
}

function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

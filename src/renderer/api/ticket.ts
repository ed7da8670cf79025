/**
 * The one-time ticket in the address (`#ticket=…`), or null. The fragment is cleared at once, so that neither the
 * history nor a copied address holds it.
 */
export function takeTicket(): string | null {
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
  if (ticket !== null) history.replaceState(null, '', location.pathname + location.search);
  return ticket;
}

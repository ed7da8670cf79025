/** The address that a person opens. The ticket stands in the fragment, which no browser sends anywhere. */
export function addressWith(origin: string, ticket: string): string {
  return `${origin}/#ticket=${ticket}`;
}

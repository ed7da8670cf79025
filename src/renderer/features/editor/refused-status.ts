/** Why a member may not choose a status from where the campaign is, or undefined (contract §3). */
export function refusedStatus(from: number, to: number): string | undefined {
  if (from === to) return undefined;
  if (to === 0) return 'Set by the service only';
  if (from === 0 && (to === 1 || to === 4)) return 'needs approval first';
  return undefined;
}

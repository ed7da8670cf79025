/** `400 campaigns`, or how many of them match. The service counts; while it is away, only what was read is there to count. */
export function countWords(total: number, { narrowed, kept }: { narrowed: boolean; kept: boolean }): string {
  const count = total.toLocaleString('en-US');
  if (narrowed) return total === 1 ? '1 matches' : `${count} match`;
  const counted = total === 1 ? '1 campaign' : `${count} campaigns`;
  return kept ? `${counted} that ${total === 1 ? 'was' : 'were'} read` : counted;
}

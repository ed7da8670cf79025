/** `400 campaigns`, or how many of them match. The service counts; what was read may be less. */
export function countWords(total: number, narrowed: boolean): string {
  const count = total.toLocaleString('en-US');
  if (narrowed) return total === 1 ? '1 matches' : `${count} match`;
  return total === 1 ? '1 campaign' : `${count} campaigns`;
}

/** True when every word of the query begins a word of the label. */
export function matches(label: string, query: string): boolean {
  const words = label.toLowerCase().split(/[\s“”"–-]+/u);
  return query
    .toLowerCase()
    .split(/\s+/u)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)) || label.toLowerCase().includes(part));
}

/** True for names that differ in case alone: they are the same to a reader. */
export function isSameName(left: string, right: string): boolean {
  return keyOf(left) === keyOf(right);
}

const keyOf = (name: string): string => name.trim().normalize().toLowerCase();

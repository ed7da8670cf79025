/** Deeper causes are left out. */
const mostCauses = 4;

/**
 * What a failed connection says of itself: names, codes and words along its causes. Nothing else that the failure carries is
 * kept (bytes of the answer, an address with its query).
 */
export function outlineOf(failure: unknown, conceal: (text: string) => string, depth = 1): Error {
  if (!(failure instanceof Error)) return new Error(conceal(String(failure)));
  const { name, message, cause } = failure;
  const outline = new Error(
    conceal(message),
    cause === undefined || depth === mostCauses ? {} : { cause: outlineOf(cause, conceal, depth + 1) },
  );
  outline.name = name;
  const code = 'code' in failure && typeof failure.code === 'string' ? { code: failure.code } : {};
  return Object.assign(outline, code);
}

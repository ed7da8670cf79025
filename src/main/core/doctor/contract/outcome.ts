/** Ends a check: the service does something else than the contract says. The text may quote the service, as it came. */
export class Drift extends Error {}

/** Ends a check that could not be made, and says why. */
export class NotChecked extends Error {}

/** The service refuses a credential itself, so that whatever needs it cannot be checked either. */
export class CredentialRefused extends NotChecked {
  readonly need: CheckNeed;

  constructor(need: CheckNeed, status: number) {
    super(`The service refuses the ${credentialNames[need]} (${status}).`);
    this.need = need;
  }
}

/** The service wants to be left alone (429), or was asked as much as it may be: nothing more is asked. */
export class Exhausted extends NotChecked {}

/** The credential of a check. */
export type CheckNeed = 'member' | 'publisher' | 'remote';

export const credentialNames: Readonly<Record<CheckNeed, string>> = {
  member: 'member token',
  publisher: 'publisher key',
  remote: 'sign-in',
};

/** The value, and where it drifts from the contract, that it was not given to those who only build on it. */
export async function given<T>(value: Promise<T>, otherwise: string): Promise<T> {
  try {
    return await value;
  } catch (failure) {
    if (failure instanceof Drift) throw new NotChecked(otherwise);
    throw failure;
  }
}

/** Makes the value at the first call and gives it, or its failure, to every later one. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

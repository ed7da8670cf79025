/** Ends a union that must be exhausted: the compiler refuses a missing case, the runtime names it. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected case: ${JSON.stringify(value)}`);
}

import { appApi, type AppRequest } from '#shared/app-api/index.ts';

/** Requests that make a proposal and show it; their answers name it. */
const madeAndShown = [
  'proposals.reviewTogether',
  'ledger.reverse',
  'emergencyStop.start',
  'emergencyStop.resume',
] as const satisfies readonly AppRequest[];

/** The proposal that a person asks to see with this request, which the core shows by now; null for every other request. */
export function askedToSee(name: AppRequest, input: unknown, output: unknown): string | null {
  if (name === 'proposals.review') return appApi[name].input.parse(input).id;
  const made = madeAndShown.find((one) => one === name);
  return made === undefined ? null : appApi[made].output.parse(output).id;
}

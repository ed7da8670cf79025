import { inertText } from '../inert-text.ts';

const plainKey = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;
const longestKey = 60;

/** Writes a path for people: `campaign.geo[2]`, `["odd key"].x`. Keys are made inert, very long ones are shortened. */
export function jsonPath(steps: readonly (string | number)[]): string {
  return steps.map(stepText).join('').replace(/^\./, '');
}

function stepText(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  const points = Array.from(step);
  const short = points.length > longestKey ? `${points.slice(0, longestKey).join('')}…` : step;
  return plainKey.test(step) ? `.${short}` : `["${inertText(short)}"]`;
}

export { createNetEffect } from './net-effect.ts';
export type { NetEffect } from './net-effect.ts';

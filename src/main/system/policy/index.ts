export { administratorsPlace, createAdministratorPolicy } from './policy.ts';
export type { AdministratorPolicy, PolicyPlace } from './policy.ts';

import type { ProfileDetail, ProfileInput, ServiceAddresses } from '#shared/app-api/index.ts';

const addressFields = ['baseUrl', 'apiUrl', 'mcpUrl'] as const satisfies (keyof ServiceAddresses)[];

/** An empty form; days are counted in UTC unless somebody says otherwise. */
export const emptyInput: ProfileInput = {
  name: '',
  baseUrl: '',
  apiUrl: '',
  mcpUrl: '',
  zone: 'UTC',
  remoteAccess: 'oauth',
};

/** What the form of an existing profile begins with. */
export function inputOf({ name, zone, remoteAccess, addresses }: ProfileDetail): ProfileInput {
  return { name, zone, remoteAccess, ...addresses };
}

const plain = (address: string): string => address.trim().replace(/\/+$/u, '');

/** True when saving this means another service, and the profile's credentials are forgotten by it. */
export function forgetsCredentials(profile: ProfileDetail, input: ProfileInput): boolean {
  const { signIn, memberToken, publisherKey, addresses } = profile;
  const holds = [signIn.state, memberToken.state, publisherKey.state].some((state) => state !== 'none');
  return holds && addressFields.some((field) => plain(input[field]) !== plain(addresses[field]));
}

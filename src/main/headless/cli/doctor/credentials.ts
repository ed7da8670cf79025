/** Where the credentials come from: every user of a machine can read command lines. */
export const credentialVariables = {
  memberToken: 'COUNTERSIGN_MEMBER_TOKEN',
  publisherKey: 'COUNTERSIGN_PUBLISHER_KEY',
} as const;

/** A credential that is there, or not; `refused` where no request could carry it. */
export type GivenCredential = { kind: 'given'; value: string } | { kind: 'missing' } | { kind: 'refused' };

/** Takes a credential out of the environment, so that no program started from here inherits it. */
export function takeCredential(variable: string, env: Record<string, string | undefined>): GivenCredential {
  const value = (env[variable] ?? '').trim().replace(/^Bearer +/i, '');
  delete env[variable];
  if (value === '') return { kind: 'missing' };
  return /^[\x21-\x7e]{1,8000}$/.test(value) ? { kind: 'given', value } : { kind: 'refused' };
}

import type { Patient } from './patient.ts';

/** How to get what is missing, in the words of the place where the doctor runs. */
export function how({ profileId, subject }: Patient): {
  signIn: string;
  memberToken: string;
  publisherKey: string;
} {
  if (profileId === null) {
    return {
      signIn: 'Add --sign-in to sign in for this run.',
      memberToken: 'Set COUNTERSIGN_MEMBER_TOKEN to a valid member token.',
      publisherKey: 'Set COUNTERSIGN_PUBLISHER_KEY to a valid publisher key.',
    };
  }
  return {
    signIn: `Sign in to ${subject} on the Profiles page.`,
    memberToken: 'Paste a valid member token on the Profiles page.',
    publisherKey: 'Paste a valid publisher key on the Profiles page.',
  };
}

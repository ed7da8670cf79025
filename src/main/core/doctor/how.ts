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
      memberToken: 'Put a living member token into COUNTERSIGN_MEMBER_TOKEN.',
      publisherKey: 'Put a living publisher key into COUNTERSIGN_PUBLISHER_KEY.',
    };
  }
  return {
    signIn: `Sign in to ${subject} on the Profiles page.`,
    memberToken: 'Paste a living member token on the Profiles page.',
    publisherKey: 'Paste a living publisher key on the Profiles page.',
  };
}

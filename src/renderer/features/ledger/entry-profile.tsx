import type { LedgerEntry } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { ProfileSign } from '#renderer/ui/index.ts';
import styles from './entry.module.css';
import { profileName } from './profile-name.ts';

/** Whose money a row is about; a row about Countersign itself is of every profile. */
export function EntryProfile({ profile }: { profile: LedgerEntry['profile'] }): ReactElement {
  if (profile === null) return <span className={styles.none}>All profiles</span>;
  return <ProfileSign kind={profile.kind} name={profileName(profile)} />;
}

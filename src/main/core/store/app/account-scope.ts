/** Identifies an account within a profile. Equal campaign ids of two accounts are different campaigns. */
export interface AccountScope {
  profileId: string;
  account: string;
}

/** Campaigns of another account of the same profile are other campaigns. */
export interface AccountScope {
  profileId: string;
  account: string;
}

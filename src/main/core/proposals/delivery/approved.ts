/** What a person approved: the fingerprint as it was shown, from the core's memory and not from the disk. */
export interface Approved {
  id: string;
  fingerprint: string;
}

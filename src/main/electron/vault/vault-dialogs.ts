/** Why the kept key cannot be had: the vault refused it, the vault gave no answer, or the key file is damaged. */
export type Trouble = 'refused' | 'silent' | 'damaged';

/** What a person may decide when the kept key cannot be had. */
export type WayOn = 'again' | 'session' | 'quit';

/** The vault's questions to a person. */
export interface VaultDialogs {
  askWayOn(trouble: Trouble): Promise<WayOn>;
  /** True when the person agrees that a weak vault keeps secrets. */
  askConsent(): Promise<boolean>;
}

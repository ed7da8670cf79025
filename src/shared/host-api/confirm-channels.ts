/** What the confirmation's page may ask, one channel each. The preload and the registrar take the names from here. */
export const confirmChannels = {
  open: 'confirm:open',
  look: 'confirm:look',
  seen: 'confirm:seen',
  decide: 'confirm:decide',
  close: 'confirm:close',
} as const;

/** What the host tells the confirmation's page without being asked. Neither carries anything of a showing. */
export const confirmPushes = {
  reopened: 'confirm-push:reopened',
  /** How many showings wait behind the one in front. */
  waiting: 'confirm-push:waiting',
} as const;

export type ConfirmPush = (typeof confirmPushes)[keyof typeof confirmPushes];

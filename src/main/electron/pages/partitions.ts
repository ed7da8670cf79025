/** Each origin has a session of its own. The app's keeps its settings; the confirmation's forgets everything at quit. */
export const partitions = { app: 'persist:app', confirm: 'confirm' } as const;

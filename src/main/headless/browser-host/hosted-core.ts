import type { AppEvent, AppHandlers } from '#shared/app-api/index.ts';
import type { ConfirmationPort } from '#shared/host-api/index.ts';

/** What the two origins use of a core. */
export interface HostedCore {
  handlers: AppHandlers;
  subscribe(listener: (event: AppEvent) => void): () => void;
  confirmation: ConfirmationPort;
}

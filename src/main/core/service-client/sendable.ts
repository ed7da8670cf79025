import { AppError } from '#shared/errors/index.ts';

/** What a header and an address can carry. */
const visible = /^[\x21-\x7e]+$/;

/** Fails with `credential_missing` where a request could not carry it: the network layer’s own error would quote the credential. */
export function assertSendable(credential: string): void {
  if (visible.test(credential)) return;
  throw new AppError('credential_missing', {
    message: 'The credential of this profile has characters that cannot be sent.',
  });
}

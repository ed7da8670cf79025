import { createHash } from 'node:crypto';
import { isSameSecret } from '#core/platform/credentials.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { readStoredCall } from './tool-call/stored-parts.ts';

export type Fingerprinted = Pick<
  StoredProposal,
  'operation' | 'targets' | 'payload' | 'base' | 'rebase' | 'profile' | 'proposedBy' | 'expiresAtMs' | 'nonce'
>;

/** SHA-256 in hexadecimal of the canonical JSON (RFC 8785) of the fixed members. Fails if a stored text is not exact JSON. */
export function fingerprintOf(proposal: Fingerprinted): string {
  const { operation, targets, payload, base, rebase, profile, proposedBy, expiresAtMs, nonce } = proposal;
  return sha256(
    canonicalJson({
      operation,
      target: targets,
      payload: parseStrictJson(payload),
      baseHash: sha256(canonicalJson(parseStrictJson(base))),
      profile: profile.id,
      principal: profile.account,
      proposedBy: { ...proposedBy },
      volatile: rebase?.volatile ?? [],
      toolDefinitionHash: definitionHashIn(proposal),
      expiresAtMs,
      nonce,
    }),
  );
}

function definitionHashIn({ operation, payload, base }: Fingerprinted): string | null {
  return operation === 'tool.call' ? readStoredCall({ payload, base }).stored.tool.definitionHash : null;
}

/** Fails with `fingerprint_mismatch` unless the stored proposal matches its fingerprint and its payload is canonical. */
export function assertUntouched(proposal: Fingerprinted & { fingerprint: string }): void {
  try {
    const isCanonical = canonicalJson(parseStrictJson(proposal.payload)) === proposal.payload;
    if (isCanonical && isSameSecret(fingerprintOf(proposal), proposal.fingerprint)) return;
  } catch (cause) {
    throw new AppError('fingerprint_mismatch', { cause });
  }
  throw new AppError('fingerprint_mismatch');
}

/** SHA-256 of the text in UTF-8, as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

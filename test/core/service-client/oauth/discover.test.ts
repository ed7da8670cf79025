import { expect, test } from 'vitest';
import { createUrlPolicy, discover, type DocumentRead } from '#core/service-client/index.ts';
import { startBackend } from '#test/core/backend/open-backend.ts';

test('the embedded service is found by its own documents', async () => {
  const service = await startBackend();
  try {
    const mcpUrl = `http://127.0.0.1:${service.port}`;
    const reads: [string, DocumentRead][] = [];
    const found = await discover({
      mcpUrl,
      policy: createUrlPolicy({ mcpUrl }),
      timeoutMs: 5_000,
      onDocument: (which, read) => void reads.push([which, read]),
    });
    expect(found.resource).toBe(`${mcpUrl}/mcp`);
    expect(found.scopesSupported).toContain('svc:read');
    expect(found.server).toMatchObject({ issuer: mcpUrl, token_endpoint: `${mcpUrl}/token` });
    expect(reads.map(([which, { url, status }]) => [which, url, status])).toEqual([
      ['protected-resource', `${mcpUrl}/.well-known/oauth-protected-resource/mcp`, 200],
      ['authorization-server', `${mcpUrl}/.well-known/oauth-authorization-server`, 200],
    ]);
    expect(Math.abs((reads[0]?.[1].serverDateMs ?? 0) - Date.now())).toBeLessThan(60_000);
  } finally {
    await service.dispose();
  }
});

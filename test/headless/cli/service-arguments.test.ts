import { expect, test } from 'vitest';
import { assertServiceAllowed, readAddresses } from '#headless/cli/service-arguments.ts';
import { has } from '#test/servers/abilities.ts';
import { openPolicyPlace } from '#test/servers/policy-place.ts';

function visit(policy: string, url: string): () => void {
  const place = openPolicyPlace();
  place.write(policy);
  const read = readAddresses({ url });
  if (read.kind === 'refused') throw new Error('Not an address');
  return () => assertServiceAllowed(read.addresses, place);
}

test.runIf(has.modes)('the command line connects only to services that the administrator allows', () => {
  const policy = '{"liveServices":["https://api.example.com"]}';
  expect(visit(policy, 'https://api.example.com')).not.toThrow();
  expect(visit(policy, 'https://api.example.net')).toThrow('does not allow “https://api.example.net”');
  expect(visit(policy, 'http://127.0.0.1:4100')).toThrow('does not allow “http://127.0.0.1:4100”');
  expect(visit('{', 'https://api.example.com')).toThrow('cannot be used');
});

import { describe, expect, test } from 'vitest';
import { meaningOfNoAnswer, type NoAnswer, whyNoAnswer } from '#core/doctor/answers/no-answer.ts';
import { AppError } from '#shared/errors/index.ts';

/** As Node’s fetch fails. */
function fetchFailure(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
}

const failures: readonly [NoAnswer, string, unknown][] = [
  ['name', 'a name that is not known', fetchFailure('ENOTFOUND')],
  ['name', 'no name service', fetchFailure('EAI_AGAIN')],
  ['refused', 'a closed port', fetchFailure('ECONNREFUSED')],
  ['unreachable', 'no way there', fetchFailure('ENETUNREACH')],
  ['timeout', 'a connection that never comes about', fetchFailure('UND_ERR_CONNECT_TIMEOUT')],
  ['timeout', 'our own patience', new DOMException('late', 'TimeoutError')],
  ['tls', 'an expired certificate', fetchFailure('CERT_HAS_EXPIRED')],
  ['tls', 'a certificate for another name', fetchFailure('ERR_TLS_CERT_ALTNAME_INVALID')],
  ['tls', 'a certificate that nobody here trusts', fetchFailure('DEPTH_ZERO_SELF_SIGNED_CERT')],
  ['tls', 'an issuer that is not known', fetchFailure('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
  ['tls', 'no TLS', fetchFailure('ERR_SSL_WRONG_VERSION_NUMBER')],
  ['redirect', 'a redirect', new TypeError('fetch failed', { cause: new Error('unexpected redirect') })],
  ['port', 'a port of another protocol', new TypeError('fetch failed', { cause: new Error('bad port') })],
  ['cut', 'a connection that ends', fetchFailure('ECONNRESET')],
  ['cut', 'anything else', 'what'],
  [
    'refused',
    'what a client says of it',
    new AppError('service_unreachable', { cause: fetchFailure('ECONNREFUSED') }),
  ],
];

describe('no answer', () => {
  test.each(failures)('is %s: %s', (because, _name, failure) => {
    expect(whyNoAnswer(failure)).toBe(because);
    const { means, remedy } = meaningOfNoAnswer(because, 'https://mcp.example.com');
    expect(means).toContain('https://mcp.example.com');
    expect(remedy).not.toBe('');
  });
});

import { describe, expect, test } from 'vitest';
import { meaningOfNoAnswer, type NoAnswer, whyNoAnswer } from '#core/doctor/answers/no-answer.ts';
import { failureCodes, RequestFailure } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';

function requestFailure(code: string): Error {
  return new RequestFailure(true, Object.assign(new Error('x'), { code }));
}

const failures: readonly [NoAnswer, string, unknown][] = [
  ['name', 'a name that is not known', requestFailure('ENOTFOUND')],
  ['name', 'no name service', requestFailure('EAI_AGAIN')],
  ['refused', 'a closed port', requestFailure('ECONNREFUSED')],
  ['unreachable', 'no way there', requestFailure('ENETUNREACH')],
  ['timeout', 'a connection that never comes about', requestFailure(failureCodes.connectTimeout)],
  ['timeout', 'our own deadline', new DOMException('late', 'TimeoutError')],
  ['tls', 'an expired certificate', requestFailure('CERT_HAS_EXPIRED')],
  ['tls', 'a certificate for another name', requestFailure('ERR_TLS_CERT_ALTNAME_INVALID')],
  ['certificate', 'an untrusted certificate', requestFailure('DEPTH_ZERO_SELF_SIGNED_CERT')],
  ['certificate', 'an issuer that is not known', requestFailure('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
  ['tls', 'no TLS', requestFailure('ERR_SSL_WRONG_VERSION_NUMBER')],
  ['redirect', 'a redirect', requestFailure(failureCodes.redirect)],
  ['port', 'a port of another protocol', requestFailure(failureCodes.port)],
  ['proxy', 'a proxy that refuses', requestFailure(failureCodes.proxyRefused)],
  ['proxy', 'a proxy of another kind', requestFailure(failureCodes.proxyUnsupported)],
  ['proxy-away', 'a proxy that is not there', requestFailure(failureCodes.proxyUnreachable)],
  ['proxy-sign-in', 'a proxy that asks for a sign-in', requestFailure(failureCodes.proxySignIn)],
  ['cut', 'a connection that ends', requestFailure('ECONNRESET')],
  ['cut', 'anything else', 'what'],
  [
    'refused',
    'what a client says of it',
    new AppError('service_unreachable', { cause: requestFailure('ECONNREFUSED') }),
  ],
];

describe('a missing answer', () => {
  test.each(failures)('is explained as %s: %s', (because, _name, failure) => {
    expect(whyNoAnswer(failure)).toBe(because);
    const { means, remedy } = meaningOfNoAnswer(because, 'https://mcp.example.com');
    expect(means).toContain('https://mcp.example.com');
    expect(remedy).not.toBe('');
  });
});

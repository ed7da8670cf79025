import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A certificate authority of the test, and a server certificate issued by it. */
export interface PrivateAuthority {
  /** PEM. */
  authority: string;
  cert: string;
  key: string;
}

let serial = 0;

/** Makes an authority that no system trusts, and a certificate for these names, both valid for several years. */
export function makeAuthority(...names: readonly string[]): PrivateAuthority {
  // The name is unique, because a client may choose the wrong one of two authorities with equal names.
  const name = `Private authority ${serial}`;
  const root = keyPair();
  const leaf = keyPair();
  const authority = certificate({
    subject: name,
    issuer: name,
    holder: root.publicKey,
    signer: root.privateKey,
    extensions: [extension(oids.basicConstraints, sequence(der(0x01, Buffer.from([0xff]))))],
  });
  const cert = certificate({
    subject: names[0] ?? '',
    issuer: name,
    holder: leaf.publicKey,
    signer: root.privateKey,
    extensions: [
      extension(oids.names, sequence(...names.map((name) => der(0x82, Buffer.from(name, 'latin1'))))),
    ],
  });
  return { authority, cert, key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}

/** DER of the object identifiers that a certificate needs (RFC 5280). */
const oids = {
  commonName: '550403',
  basicConstraints: '551d13',
  names: '551d11',
  ecdsaWithSha256: '2a8648ce3d040302',
} as const;

interface Content {
  subject: string;
  issuer: string;
  holder: KeyObject;
  signer: KeyObject;
  extensions: Buffer[];
}

/** A certificate of version 3 (RFC 5280 §4.1), as PEM. */
function certificate({ subject, issuer, holder, signer, extensions }: Content): string {
  serial += 1;
  const algorithm = sequence(oid(oids.ecdsaWithSha256));
  const body = sequence(
    der(0xa0, integer(2)),
    integer(serial),
    algorithm,
    nameOf(issuer),
    sequence(time('20200101000000Z'), time('20991231235959Z')),
    nameOf(subject),
    holder.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = bits(sign('sha256', body, signer));
  const base64 = sequence(body, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]));
const time = (text: string): Buffer => der(0x18, Buffer.from(text));
const bits = (value: Buffer): Buffer => der(0x03, Buffer.from([0]), value);
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(0x04, value));
const nameOf = (text: string): Buffer =>
  sequence(der(0x31, sequence(oid(oids.commonName), der(0x0c, Buffer.from(text)))));

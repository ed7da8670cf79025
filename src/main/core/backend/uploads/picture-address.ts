import { extensionsOf, pictureTypes } from './picture-rules.ts';

const namePattern = /^([0-9a-f]{64})\.([a-z]+)$/;

/** Where a picture is served, from the root of the service: its content names it, so it never changes. */
export function pictureAddress({ sha256, contentType }: { sha256: string; contentType: string }): string {
  return `/uploads/${sha256}.${extensionOf(contentType)}`;
}

/** The hash and the content type that the last part of an address names; null when it names none. */
export function readPictureName(name: string): { sha256: string; contentType: string } | null {
  const [, sha256, extension] = namePattern.exec(name) ?? [];
  const contentType = pictureTypes.find((type) => extensionOf(type) === extension);
  return sha256 === undefined || contentType === undefined ? null : { sha256, contentType };
}

/** Each type has one extension in addresses, so that each picture has one address. */
function extensionOf(contentType: string): string {
  const type = pictureTypes.find((known) => known === contentType);
  if (type === undefined) throw new Error(`No picture is of the type ${contentType}`);
  return extensionsOf[type][0];
}

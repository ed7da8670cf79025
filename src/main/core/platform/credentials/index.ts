export { createCredentialFinder, shapeIn, type CredentialFinder } from './find-credential.ts';
export { textsOf } from './texts.ts';

import type { ServiceAddresses } from '#shared/app-api/index.ts';

/** The other two addresses, where one origin answers for everything; null while the text is no plain origin. */
export function addressesOfOrigin(text: string): Pick<ServiceAddresses, 'baseUrl' | 'apiUrl'> | null {
  const typed = text.trim().replace(/\/$/u, '');
  if (!/^https?:\/\/[^\s/?#@\\]+$/iu.test(typed) || !URL.canParse(typed)) return null;
  return { baseUrl: `${typed}/api/v1`, apiUrl: typed };
}

/**
 * The addresses after the tools address was typed or pasted. An address that is empty, or still what the tools address
 * filled in, follows it; one that a person wrote stays.
 */
export function withToolsAddress(addresses: ServiceAddresses, typed: string): ServiceAddresses {
  const before = addressesOfOrigin(addresses.mcpUrl);
  const after = addressesOfOrigin(typed);
  const follow = (field: 'baseUrl' | 'apiUrl'): string => {
    const now = addresses[field];
    return now === '' || now === before?.[field] ? (after?.[field] ?? '') : now;
  };
  return { mcpUrl: typed, baseUrl: follow('baseUrl'), apiUrl: follow('apiUrl') };
}

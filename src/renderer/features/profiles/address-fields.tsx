import { addressesOfOrigin } from '#renderer/stores/profiles/index.ts';
import { TextField } from '#renderer/ui/index.ts';
import type { ServiceAddresses } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';

export interface AddressFieldsProps {
  addresses: ServiceAddresses;
  /** Whether the tools address fills in the others. */
  fills: boolean;
  errorAt: (field: string) => string | undefined;
  onChange: (change: Partial<ServiceAddresses>) => void;
  onTools: (typed: string) => void;
}

/** The three addresses of a service (contract, address placeholders). */
export function AddressFields(props: AddressFieldsProps): ReactElement {
  const { addresses, fills, errorAt, onChange, onTools } = props;
  const filled = fills ? addressesOfOrigin(addresses.mcpUrl) : null;
  const note = (field: 'baseUrl' | 'apiUrl'): string | undefined =>
    filled?.[field] === addresses[field] ? 'filled from the tools address' : undefined;
  return (
    <>
      <TextField
        label="Tools address"
        value={addresses.mcpUrl}
        placeholder="https://tools.example.com"
        limit="Where the remote tools answer: an origin, without /mcp"
        error={errorAt('mcpUrl')}
        onChange={onTools}
      />
      <TextField
        label="Member address"
        value={addresses.baseUrl}
        placeholder="https://members.example.com/api/v1"
        limit="Where campaigns are read and changed: ends in /api/v1"
        error={errorAt('baseUrl')}
        note={note('baseUrl')}
        onChange={(baseUrl) => onChange({ baseUrl })}
      />
      <TextField
        label="Publisher address"
        value={addresses.apiUrl}
        placeholder="https://api.example.com"
        limit="Where publisher reports come from: an origin"
        error={errorAt('apiUrl')}
        note={note('apiUrl')}
        onChange={(apiUrl) => onChange({ apiUrl })}
      />
    </>
  );
}

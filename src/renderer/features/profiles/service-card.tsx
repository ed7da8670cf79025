import { Card, DefinitionList } from '#renderer/ui/index.ts';
import type { ProfileDetail } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { accountWords } from './profile-words.ts';

/** Where the service answers, and in which zone its days are counted. */
export function ServiceCard({ profile }: { profile: ProfileDetail }): ReactElement {
  const { addresses, zone } = profile;
  return (
    <Card title="Service">
      <DefinitionList
        items={[
          { key: 'mcpUrl', term: 'Tools', value: addresses.mcpUrl },
          { key: 'baseUrl', term: 'Members', value: addresses.baseUrl },
          { key: 'apiUrl', term: 'Publishers', value: addresses.apiUrl },
          { key: 'account', term: 'Account', value: accountWords(profile) },
          { key: 'zone', term: 'Days are counted in', value: zone },
        ]}
      />
    </Card>
  );
}

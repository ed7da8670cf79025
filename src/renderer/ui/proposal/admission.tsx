import type { ReactElement } from 'react';
import { ForeignText, QuotedText } from '../display/values.tsx';
import { DefinitionList } from '../layout/blocks.tsx';
import { ProfileSign } from '../profile/profile-sign.tsx';
import { placeWords } from '#shared/wording/index.ts';
import styles from './request.module.css';
import common from '../styles/common.module.css';

export interface AdmissionContentProps {
  name: string;
  profile: { kind: 'demo' | 'live'; name: string };
  redirectHost: string;
  /** The two words that the browser's page shows as well. */
  words: string;
  scopes: readonly { name: string; title: string; allows: string }[];
  until: string;
}

/** The agent that requests access, and what access allows. Shows no money: access spends nothing. */
export function AdmissionContent(props: AdmissionContentProps): ReactElement {
  const { name, profile, redirectHost, words, scopes, until } = props;
  return (
    <>
      <div className={styles.words}>
        <output aria-label="The two words">{words}</output>
        <p>Deny if your browser shows other words or you didn’t start this.</p>
      </div>
      <DefinitionList
        items={[
          {
            key: 'who',
            term: 'Calls itself',
            value: (
              <>
                <QuotedText text={name} /> <span className={common.soft}>This name is not verified.</span>
              </>
            ),
          },
          {
            key: 'where',
            term: 'Your answer goes to',
            value: (
              <>
                <ForeignText text={redirectHost} />{' '}
                <span className={common.soft}>{placeWords(redirectHost)}</span>
              </>
            ),
          },
          {
            key: 'profile',
            term: 'Works with',
            value: (
              <>
                <ProfileSign kind={profile.kind} name={profile.name} />{' '}
                <span className={common.soft}>and no other profile</span>
              </>
            ),
          },
          {
            key: 'may',
            term: 'May',
            value: (
              <ul className={styles.scopes}>
                {scopes.map((scope) => (
                  <li key={scope.name}>
                    <strong>
                      <ForeignText text={scope.title} />
                    </strong>{' '}
                    <span className={common.soft}>{scope.allows}</span>
                  </li>
                ))}
              </ul>
            ),
          },
          { key: 'until', term: 'Lasts', value: until },
        ]}
      />
    </>
  );
}

import { type ReactElement, type ReactNode, memo, useState } from 'react';
import { Fingerprint, ForeignText, LongText, Mono, QuotedText } from '../display/values.tsx';
import { DefinitionList, Disclosure } from '../layout/blocks.tsx';
import { CallDetails, LongDefinitions, type ToolContentProps } from './tool.tsx';
import styles from './request.module.css';
import type { Formats } from '#shared/lib/formats.ts';
import { useFormats } from '../formats.ts';
import { type UnchangedKind, placeWords } from '#shared/wording/index.ts';
import common from '../styles/common.module.css';
import { cx } from '../cx.ts';
import { ProfileSign } from '../display/pills.tsx';

/** Marks the text as the agent's words, never as ours. */
export function Quotation({ who, words }: { who: string; words: string }): ReactElement {
  return (
    <figure className={styles.quotation}>
      <figcaption className={common.quiet}>
        <QuotedText text={who} /> says:
      </figcaption>
      <blockquote>
        <QuotedText text={words} />
      </blockquote>
    </figure>
  );
}

export interface FinePrintProps {
  unchanged: readonly { field: string; label: string; value: string }[];
  unchangedAre: UnchangedKind;
  /** The exact bytes that are sent. */
  payload: string;
  fingerprint: string;
  pictures?: ReactNode;
  /** A call whose effect is stated, so that no part of it has to be read before the decision. */
  call?: ToolContentProps['tool'] | null;
}

export const FinePrint = memo(function FinePrint({
  unchanged,
  unchangedAre,
  payload,
  fingerprint,
  pictures = null,
  call = null,
}: FinePrintProps): ReactElement {
  const formats = useFormats();
  const bytes = new TextEncoder().encode(payload).length;
  return (
    <div className={common.stack1}>
      {unchanged.length > 0 && (
        <Lazy
          title={unchangedAre === 'now' ? 'The campaign as it is now' : 'What stays'}
          aside={countWords(unchanged.length, unchangedAre, formats)}
        >
          {() => (
            <>
              {pictures}
              <LongDefinitions
                label="What stays"
                items={unchanged.map(({ field, label, value }) => ({
                  key: field,
                  term: <LongText text={label} />,
                  value: <LongText text={value} />,
                }))}
              />
            </>
          )}
        </Lazy>
      )}
      <Disclosure title="Technical details">
        {call !== null && <CallDetails tool={call} />}
        <Lazy title="Raw payload" aside={formats.counted(bytes, 'byte')}>
          {() => (
            <Mono block>
              <LongText text={payload} />
            </Mono>
          )}
        </Lazy>
        <p className={styles.fingerprint}>
          <span>Fingerprint</span> <Fingerprint hex={fingerprint} />
        </p>
      </Disclosure>
    </div>
  );
});

function countWords(count: number, are: UnchangedKind, formats: Formats): string {
  if (are === 'now') return formats.counted(count, 'field');
  return are === 'fields'
    ? `${formats.counted(count, 'field')} identical`
    : `${formats.counted(count, are.slice(0, -1))} as before`;
}

/** A closed part is not rendered, so that its size costs nothing. */
function Lazy(props: { title: string; aside: string; children: () => ReactNode }): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <Disclosure title={props.title} aside={props.aside} open={open} onToggle={setOpen}>
      {open && props.children()}
    </Disclosure>
  );
}

export interface AdmissionContentProps {
  name: string;
  profile: { kind: 'demo' | 'live'; name: string };
  redirectHost: string;
  words: string;
  scopes: readonly { name: string; title: string; allows: string }[];
  until: string;
}

export function AdmissionContent(props: AdmissionContentProps): ReactElement {
  const { name, profile, redirectHost, words, scopes, until } = props;
  return (
    <>
      <div className={styles.words}>
        <output aria-label="The two words">{words}</output>
        <p className={common.quiet}>Deny if your browser shows other words or you didn’t start this.</p>
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
              <ul className={cx(common.stack1, styles.scopes)}>
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

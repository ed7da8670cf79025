import { counted } from '#shared/lib/counted.ts';
import { memo, type ReactElement, type ReactNode } from 'react';
import { Fingerprint } from '../display/fingerprint.tsx';
import { ForeignText } from '../display/foreign-text.tsx';
import { Mono } from '../display/mono.tsx';
import { QuotedText } from '../display/quoted-text.tsx';
import { StatusPill } from '../display/status-pill.tsx';
import { Disclosure } from '../layout/disclosure.tsx';
import { DefinitionList } from '../layout/definition-list.tsx';
import { ArgumentList, type ArgumentLine } from './argument-list.tsx';
import { Rule } from './rule.tsx';
import type { TargetView } from './target-list.tsx';
import { isChangeKnown, type EffectOfCall, type KnownOfCall } from './tool-words.ts';
import { WhatChanges, type WhatChangesProps } from './what-changes.tsx';

export interface ToolContentProps extends WhatChangesProps {
  tool: {
    name: string;
    title: string | null;
    definitionHash: string;
    effect: EffectOfCall;
    known: KnownOfCall;
    prepared: boolean;
    args: readonly ArgumentLine[];
  };
  /** What stands between the change and the call: the agent's own words. */
  children?: ReactNode;
}

/**
 * The call of a tool: the change where there is one to show, else the campaign as it is; and always every argument, folded away
 * only where they state that change and nothing else.
 */
export const ToolContent = memo(function ToolContent({
  tool,
  targets,
  children,
  ...change
}: ToolContentProps): ReactElement {
  return (
    <>
      {isChangeKnown(tool.known) && <WhatChanges targets={targets} {...change} />}
      {tool.known === 'campaign' && <Named targets={targets} />}
      {tool.known === 'task' && <WhatHappens {...change} />}
      {children}
      <section aria-label="The call">
        <Rule title="The call" aside={tool.effect === 'stated' ? undefined : valueCount(tool)} />
        {tool.effect === 'stated' ? (
          <>
            <DefinitionList items={factsOf(tool)} />
            <Disclosure title="Arguments" aside={valueCount(tool)}>
              <ArgumentList args={tool.args} />
            </Disclosure>
          </>
        ) : (
          <ArgumentList args={tool.args} above={factsOf(tool)} />
        )}
      </section>
    </>
  );
});

/** A scheduled task, part by part: what it does, when, and what comes of it. */
function WhatHappens({ changes }: Pick<WhatChangesProps, 'changes'>): ReactElement {
  return (
    <section aria-label="What happens">
      <Rule title="What happens" />
      <DefinitionList
        items={changes.map(({ field, label, after }) => ({
          key: field,
          term: label,
          value: <ForeignText text={after} />,
        }))}
      />
    </section>
  );
}

/** As it is now: what the call does to it is not known, so nothing is said to stay. */
function Named({ targets }: { targets: readonly TargetView[] }): ReactElement {
  return (
    <section aria-label="The campaign that it names">
      <Rule title="The campaign that it names" aside="as it is now" />
      {targets.map(({ cid, name, statusBefore, perDay }) => (
        <DefinitionList
          key={cid}
          items={[
            {
              key: 'name',
              term: 'Campaign',
              value: (
                <>
                  <QuotedText text={name} /> ({cid})
                </>
              ),
            },
            { key: 'status', term: 'Status', value: <StatusPill status={statusBefore} /> },
            { key: 'risk', term: 'At risk per day', value: perDay.before.text },
          ]}
        />
      ))}
    </section>
  );
}

/** An argument that has members is as many values as lines below. */
function valueCount({ args }: ToolContentProps['tool']): string {
  return counted(args.length, 'value');
}

function factsOf({ name, title, definitionHash, prepared }: ToolContentProps['tool']) {
  return [
    {
      key: 'tool',
      term: 'Tool',
      value: (
        <>
          <Mono>
            <ForeignText text={name} />
          </Mono>
          {title !== null && (
            <>
              {' '}
              <QuotedText text={title} />
            </>
          )}
        </>
      ),
    },
    {
      key: 'prepared',
      term: 'Prepared',
      value: prepared ? 'By the service; unchanged.' : 'Not that Countersign saw.',
    },
    { key: 'definition', term: 'Definition', value: <Fingerprint hex={definitionHash} /> },
  ];
}

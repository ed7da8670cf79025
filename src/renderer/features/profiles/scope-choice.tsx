import { Button, Buttons, Checkbox } from '#renderer/ui/index.ts';
import type { ExtraScope } from '#shared/app-api/index.ts';
import { useState, type ReactElement } from 'react';
import styles from './profile-detail.module.css';
import { missingScopes, scopeChoices, withScope } from './scope-words.ts';

export interface ScopeChoiceProps {
  /** What is granted already; it is asked for again, so that nothing is lost. */
  granted: readonly string[];
  /** True where a person signed in already and wants more. */
  stepUp: boolean;
  onGo: (scopes: ExtraScope[]) => void;
  onCancel: () => void;
}

/** What the sign-in shall allow besides reading. Nothing is ticked before a person ticks it. */
export function ScopeChoice({ granted, stepUp, onGo, onCancel }: ScopeChoiceProps): ReactElement {
  const [chosen, setChosen] = useState<readonly ExtraScope[]>([]);
  const missing = missingScopes(granted);
  return (
    <div className={styles.choices}>
      <p>
        {stepUp
          ? 'You sign in once more in the browser. Allow besides what is allowed now:'
          : 'The sign-in allows reading. Allow besides, if you want:'}
      </p>
      {scopeChoices
        .filter(({ scope }) => missing.includes(scope))
        .map(({ scope, label, means }) => (
          <Checkbox
            key={scope}
            label={label}
            hint={means}
            checked={chosen.includes(scope)}
            onChange={(on) => setChosen(withScope(chosen, { scope, on, granted }))}
          />
        ))}
      <Buttons>
        <Button
          kind="primary"
          icon="external"
          disabled={stepUp && chosen.length === 0}
          onClick={() => onGo([...chosen])}
        >
          Continue in the browser
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </Buttons>
    </div>
  );
}

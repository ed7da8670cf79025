import { Cards } from '#renderer/ui/index.ts';
import { profilesStore } from '#renderer/stores/profiles/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import type { ReactElement } from 'react';
import { emptyInput } from './form-state.ts';
import { ProfileForm } from './profile-form.tsx';
import styles from './profiles.module.css';

/** The form of a new profile. Nothing of it is stored before Add. */
export function NewProfile(): ReactElement {
  const { navigate } = uiStore.getState();
  return (
    <Cards>
      <header className={styles.detailHead}>
        <h2 className={styles.title}>Add a profile</h2>
        <p className={styles.lead}>
          Whoever runs the service names its three addresses. Nothing is sent there before you sign in or
          paste a token.
        </p>
      </header>
      <ProfileForm
        initial={emptyInput}
        fills
        saveWord="Add profile"
        onCancel={() => navigate({ page: 'profiles', id: null })}
        onSave={async (input) => {
          const id = await profilesStore.getState().add(input);
          if (id !== null) navigate({ page: 'profiles', id });
        }}
      />
    </Cards>
  );
}

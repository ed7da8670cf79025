import type { ReactElement } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import {
  Header,
  Menu as AriaMenu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
} from 'react-aria-components/Menu';
import { cx } from '../cx.ts';
import { Icon, type IconName } from '../display/icon.tsx';
import popover from '../overlay/overlay.module.css';
import styles from './profile-menu.module.css';
import { ProfileSign } from '../display/pills.tsx';

interface Profile {
  id: string;
  kind: 'demo' | 'live';
  name: string;
  account: string;
  zone: string;
}

export interface ProfileMenuProps {
  current: Profile;
  profiles: readonly Profile[];
  actions: readonly { id: string; label: string; icon: IconName; disabled?: boolean }[];
  note?: string | undefined;
  onProfile: (id: string) => void;
  onAction: (id: string) => void;
}

const spoken = ({ kind, name }: Profile): string => `${kind === 'live' ? 'LIVE' : 'Demo'} · ${name}`;
const facts = ({ account, zone }: Profile): string =>
  `${account === '' ? 'account not known yet' : `account ${account}`} · days in ${zone}`;

export function ProfileMenu(props: ProfileMenuProps): ReactElement {
  const { current, profiles, actions, note, onProfile, onAction } = props;
  return (
    <MenuTrigger>
      <AriaButton
        className={cx(styles.chip, styles[current.kind])}
        aria-label={`${spoken(current)}, ${facts(current)}. Profiles`}
      >
        <ProfileSign kind={current.kind} name={current.name} oneLine />
        <Icon name="chevron-down" size={12} />
      </AriaButton>
      <Popover className={cx(popover.popover, styles.popover)} placement="bottom start" offset={4}>
        <AriaMenu className={popover.list ?? ''} aria-label="Profiles">
          <MenuSection
            aria-label="Profiles"
            selectionMode="single"
            selectedKeys={[current.id]}
            disallowEmptySelection
          >
            {profiles.map((profile) => (
              <MenuItem
                key={profile.id}
                id={profile.id}
                textValue={spoken(profile)}
                className={cx(popover.item, styles.profile)}
                onAction={() => onProfile(profile.id)}
              >
                <span className={popover.mark}>
                  {profile.id === current.id && <Icon name="check" size={14} />}
                </span>
                <span className={styles.words}>
                  <ProfileSign kind={profile.kind} name={profile.name} />
                  <span className={styles.facts}>{facts(profile)}</span>
                </span>
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection aria-label="More" className={styles.more ?? ''}>
            {note !== undefined && <Header className={cx(popover.heading, styles.note)}>{note}</Header>}
            {actions.map((action) => (
              <MenuItem
                key={action.id}
                id={action.id}
                textValue={action.label}
                isDisabled={action.disabled ?? false}
                className={popover.item ?? ''}
                onAction={() => onAction(action.id)}
              >
                <span className={popover.mark} />
                <Icon name={action.icon} size={14} />
                <span className={popover.popoverText}>{action.label}</span>
              </MenuItem>
            ))}
          </MenuSection>
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
